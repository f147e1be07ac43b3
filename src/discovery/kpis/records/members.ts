import type { Records } from './collect'

/** The latest record; of several at one moment the last. */
export function newestOf({ values, times }: Records['valid']): { value: number; at: number } {
  let newest = 0
  for (let index = 1; index < times.length; index++) {
    if ((times[index] as number) >= (times[newest] as number)) newest = index
  }
  return { value: values[newest] as number, at: times[newest] as number }
}

// One bound value may have 2 MB (D1).
const MAX_BOUND = 1_900_000

/** The number of the first record, so that all have as many digits. */
export const FIRST = 1_000_001

/**
 * JSON objects {"<number><createdAt>": <value>, …}, each short enough to be bound: json_each gives members in half the
 * time that pairs in arrays take. The number, of seven digits, is the place in the file.
 */
export function jsonMembers({ values, times }: Records['valid']): string[] {
  const chunks: string[] = []
  const digits = momentDigits()
  let chunk = ''
  for (let index = 0; index < values.length; index++) {
    if (chunk.length > MAX_BOUND) {
      chunks.push(`{${chunk}}`)
      chunk = ''
    }
    chunk += `${chunk === '' ? '' : ','}"${FIRST + index}${digits(times[index] as number)}":${values[index]}`
  }
  chunks.push(`{${chunk}}`)
  return chunks
}

const SPLIT = 1_000_000

/** Writes milliseconds in two halves of small integers, the first remembered: a third of the time that one large number takes. */
function momentDigits(): (at: number) => string {
  let high = 0
  let text = ''
  return (at) => {
    if (at < SPLIT) return String(at)
    const half = Math.floor(at / SPLIT)
    if (half !== high) {
      high = half
      text = String(half)
    }
    return text + String(SPLIT + (at - half * SPLIT)).slice(1)
  }
}
