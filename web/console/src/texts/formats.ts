import { language } from './texts'

const DAY_MS = 86_400_000
const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const numbers = new Intl.NumberFormat(language)
const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const lists = new Intl.ListFormat(language)
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

export const formatNumber = (value: number): string => numbers.format(value)
export const formatList = (parts: readonly string[]): string => lists.format(parts)
export const formatPercent = (share: number): string => percents.format(share)
export const formatDate = (moment: string): string => dates.format(new Date(moment))
export const formatMoment = (moment: string): string => moments.format(new Date(moment))

/** Relative up to a week. */
export function formatAge(moment: string, now = Date.now()): string {
  const ms = now - Date.parse(moment)
  if (ms >= 7 * DAY_MS) return dates.format(new Date(moment))
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
