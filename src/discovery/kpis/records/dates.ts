import { readMoment } from '../../../text/moments'

const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(10_000, 0, 1) - 1

/**
 * A date in a file → milliseconds, or undefined when it is none between 1900 and 9999.
 * Taken: ISO 8601 dates and timestamps, and Unix times of ten digits (seconds) or of twelve or thirteen (milliseconds).
 * What a reader could take two ways, like 01/02/2026, is not.
 */
export function parseDate(text: string): number | undefined {
  const at = readMoment(text) ?? unixTime(text)
  return at !== undefined && at >= EARLIEST && at <= LATEST ? at : undefined
}

function unixTime(text: string): number | undefined {
  if (!/^\d{10}(?:\d{2,3})?$/.test(text)) return undefined
  return text.length === 10 ? Number(text) * 1000 : Number(text)
}
