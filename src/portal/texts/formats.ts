import type { Language } from './language'

const DAY_MS = 86_400_000
const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export interface Formats {
  number: (value: number) => string
  /** Short from 10,000 on, like `12K`. */
  short: (value: number) => string
  /** With the year. */
  date: (moment: string) => string
  /** Without the year if it is the current year. */
  shortDate: (moment: string) => string
  /** Relative up to a week. */
  age: (moment: string) => string
  bytes: (size: number) => string
}

/** Dates are days in UTC, because the page is the same for every visitor. */
export function createFormats(language: Language, now: number): Formats {
  const number = new Intl.NumberFormat(language)
  const compact = new Intl.NumberFormat(language, { notation: 'compact' })
  const timeZone = 'UTC'
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone })
  const dayOfYear = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const thisYear = new Date(now).getUTCFullYear()
  const shortDate = (moment: string) => {
    const time = new Date(moment)
    return (time.getUTCFullYear() === thisYear ? day : dayOfYear).format(time)
  }
  return {
    number: (value) => number.format(value),
    short: (value) => (value < 10_000 ? number : compact).format(value),
    date: (moment) => date.format(new Date(moment)),
    shortDate,
    age(moment) {
      const ms = now - Date.parse(moment)
      if (ms >= 7 * DAY_MS || ms < 0) return shortDate(moment)
      const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? UNITS[2]
      return relative.format(-Math.floor(ms / length), unit)
    },
    bytes: (size) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit: size < 1_000_000 ? 'kilobyte' : 'megabyte',
        maximumFractionDigits: size < 1_000_000 ? 0 : 1,
      }).format(Math.max(1, size / (size < 1_000_000 ? 1_000 : 1_000_000))),
  }
}
