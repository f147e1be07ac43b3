// Imports nothing, because `npm start` loads this module on Node, too.

export const MASK = '••••'

const PATH = '/api/hooks/'
// A router decodes a path and then a parameter: two levels. Each further level only ever decodes more.
const MAX_LEVELS = 4

/** Decodes percent-encoded ASCII characters, also if encoded several times. Never throws. */
export function decodePath(path: string): string {
  let decoded = path
  for (let level = 0; level < MAX_LEVELS && decoded.includes('%'); level++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return decoded
}

/** Returns the part of a path after `/api/hooks/`, decoded; undefined for another path. */
export function hookPartOf(path: string): string | undefined {
  const decoded = decodePath(path)
  const at = decoded.lastIndexOf(PATH)
  return at < 0 ? undefined : decoded.slice(at + PATH.length)
}

/** Returns the shown form of a URL with the token of an incoming webhook. */
export const maskedUrl = (origin: string, workspace: number) => `${origin}${PATH}${workspace}-${MASK}`

const MASKED = new RegExp(`${PATH}[1-9]\\d{0,15}-${MASK}/*$`)

/** Returns the URL if the token in the URL is masked, also with a mask that a URL parser has encoded. */
export function readMasked(url: string): string | undefined {
  const plain = url.replace(/%E2%80%A2/gi, '•')
  return MASKED.test(plain) ? plain : undefined
}

// The last segment of a path: the characters before a query, a punctuation mark or the end.
const WORD = /([^\s"'<>?#,]*\/)([^\s"'<>?#,/]+)/g

/** Replaces the tokens of incoming webhooks in a line of text. The workspace's number stays. */
export function maskTokens(line: string): string {
  return line.replace(WORD, (word, before: string, last: string) => {
    const [, workspace] = /^(\d+)-./.exec(hookPartOf(before + last) ?? '') ?? []
    return workspace === undefined ? word : `${before}${workspace}-${MASK}`
  })
}
