import { parseIsoMoment } from '../../../text/moments'

const EARLIEST_RECORD_TIME_MS = Date.UTC(1900, 0, 1)
const LATEST_RECORD_TIME_MS = Date.UTC(10_000, 0, 1) - 1

const timeIfInRange = (at: number | undefined) =>
  at !== undefined && at >= EARLIEST_RECORD_TIME_MS && at <= LATEST_RECORD_TIME_MS ? at : undefined

/** ISO 8601, or Unix time with 10 digits (seconds) or 12 or 13 digits (milliseconds). Ambiguous dates are undefined. */
export function parseRecordDate(text: string): number | undefined {
  return timeIfInRange(parseIsoMoment(text) ?? parseUnixTime(text))
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

const MAX_DATE_LENGTH = 40
const YEAR_LAST_DATE_PATTERN = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[T ](\d{1,2}:.+))?$/
const YEAR_FIRST_DATE_PATTERN = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?:[T ](\d{1,2}:.+))?$/

/** Dots mean day first. */
export function readDayOrders(text: string): DayReadings | undefined {
  if (text.length > MAX_DATE_LENGTH) return undefined
  const [, year, yearMonth, yearDay, yearTime] = YEAR_FIRST_DATE_PATTERN.exec(text) ?? []
  if (year && yearMonth && yearDay) {
    const at = toRecordTime(year, yearMonth, yearDay, yearTime)
    return at === undefined ? undefined : { dayFirst: at, monthFirst: at }
  }
  const [, first, separator, second, lastYear, time] = YEAR_LAST_DATE_PATTERN.exec(text) ?? []
  if (!first || !second || !lastYear) return undefined
  const dayFirst = toRecordTime(lastYear, second, first, time)
  const monthFirst = separator === '.' ? undefined : toRecordTime(lastYear, first, second, time)
  return dayFirst === undefined && monthFirst === undefined ? undefined : { dayFirst, monthFirst }
}

function toRecordTime(year: string, month: string, day: string, time: string | undefined): number | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return timeIfInRange(parseIsoMoment(time === undefined ? date : `${date}T${time[1] === ':' ? '0' : ''}${time}`))
}

/** A Unix time looks like any number. */
export const isDateText = (text: string) => parseIsoMoment(text) !== undefined || readDayOrders(text) !== undefined
