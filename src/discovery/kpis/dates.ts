const DAY = 86_400_000
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(10_000, 0, 1) - 1

const DASH = 45
const COLON = 58

/**
 * A date in a file → milliseconds, or undefined when it is none between 1900 and 9999.
 * Taken: ISO 8601 dates and timestamps (`T` or a space between, UTC without a zone), and Unix times of ten digits
 * (seconds) or of twelve or thirteen (milliseconds). What a reader could take two ways, like 01/02/2026, is not.
 */
export function parseDate(text: string): number | undefined {
  const at = text.charCodeAt(4) === DASH ? calendar(text) : unixTime(text)
  return at !== undefined && at >= EARLIEST && at <= LATEST ? at : undefined
}

/** The number that two digits make, or NaN. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

function calendar(text: string): number | undefined {
  const year = two(text, 0) * 100 + two(text, 2)
  const month = two(text, 5)
  const day = two(text, 8)
  // NaN fails every comparison, so each is written to let through only what is right.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined
  if (text.charCodeAt(7) !== DASH) return undefined
  const date = Date.UTC(year, month - 1, day)
  return text.length === 10 ? date : withTime(text, date)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function withTime(text: string, date: number): number | undefined {
  const separator = text[10]
  const hour = two(text, 11)
  const minute = two(text, 14)
  if (separator !== 'T' && separator !== ' ' && separator !== 't') return undefined
  if (!(hour <= 23 && minute <= 59) || text.charCodeAt(13) !== COLON) return undefined
  let at = 16
  let ms = hour * 3_600_000 + minute * 60_000
  if (text.charCodeAt(at) === COLON) {
    const second = two(text, 17)
    if (!(second <= 59)) return undefined
    ms += second * 1000
    at = 19
    if (text[at] === '.' || text[at] === ',') {
      const start = ++at
      for (let unit = 100; at < text.length; at++, unit = Math.floor(unit / 10)) {
        const digit = text.charCodeAt(at) - 48
        if (!(digit >= 0 && digit <= 9)) break
        ms += digit * unit
      }
      if (at === start) return undefined
    }
  }
  const offset = zone(text, at)
  return offset === undefined ? undefined : date + ms - offset
}

/** Milliseconds east of UTC that the end of a timestamp names. */
function zone(text: string, at: number): number | undefined {
  if (at === text.length) return 0
  const sign = text[at]
  if ((sign === 'Z' || sign === 'z') && at + 1 === text.length) return 0
  if (sign !== '+' && sign !== '-') return undefined
  const rest = text.length - at - 1
  const colon = text.charCodeAt(at + 3) === COLON
  if (rest !== 2 && rest !== (colon ? 5 : 4)) return undefined
  const hours = two(text, at + 1)
  const minutes = rest === 2 ? 0 : two(text, at + (colon ? 4 : 3))
  if (!(hours <= 23 && minutes <= 59)) return undefined
  return (sign === '-' ? -1 : 1) * ((hours * DAY) / 24 + minutes * 60_000)
}

function unixTime(text: string): number | undefined {
  if (!/^\d{10}(?:\d{2,3})?$/.test(text)) return undefined
  return text.length === 10 ? Number(text) * 1000 : Number(text)
}
