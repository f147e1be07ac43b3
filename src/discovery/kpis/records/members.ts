import { toDecimalText } from '../../../text/decimals'
import { toIso } from '../../../text/moments'
import type { FileRecords } from './collect'

/** Latest record; of several records at a moment, the last. */
export function findLatestRecord({ values, times }: FileRecords['valid']): { value: number; at: number } {
  let newest = 0
  for (let index = 1; index < times.length; index++) {
    if ((times[index] as number) >= (times[newest] as number)) newest = index
  }
  return { value: values[newest] as number, at: times[newest] as number }
}

// D1 limits a bound value to 2 MB.
const MAX_CHUNK_CHARACTERS = 1_900_000

/** Number of the first record, large enough to give all numbers equally many digits. */
export const FIRST_RECORD_NUMBER = 1_000_001

/**
 * {"<number><createdAt>": <value>, …}: the number is the position in the file. json_each reads object members in half
 * the time of pairs in arrays.
 */
export function toJsonMembers({ values, times }: FileRecords['valid']): string[] {
  const chunks: string[] = []
  const digits = createTimeFormatter()
  let chunk = ''
  for (let index = 0; index < values.length; index++) {
    if (chunk.length > MAX_CHUNK_CHARACTERS) {
      chunks.push(`{${chunk}}`)
      chunk = ''
    }
    chunk += `${chunk === '' ? '' : ','}"${FIRST_RECORD_NUMBER + index}${digits(times[index] as number)}":${values[index]}`
  }
  chunks.push(`{${chunk}}`)
  return chunks
}

// Records of an event (docs/api-conventions.md).
const MAX_RECORDS_PER_EVENT = 1_000

/** The records without their ids, as JSON arrays of up to 1,000 records, each with the position of its first record. */
export function* splitIntoEvents({ values, times }: FileRecords['valid']): Generator<{ at: number; records: string }> {
  for (let at = 0; at < values.length; at += MAX_RECORDS_PER_EVENT) {
    const end = Math.min(values.length, at + MAX_RECORDS_PER_EVENT)
    let text = ''
    for (let n = at; n < end; n++)
      text += `${n === at ? '' : ','}{"value":"${toDecimalText(values[n] as number)}","createdAt":"${toIso(times[n] as number)}"}`
    yield { at, records: `[${text}]` }
  }
}

const LOW_TIME_DIGITS_DIVISOR = 1_000_000

/** Remembering the first half takes a third of the time of a large number. */
function createTimeFormatter(): (at: number) => string {
  let high = 0
  let text = ''
  return (at) => {
    if (at < LOW_TIME_DIGITS_DIVISOR) return String(at)
    const half = Math.floor(at / LOW_TIME_DIGITS_DIVISOR)
    if (half !== high) {
      high = half
      text = String(half)
    }
    return text + String(LOW_TIME_DIGITS_DIVISOR + (at - half * LOW_TIME_DIGITS_DIVISOR)).slice(1)
  }
}
