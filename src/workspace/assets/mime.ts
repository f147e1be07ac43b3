import { SHOWN_IMAGES } from '../../text/images'

const UNKNOWN = 'application/octet-stream'

/** Text that runs nowhere: taken at the client's word when the bytes are text. */
const HARMLESS_TEXT = new Set([
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
  'application/json',
])

const SHOWN: ReadonlySet<string> = new Set(SHOWN_IMAGES)

/** How much of a file is looked at: signatures stand at the beginning, names of Office parts in the first entries. */
const SAMPLE = 262_144

/** Whether a browser may show it in place. */
export function isShown(mime: string): boolean {
  return SHOWN.has(mime)
}

/** Reads a file's bytes as they come, and finds the media type that they prove; a declared one only for harmless text. */
export async function mimeReader(declared: string) {
  const { fileTypeFromBuffer } = await import('file-type/core')
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const sample = new Uint8Array(SAMPLE)
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let sampled = 0
  let isText = HARMLESS_TEXT.has(type)

  const decode = (chunk?: Uint8Array): void => {
    try {
      if (chunk?.includes(0)) isText = false
      else text.decode(chunk, { stream: chunk !== undefined })
    } catch {
      isText = false
    }
  }
  return {
    read(chunk: Uint8Array): void {
      const some = chunk.subarray(0, SAMPLE - sampled)
      sample.set(some, sampled)
      sampled += some.length
      if (isText) decode(chunk)
    },
    async found(): Promise<string> {
      const found = await fileTypeFromBuffer(sample.subarray(0, sampled)).catch(() => undefined)
      if (found) return found.mime
      if (isText) decode()
      return isText ? type : UNKNOWN
    },
  }
}
