// One bound value may have 2 MB (D1); the rest is room for what the driver adds.
const MAX_BYTES = 1_900_000

const encoder = new TextEncoder()

/** JSON arrays that together hold the items in order, each short enough to be one bound value for `json_each`. */
export function jsonChunks(items: readonly unknown[]): string[] {
  const whole = JSON.stringify(items)
  // UTF-8 takes at most three bytes for what JavaScript counts as one.
  if (whole.length * 3 <= MAX_BYTES || encoder.encode(whole).length <= MAX_BYTES) return [whole]
  const chunks: string[] = []
  let parts: string[] = []
  let size = 2
  for (const item of items) {
    const part = JSON.stringify(item)
    const bytes = encoder.encode(part).length + 1
    if (parts.length && size + bytes > MAX_BYTES) {
      chunks.push(`[${parts.join(',')}]`)
      parts = []
      size = 2
    }
    parts.push(part)
    size += bytes
  }
  chunks.push(`[${parts.join(',')}]`)
  return chunks
}
