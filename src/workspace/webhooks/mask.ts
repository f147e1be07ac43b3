// Imports nothing, because `npm start` loads this module on Node, too.

export const MASK = '••••'

const PATH = '/api/hooks/'
// A router decodes a path and then a parameter: two levels. Each further level only ever decodes more.
const MAX_LEVELS = 4

export function decodePath(path: string): string {
  let decoded = path
  for (let level = 0; level < MAX_LEVELS && decoded.includes('%'); level++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return decoded
}

export function hookPartOf(path: string): string | undefined {
  const decoded = decodePath(path)
  const at = decoded.lastIndexOf(PATH)
  return at < 0 ? undefined : decoded.slice(at + PATH.length)
}

export const maskedUrl = (origin: string, workspace: number) => `${origin}${PATH}${workspace}-${MASK}`

const MASKED = new RegExp(`${PATH}[1-9]\\d{0,15}-${MASK}/*$`)

export function readMasked(url: string): string | undefined {
  const plain = url.replace(/%E2%80%A2/gi, '•')
  return MASKED.test(plain) ? plain : undefined
}

// The last segment of a path: the characters before a query, a punctuation mark or the end.
const WORD = /([^\s"'<>?#,]*\/)([^\s"'<>?#,/]+)/g

export function maskTokens(line: string): string {
  return line.replace(WORD, (word, before: string, last: string) => {
    const [, workspace] = /^(\d+)-./.exec(hookPartOf(before + last) ?? '') ?? []
    return workspace === undefined ? word : `${before}${workspace}-${MASK}`
  })
}
