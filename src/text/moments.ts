// Years that four digits write: ISO 8601 has no others unless both sides agree.
const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

const DAY = 86_400_000
const FOUR_CENTURIES = 146_097 * DAY

const DASH = 45
const COLON = 58

const TWO_DIGITS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

// Lists and records share their days: a remembered one costs a tenth of what Date asks for a moment.
const dates = new Map<number, string>()
const MAX_DATES = 10_000

/** `2026-01-31T` for days since 1970. */
function dateOf(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    if (dates.size >= MAX_DATES) dates.clear()
    date = new Date(day * DAY).toISOString().slice(0, -13)
    dates.set(day, date)
  }
  return date
}

/** Milliseconds → ISO 8601. */
export function iso(at: number): string
export function iso(at: number | null): string | null
export function iso(at: number | null): string | null {
  if (at === null) return null
  const day = Math.floor(at / DAY)
  const ms = at - day * DAY
  const hours = TWO_DIGITS[Math.floor(ms / 3_600_000)]
  const minutes = TWO_DIGITS[Math.floor(ms / 60_000) % 60]
  const seconds = TWO_DIGITS[Math.floor(ms / 1_000) % 60]
  return `${dateOf(day)}${hours}:${minutes}:${seconds}.${String(ms % 1_000).padStart(3, '0')}Z`
}

/** The number that two digits make, or NaN. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/**
 * An ISO 8601 date or timestamp of the years 0000 to 9999 in UTC → milliseconds, or undefined when it is none. Without a
 * zone it is UTC. `T` or a space stands before the time, and what is finer than a millisecond is cut off.
 */
export function readMoment(text: string): number | undefined {
  const at = calendar(text)
  return at !== undefined && at >= FIRST && at <= LAST ? at : undefined
}

function calendar(text: string): number | undefined {
  const year = two(text, 0) * 100 + two(text, 2)
  const month = two(text, 5)
  const day = two(text, 8)
  // NaN fails every comparison, so each is written to let through only what is right.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined
  // The years 0 to 99 would be read as those from 1900 on.
  const date = Date.UTC(year + 400, month - 1, day) - FOUR_CENTURIES
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
