// Years of four digits: ISO 8601 allows longer years only by agreement.
const MIN_MOMENT_MS = Date.parse('0000-01-01T00:00:00.000Z')
const MAX_MOMENT_MS = Date.parse('9999-12-31T23:59:59.999Z')

const DAY_MS = 86_400_000
const FOUR_CENTURIES_MS = 146_097 * DAY_MS

const DASH_CODE = 45
const COLON_CODE = 58

const TWO_DIGIT_TEXTS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

// Memoizes days, because records of a list share days and a lookup costs a tenth of `Date`.
const textByDay = new Map<number, string>()
const MAX_FORMATTED_DAYS = 10_000

function formatDay(day: number): string {
  let date = textByDay.get(day)
  if (date === undefined) {
    if (textByDay.size >= MAX_FORMATTED_DAYS) textByDay.clear()
    date = new Date(day * DAY_MS).toISOString().slice(0, -13)
    textByDay.set(day, date)
  }
  return date
}

export function toIso(at: number): string
export function toIso(at: number | null): string | null
export function toIso(at: number | null): string | null {
  if (at === null) return null
  const day = Math.floor(at / DAY_MS)
  const ms = at - day * DAY_MS
  const hours = TWO_DIGIT_TEXTS[Math.floor(ms / 3_600_000)]
  const minutes = TWO_DIGIT_TEXTS[Math.floor(ms / 60_000) % 60]
  const seconds = TWO_DIGIT_TEXTS[Math.floor(ms / 1_000) % 60]
  return `${formatDay(day)}${hours}:${minutes}:${seconds}.${String(ms % 1_000).padStart(3, '0')}Z`
}

function parseTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/**
 * Parses an ISO 8601 date or timestamp of the years 0000 to 9999 to milliseconds; returns undefined for other texts.
 * UTC is the default zone, `T` or a space separates the time, and digits below a millisecond are cut off.
 */
export function parseIsoMoment(text: string): number | undefined {
  const at = parseCalendarMoment(text)
  return at !== undefined && at >= MIN_MOMENT_MS && at <= MAX_MOMENT_MS ? at : undefined
}

function parseCalendarMoment(text: string): number | undefined {
  const year = parseTwoDigits(text, 0) * 100 + parseTwoDigits(text, 2)
  const month = parseTwoDigits(text, 5)
  const day = parseTwoDigits(text, 8)
  // NaN fails every comparison, hence every condition states the valid range.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return undefined
  if (text.charCodeAt(4) !== DASH_CODE || text.charCodeAt(7) !== DASH_CODE) return undefined
  // Date.UTC reads the years 0 to 99 as 1900 to 1999, hence the shift by 400 years.
  const date = Date.UTC(year + 400, month - 1, day) - FOUR_CENTURIES_MS
  return text.length === 10 ? date : addTimeOfDay(text, date)
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function addTimeOfDay(text: string, date: number): number | undefined {
  const separator = text[10]
  const hour = parseTwoDigits(text, 11)
  const minute = parseTwoDigits(text, 14)
  if (separator !== 'T' && separator !== ' ' && separator !== 't') return undefined
  if (!(hour <= 23 && minute <= 59) || text.charCodeAt(13) !== COLON_CODE) return undefined
  let at = 16
  let ms = hour * 3_600_000 + minute * 60_000
  if (text.charCodeAt(at) === COLON_CODE) {
    const second = parseTwoDigits(text, 17)
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
  const offset = parseZoneOffset(text, at)
  return offset === undefined ? undefined : date + ms - offset
}

function parseZoneOffset(text: string, at: number): number | undefined {
  if (at === text.length) return 0
  const sign = text[at]
  if ((sign === 'Z' || sign === 'z') && at + 1 === text.length) return 0
  if (sign !== '+' && sign !== '-') return undefined
  const rest = text.length - at - 1
  const colon = text.charCodeAt(at + 3) === COLON_CODE
  if (rest !== 2 && rest !== (colon ? 5 : 4)) return undefined
  const hours = parseTwoDigits(text, at + 1)
  const minutes = rest === 2 ? 0 : parseTwoDigits(text, at + (colon ? 4 : 3))
  if (!(hours <= 23 && minutes <= 59)) return undefined
  return (sign === '-' ? -1 : 1) * ((hours * DAY_MS) / 24 + minutes * 60_000)
}
