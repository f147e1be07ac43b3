import type { RejectedRow, RowBatch, RowParser } from '../../../files/batch'
import { FileProblem } from '../../../files/problem'
import { MAX_DECIMAL_TEXT_LENGTH, toHundredths } from '../../../text/decimals'
import { toIso } from '../../../text/moments'
import { type DayReadings, parseRecordDate, readDayOrders } from './dates'

/** Maximum rows of a file: an insert of all rows stays far below the 30 s of a D1 batch. */
export const MAX_KPI_RECORDS_PER_FILE = 200_000
const MAX_LISTED_REJECTIONS = 100

export interface FileRecords {
  /** Values in hundredths, and times in milliseconds at equal indexes, in the order of the file. */
  valid: { values: number[]; times: number[] }
  rejected: {
    count: number
    /** The first 100. */
    rows: Rejection[]
  }
  total: number
}

export interface UnreadableRecordsFile {
  problem: string
}

/** Ignores further text once the file is known to be unreadable. */
export interface RecordsReader {
  push(text: string): void
  end(): FileRecords | UnreadableRecordsFile
}

type RecordCollector = ReturnType<typeof createRecordCollector>

export function createRecordsReader<T>(
  parser: RowParser<T>,
  now: number,
  take: (row: T | RejectedRow, into: RecordCollector) => void,
  finish: (into: RecordCollector) => void = () => {},
): RecordsReader {
  const into = createRecordCollector(now)
  let unreadable: UnreadableRecordsFile | undefined
  const read = (batches: () => RowBatch<T>[]): void => {
    if (unreadable) return
    try {
      for (const { rows } of batches()) for (const row of rows) take(row, into)
      if (into.total() > MAX_KPI_RECORDS_PER_FILE) unreadable = TOO_MANY_ROWS_PROBLEM
    } catch (cause) {
      if (!(cause instanceof FileProblem)) throw cause
      unreadable = { problem: cause.message }
    }
  }
  return {
    push: (text) => read(() => parser.push(text)),
    end() {
      read(() => parser.end())
      if (unreadable) return unreadable
      finish(into)
      return into.records()
    },
  }
}

interface Rejection {
  /** Counts from 1, without the header and empty lines. */
  row: number
  /** Like `value "abc" is not a number`. */
  reason: string
}

function createRecordCollector(now: number) {
  const values: number[] = []
  const times: number[] = []
  const rejections: Rejection[] = []
  let rejectedCount = 0
  let total = 0
  // Remembers the last date, because files repeat a date row after row.
  let lastText = ''
  let lastTime: number | DayReadings | undefined
  /** Ambiguous dates: indexes into `times`, holding the day-first reading, and the month-first readings. */
  const ambiguous = {
    places: [] as number[],
    monthFirst: [] as number[],
    first: [] as (Rejection & DayReadings)[],
  }
  const evidence = { dayFirst: 0, monthFirst: 0 }

  const reject = (reason: string): void => {
    total++
    rejectedCount++
    if (rejections.length < MAX_LISTED_REJECTIONS) rejections.push({ row: total, reason })
  }
  const timeOf = (date: unknown): number | DayReadings | undefined => {
    if (date === undefined || date === null || date === '') return now
    const text = typeof date === 'number' ? String(date) : date
    if (typeof text !== 'string') return undefined
    if (text === lastText) return lastTime
    const trimmed = text.trim()
    lastText = text
    lastTime = trimmed === '' ? now : (parseRecordDate(trimmed) ?? resolveOrder(readDayOrders(trimmed)))
    return lastTime
  }
  /** A date with a single valid order is evidence for the order in the column, unless both orders agree. */
  const resolveOrder = (readings: DayReadings | undefined): number | DayReadings | undefined => {
    if (!readings) return undefined
    const { dayFirst, monthFirst } = readings
    if (dayFirst === monthFirst) return dayFirst
    if (dayFirst !== undefined && monthFirst !== undefined) return readings
    if (monthFirst === undefined) evidence.dayFirst++
    else evidence.monthFirst++
    return dayFirst ?? monthFirst
  }
  const add = (value: unknown, date: unknown): void => {
    const hundredths = typeof value === 'string' || typeof value === 'number' ? toHundredths(value) : undefined
    const time = timeOf(date)
    if (hundredths === undefined) reject(describeValueProblem(value))
    else if (time === undefined) reject(`createdAt ${quoteValue(date)} is not a date between 1900 and 9999`)
    else {
      total++
      values.push(hundredths)
      if (typeof time === 'number') return void times.push(time)
      const { dayFirst = 0, monthFirst = 0 } = time
      ambiguous.places.push(times.push(dayFirst) - 1)
      ambiguous.monthFirst.push(monthFirst)
      if (ambiguous.first.length < MAX_LISTED_REJECTIONS)
        ambiguous.first.push({ row: total, reason: quoteValue(date), ...time })
    }
  }
  const records = (): FileRecords => {
    const { places, monthFirst, first } = ambiguous
    const isMonthFirst = evidence.monthFirst > 0 && evidence.dayFirst === 0
    const isDayFirst = evidence.dayFirst > 0 && evidence.monthFirst === 0
    if (isMonthFirst) {
      for (const [n, place] of places.entries()) times[place] = monthFirst[n] as number
    }
    if (isMonthFirst || isDayFirst || !places.length) {
      return { valid: { values, times }, rejected: { count: rejectedCount, rows: rejections }, total }
    }
    const ambiguousPlaces = new Set(places)
    const kept = (_: number, place: number) => !ambiguousPlaces.has(place)
    const contradicts = evidence.dayFirst > 0
    const all = [...rejections, ...first.map((one) => ({ row: one.row, reason: describeAmbiguity(one, contradicts) }))]
    const rows = all.toSorted((one, other) => one.row - other.row).slice(0, MAX_LISTED_REJECTIONS)
    return {
      valid: { values: values.filter(kept), times: times.filter(kept) },
      rejected: { count: rejectedCount + places.length, rows },
      total,
    }
  }
  return { add, reject, records, total: () => total }
}

function describeAmbiguity(
  { reason, dayFirst = 0, monthFirst = 0 }: Rejection & DayReadings,
  contradicts: boolean,
): string {
  const day = (at: number) => toIso(at).slice(0, 10)
  const others = contradicts ? 'the other rows use both orders' : 'no other row decides'
  return `createdAt ${reason} can be day first or month first, and ${others}: write ${day(dayFirst)} or ${day(monthFirst)}`
}

const NUMBER_PATTERN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

function describeValueProblem(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : value
  if (text === undefined || text === null || text === '') return 'value is missing'
  if (typeof text === 'string' && text.length > MAX_DECIMAL_TEXT_LENGTH) {
    return `value ${quoteValue(value)} is longer than ${MAX_DECIMAL_TEXT_LENGTH} characters`
  }
  const numeric = typeof text === 'number' || (typeof text === 'string' && NUMBER_PATTERN.test(text))
  return numeric ? `value ${quoteValue(value)} is out of range` : `value ${quoteValue(value)} is not a number`
}

export function quoteValue(value: unknown): string {
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
  const line = text
    .slice(0, 40)
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
  return `"${line}${text.length > 40 ? '…' : ''}"`
}

const TOO_MANY_ROWS_PROBLEM = {
  problem: `The file has more than ${MAX_KPI_RECORDS_PER_FILE.toLocaleString('en-US')} rows. Split the file and send the parts one after another.`,
}
