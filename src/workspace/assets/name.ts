// Common file systems limit a name to 255 bytes, and browsers may append a number.
const MAX_FILE_NAME_BYTES = 200
// Only the two ends of a longer name are examined, because a client may send megabytes of dots or accents.
const MAX_EXAMINED_NAME_START = 1_000
const MAX_EXAMINED_NAME_END = 100

const textEncoder = new TextEncoder()

export function makeSafeFileName(fileName: string): string {
  const last = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
  const name = keepEndsOfName(last)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  return shortenFileName(name) || 'file'
}

function keepEndsOfName(name: string): string {
  if (name.length <= MAX_EXAMINED_NAME_START + MAX_EXAMINED_NAME_END) return name
  return name.slice(0, MAX_EXAMINED_NAME_START) + name.slice(-MAX_EXAMINED_NAME_END)
}

function shortenFileName(name: string): string {
  if (textEncoder.encode(name).length <= MAX_FILE_NAME_BYTES) return name
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  let stem = ''
  let size = extension.length
  for (const character of name) {
    size += textEncoder.encode(character).length
    if (size > MAX_FILE_NAME_BYTES) break
    stem += character
  }
  return stem.trimEnd() + extension
}
