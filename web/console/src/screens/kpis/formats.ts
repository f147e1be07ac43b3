import { formatDay } from '../../texts/formats'
import { language } from '../../texts/texts'
import type { Interval } from './place'

const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
const signed = new Intl.NumberFormat(language, { maximumFractionDigits: 2, signDisplay: 'exceptZero' })
const inUtc = { timeZone: 'UTC' } as const
const ticks = new Intl.DateTimeFormat(language, { ...inUtc, month: 'short', day: 'numeric' })
const monthTicks = new Intl.DateTimeFormat(language, { ...inUtc, month: 'short', year: '2-digit' })
const months = new Intl.DateTimeFormat(language, { ...inUtc, month: 'long', year: 'numeric' })

const withUnit = (text: string, unit: string | null): string => (unit ? `${text} ${unit}` : text)

export const formatValue = (value: number | string, unit: string | null): string =>
  withUnit(numbers.format(Number(value)), unit)
export const formatChange = (value: number | string, unit: string | null): string =>
  withUnit(signed.format(Number(value)), unit)

export const formatInterval = (at: number, interval: Interval): string =>
  interval === 'month' ? months.format(new Date(at)) : formatDay(at)
/** Short, for an axis. */
export const formatTick = (at: number, interval: Interval): string =>
  (interval === 'month' ? monthTicks : ticks).format(new Date(at))
