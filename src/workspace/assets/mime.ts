const UNKNOWN_MEDIA_TYPE = 'application/octet-stream'

const PASSIVE_TEXT_MEDIA_TYPES = new Set([
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
  'application/json',
])

/** Signatures stand in the first bytes, and names of Office parts in the first ZIP entries. */
const MIME_SAMPLE_BYTES = 262_144

/** Type of a file whose bytes nobody has read yet. */
export function toUnprovenType(declared: string): string {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return PASSIVE_TEXT_MEDIA_TYPES.has(type) ? type : UNKNOWN_MEDIA_TYPE
}

/** A declared type counts only for text without active content. */
export async function createMimeDetector(declared: string) {
  const { fileTypeFromBuffer } = await import('file-type/core')
  const type = toUnprovenType(declared)
  const sample = new Uint8Array(MIME_SAMPLE_BYTES)
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let sampled = 0
  let isText = type !== UNKNOWN_MEDIA_TYPE

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
      const some = chunk.subarray(0, MIME_SAMPLE_BYTES - sampled)
      sample.set(some, sampled)
      sampled += some.length
      if (isText) decode(chunk)
    },
    async detect(): Promise<string> {
      const found = await fileTypeFromBuffer(sample.subarray(0, sampled)).catch(() => undefined)
      if (found) return found.mime
      if (isText) decode()
      return isText ? type : UNKNOWN_MEDIA_TYPE
    },
  }
}
