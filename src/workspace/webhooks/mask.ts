// Imports nothing, because `npm start` loads this module on Node, too.

export const TOKEN_MASK = '••••'

const INCOMING_WEBHOOK_PATH = '/api/hooks/'
// A router decodes a path and then a parameter: two levels. Each further level only ever decodes more.
const MAX_DECODING_LEVELS = 4

export function decodePathRepeatedly(path: string): string {
  let decoded = path
  for (let level = 0; level < MAX_DECODING_LEVELS && decoded.includes('%'); level++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return decoded
}

export function webhookPartOfPath(path: string): string | undefined {
  const decoded = decodePathRepeatedly(path)
  const at = decoded.lastIndexOf(INCOMING_WEBHOOK_PATH)
  return at < 0 ? undefined : decoded.slice(at + INCOMING_WEBHOOK_PATH.length)
}

export const makeMaskedUrl = (origin: string, workspace: number) =>
  `${origin}${INCOMING_WEBHOOK_PATH}${workspace}-${TOKEN_MASK}`

const MASKED_URL_PATTERN = new RegExp(`${INCOMING_WEBHOOK_PATH}[1-9]\\d{0,15}-${TOKEN_MASK}/*$`)

export function parseMaskedUrl(url: string): string | undefined {
  const plain = url.replace(/%E2%80%A2/gi, '•')
  return MASKED_URL_PATTERN.test(plain) ? plain : undefined
}

// The last segment of a path: the characters before a query, a punctuation mark or the end.
const PATH_WORD_PATTERN = /([^\s"'<>?#,]*\/)([^\s"'<>?#,/]+)/g

export function maskTokensInLine(line: string): string {
  return line.replace(PATH_WORD_PATTERN, (word, before: string, last: string) => {
    const [, workspace] = /^(\d+)-./.exec(webhookPartOfPath(before + last) ?? '') ?? []
    return workspace === undefined ? word : `${before}${workspace}-${TOKEN_MASK}`
  })
}
