import { decodeUtf8 } from '../../text/json'

const UNKNOWN = 'application/octet-stream'

/** Text that runs nowhere: taken at the client's word when the bytes are text. */
const HARMLESS_TEXT = new Set([
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
  'application/json',
])

/** Images that carry no script. Never SVG. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** How much of a file is looked at: signatures stand at the beginning, names of Office parts in the first entries. */
const SAMPLE = 262_144

/** Whether a browser may show it in place. */
export function isShown(mime: string): boolean {
  return SHOWN.has(mime)
}

/** The media type that the bytes prove; a declared one only for harmless text. */
export async function mimeOf(bytes: Uint8Array, declared: string): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type/core')
  const found = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE)).catch(() => undefined)
  if (found) return found.mime
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return HARMLESS_TEXT.has(type) && isText(bytes) ? type : UNKNOWN
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && decodeUtf8(bytes) !== undefined
}
