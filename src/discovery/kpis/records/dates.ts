import { parseIsoMoment } from '../../../text/moments'

const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(10_000, 0, 1) - 1

const ifInRange = (at: number | undefined) => (at !== undefined && at >= EARLIEST && at <= LATEST ? at : undefined)

/** ISO 8601, or Unix time with 10 digits (seconds) or 12 or 13 digits (milliseconds). Ambiguous dates are undefined. */
export function parseDate(text: string): number | undefined {
  return ifInRange(parseIsoMoment(text) ?? parseUnixTime(text))
}

function parseUnixTime(text: string): number | undefined {
  if (!/^\d{10}(?:\d{2,3})?$/.test(text)) return undefined
  return text.length === 10 ? Number(text) * 1000 : Number(text)
}

/** Readings in milliseconds, for a date with the year at the end. */
export interface DayReadings {
  dayFirst: number | undefined
  monthFirst: number | undefined
}

const MAX_DATE = 40
const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[T ](\d{1,2}:.+))?$/
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?:[T ](\d{1,2}:.+))?$/

/** Dots mean day first. */
export function readDayOrders(text: string): DayReadings | undefined {
  if (text.length > MAX_DATE) return undefined
  const [, year, yearMonth, yearDay, yearTime] = YEAR_FIRST.exec(text) ?? []
  if (year && yearMonth && yearDay) {
    const at = toMoment(year, yearMonth, yearDay, yearTime)
    return at === undefined ? undefined : { dayFirst: at, monthFirst: at }
  }
  const [, first, separator, second, lastYear, time] = YEAR_LAST.exec(text) ?? []
  if (!first || !second || !lastYear) return undefined
  const dayFirst = toMoment(lastYear, second, first, time)
  const monthFirst = separator === '.' ? undefined : toMoment(lastYear, first, second, time)
  return dayFirst === undefined && monthFirst === undefined ? undefined : { dayFirst, monthFirst }
}

function toMoment(year: string, month: string, day: string, time: string | undefined): number | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return ifInRange(parseIsoMoment(time === undefined ? date : `${date}T${time[1] === ':' ? '0' : ''}${time}`))
}

/** A Unix time looks like any number. */
export const isDate = (text: string) => parseIsoMoment(text) !== undefined || readDayOrders(text) !== undefined
