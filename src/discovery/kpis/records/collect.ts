import type { Batch, Rejected, RowParser } from '../../../files/batch'
import { FileProblem } from '../../../files/problem'
import { MAX_DECIMAL_TEXT, toHundredths } from '../../../text/decimals'
import { iso } from '../../../text/moments'
import { type DayReadings, parseDate, readDayOrders } from './dates'

/** Rows in one file: their insertion stays far below the 30 s of one D1 batch. */
export const MAX_ROWS = 200_000
/** How many of the invalid rows a message names. */
const NAMED_ROWS = 10

/** What a file holds. */
export interface Records {
  /** Hundredths and their milliseconds side by side, in the order of the file. */
  valid: { values: number[]; times: number[] }
  rejected: {
    count: number
    /** The first of them: "row 4: value "abc" is not a number". Rows count from 1, without the header and empty lines. */
    reasons: string[]
  }
  total: number
}

/** Why a file cannot be read at all: a sentence with the remedy. */
export interface Unreadable {
  problem: string
}

/** Takes a text piece by piece; nothing more once it is known that the file cannot be read. */
export interface RecordsReader {
  push(text: string): void
  end(): Records | Unreadable
}

type Collector = ReturnType<typeof collector>

/** Reads the rows of a text into records, each by `take`; `finish` takes the rows that `take` has kept back. */
export function recordsReader<T>(
  parser: RowParser<T>,
  now: number,
  take: (row: T | Rejected, into: Collector) => void,
  finish: (into: Collector) => void = () => {},
): RecordsReader {
  const into = collector(now)
  let unreadable: Unreadable | undefined
  const read = (batches: () => Batch<T>[]): void => {
    if (unreadable) return
    try {
      for (const { rows } of batches()) for (const row of rows) take(row, into)
      if (into.total() > MAX_ROWS) unreadable = tooMany
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
  row: number
  reason: string
}

/** Takes rows one by one. */
function collector(now: number) {
  const values: number[] = []
  const times: number[] = []
  const rejections: Rejection[] = []
  let rejectedCount = 0
  let total = 0
  // Files repeat a date row after row.
  let lastText = ''
  let lastTime: number | DayReadings | undefined
  /** Dates that read two ways: their places in `times`, where the day stands first, and how they read with the month first. */
  const ambiguous = { places: [] as number[], monthFirst: [] as number[], first: [] as (Rejection & DayReadings)[] }
  const evidence = { dayFirst: 0, monthFirst: 0 }

  const reject = (reason: string): void => {
    total++
    rejectedCount++
    if (rejections.length < NAMED_ROWS) rejections.push({ row: total, reason })
  }
  const timeOf = (date: unknown): number | DayReadings | undefined => {
    if (date === undefined || date === null || date === '') return now
    const text = typeof date === 'number' ? String(date) : date
    if (typeof text !== 'string') return undefined
    if (text === lastText) return lastTime
    const trimmed = text.trim()
    lastText = text
    lastTime = trimmed === '' ? now : (parseDate(trimmed) ?? settled(readDayOrders(trimmed)))
    return lastTime
  }
  /** A date that reads one way only says how the others of its column read, unless both orders give the same. */
  const settled = (readings: DayReadings | undefined): number | DayReadings | undefined => {
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
    if (hundredths === undefined) reject(valueProblem(value))
    else if (time === undefined) reject(`createdAt ${shown(date)} is not a date between 1900 and 9999`)
    else {
      total++
      values.push(hundredths)
      if (typeof time === 'number') return void times.push(time)
      const { dayFirst = 0, monthFirst = 0 } = time
      ambiguous.places.push(times.push(dayFirst) - 1)
      ambiguous.monthFirst.push(monthFirst)
      if (ambiguous.first.length < NAMED_ROWS) ambiguous.first.push({ row: total, reason: shown(date), ...time })
    }
  }
  const records = (): Records => {
    const { places, monthFirst, first } = ambiguous
    const isMonthFirst = evidence.monthFirst > 0 && evidence.dayFirst === 0
    const isDayFirst = evidence.dayFirst > 0 && evidence.monthFirst === 0
    if (isMonthFirst) {
      for (const [n, place] of places.entries()) times[place] = monthFirst[n] as number
    }
    if (isMonthFirst || isDayFirst || !places.length) {
      const reasons = rejections.map(({ row, reason }) => `row ${row}: ${reason}`)
      return { valid: { values, times }, rejected: { count: rejectedCount, reasons }, total }
    }
    const without = new Set(places)
    const kept = (_: number, place: number) => !without.has(place)
    const contradicts = evidence.dayFirst > 0
    const all = [...rejections, ...first.map((one) => ({ row: one.row, reason: ambiguityOf(one, contradicts) }))]
    const named = all.toSorted((one, other) => one.row - other.row).slice(0, NAMED_ROWS)
    return {
      valid: { values: values.filter(kept), times: times.filter(kept) },
      rejected: {
        count: rejectedCount + places.length,
        reasons: named.map(({ row, reason }) => `row ${row}: ${reason}`),
      },
      total,
    }
  }
  return { add, reject, records, total: () => total }
}

/** What to write in the place of a date that reads two ways. */
function ambiguityOf({ reason, dayFirst = 0, monthFirst = 0 }: Rejection & DayReadings, contradicts: boolean): string {
  const day = (at: number) => iso(at).slice(0, 10)
  const others = contradicts ? 'the other rows use both orders' : 'no other row tells which'
  return `createdAt ${reason} reads day first and month first, and ${others}: write ${day(dayFirst)} or ${day(monthFirst)}`
}

const NUMERIC = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

function valueProblem(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : value
  if (text === undefined || text === null || text === '') return 'value is missing'
  if (typeof text === 'string' && text.length > MAX_DECIMAL_TEXT) {
    return `value ${shown(value)} is longer than ${MAX_DECIMAL_TEXT} characters`
  }
  const numeric = typeof text === 'number' || (typeof text === 'string' && NUMERIC.test(text))
  return numeric ? `value ${shown(value)} is out of range` : `value ${shown(value)} is not a number`
}

/** A value as a message quotes it: one line, 40 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
  const line = text
    .slice(0, 40)
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
  return `"${line}${text.length > 40 ? '…' : ''}"`
}

const tooMany = {
  problem: `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Split it and send the parts one after the other.`,
}
