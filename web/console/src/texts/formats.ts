import { language } from './texts'

const DAY_MS = 86_400_000
const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const numbers = new Intl.NumberFormat(language)
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const lists = new Intl.ListFormat(language)
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

export const formatNumber = (value: number): string => numbers.format(value)
export const formatList = (parts: readonly string[]): string => lists.format(parts)
export const formatPercent = (share: number): string => percents.format(share)

/** The day in UTC, which is the same for readers everywhere, like the days of versions, items and KPIs. */
export const formatDay = (moment: number | string): string => days.format(new Date(moment))

/** With the time of the reader's zone. */
export const formatMoment = (moment: string): string => moments.format(new Date(moment))

const DAY_PATTERN = /^\d{4}-\d\d-\d\d(?:T00:00(?::00(?:\.0+)?)?Z)?$/

const MOMENT_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::[\d.]+)?Z$/

/** A day without a time, a moment with it, and any other text as it is. */
export function formatStored(text: string): string {
  if (DAY_PATTERN.test(text)) return formatDay(text)
  return MOMENT_PATTERN.test(text) ? formatMoment(text) : text
}

/** Relative up to a week. */
export function formatAge(moment: string, now = Date.now()): string {
  const ms = now - Date.parse(moment)
  if (ms >= 7 * DAY_MS) return formatDay(moment)
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? UNITS[2]
  return relative.format(-Math.max(0, Math.floor(ms / length)), unit)
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const BYTE_STEP = 1_000

/** In the largest unit that leaves a number of at least one. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(BYTE_STEP)))
  return new Intl.NumberFormat(language, {
    ...{ style: 'unit', unit: BYTE_UNITS[power] ?? 'byte', unitDisplay: 'short' },
    maximumFractionDigits: power ? 1 : 0,
  }).format(bytes / BYTE_STEP ** power)
}
