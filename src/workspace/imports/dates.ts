import type { FileRowBatch } from '../../files/rows'
import { parseIsoMoment, toIso } from '../../text/moments'

/** Order of the day and the month in dates like `03/04/2026`. */
export type DayOrder = 'dmy' | 'mdy'

// No known format is longer, and a longer text costs time.
const MAX_DATE_LENGTH = 64

const ENGLISH_MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const WEEKDAY_PATTERN = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}[,.]? +/i
const YEAR_FIRST_PATTERN = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/.-])/
const NUMBERS_PATTERN = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)(?![\d/.-])/
const DAY_AND_NAME_PATTERN = /^(\d{1,2})[-/. ]{1,2}(\p{L}{3,12})[-/., ]{1,2}(\d{4}|\d\d)(?!\d)/u
const NAME_AND_DAY_PATTERN = /^(\p{L}{3,12})[-. ]{1,2}(\d{1,2})(?:st|nd|rd|th)?[-, ]{1,2}(\d{4})(?!\d)/iu
const TIME_PATTERN =
  /^[T, ]{1,2}(?:at )?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?([AP])\.?M\.?)?(?: ?(?:Z|UTC|GMT))?(?: ?([+-]\d\d):?(\d\d)?)?(?: \([^()]{1,40}\))?$/i

// A spreadsheet counts days from 1899-12-30. These serials lie in the years 1954 to 2119.
const SERIAL_PATTERN = /^\d{5}(?:\.\d{1,12})?$/
const [MIN_SERIAL, MAX_SERIAL, SERIAL_OF_1970] = [20_000, 80_000, 25_569]
const DAY_MS = 86_400_000

// Seconds since 1970 have ten digits in the years 2001 to 2286, and milliseconds thirteen.
const UNIX_TIME_PATTERN = /^[1-9]\d{9}(?:\d{3})?$/
const UNIX_SECONDS_LENGTH = 10

interface DateParts {
  year: string
  month: number
  day: number
  /** The text after the date. */
  rest: string
}

/** The timestamp of a cell in ISO 8601, `ambiguous` without an order of day and month, or undefined. The default zone is UTC. */
export function parseDateCell(text: string, order: DayOrder | null): string | 'ambiguous' | undefined {
  if (text.length > MAX_DATE_LENGTH) return undefined
  const at = parseIsoMoment(text)
  if (at !== undefined) return toIso(at)
  if (SERIAL_PATTERN.test(text)) return parseSerial(Number(text))
  if (UNIX_TIME_PATTERN.test(text)) return toIso(Number(text) * (text.length > UNIX_SECONDS_LENGTH ? 1 : 1000))
  const parts = splitDate(text.replace(WEEKDAY_PATTERN, ''), order)
  return parts === undefined || parts === 'ambiguous' ? parts : joinDate(parts)
}

function parseSerial(serial: number): string | undefined {
  if (serial < MIN_SERIAL || serial >= MAX_SERIAL) return undefined
  return toIso(Math.round(((serial - SERIAL_OF_1970) * DAY_MS) / 1000) * 1000)
}

function splitDate(text: string, order: DayOrder | null): DateParts | 'ambiguous' | undefined {
  const yearFirst = YEAR_FIRST_PATTERN.exec(text)
  if (yearFirst) {
    const [all, year = '', , month, day] = yearFirst
    return { year, month: Number(month), day: Number(day), rest: text.slice(all.length) }
  }
  const numbers = NUMBERS_PATTERN.exec(text)
  if (numbers) {
    const [all, first, separator, second, year = ''] = numbers
    const own = findDayOrder(Number(first), Number(second), separator === '.' ? 'dmy' : order)
    if (own === undefined) return 'ambiguous'
    const [day, month] = own === 'dmy' ? [Number(first), Number(second)] : [Number(second), Number(first)]
    return { year, month, day, rest: text.slice(all.length) }
  }
  const dayAndName = DAY_AND_NAME_PATTERN.exec(text)
  const [all, day, name = '', year = ''] = dayAndName ?? swapFirst(NAME_AND_DAY_PATTERN.exec(text)) ?? []
  const month = ENGLISH_MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
  return all === undefined || month === 0 ? undefined : { year, month, day: Number(day), rest: text.slice(all.length) }
}

const swapFirst = (match: RegExpExecArray | null) => match && [match[0], match[2], match[1], match[3]]

function findDayOrder(first: number, second: number, order: DayOrder | null): DayOrder | undefined {
  if (first > 12) return 'dmy'
  if (second > 12) return 'mdy'
  return first === second ? 'dmy' : (order ?? undefined)
}

function joinDate({ year, month, day, rest }: DateParts): string | undefined {
  const time = rest === '' ? '00:00:00Z' : readTimeOfDay(rest)
  if (time === undefined) return undefined
  const at = parseIsoMoment(`${year.length === 2 ? `20${year}` : year}-${padTwo(month)}-${padTwo(day)}T${time}`)
  return at === undefined ? undefined : toIso(at)
}

function readTimeOfDay(text: string): string | undefined {
  const match = TIME_PATTERN.exec(text)
  if (!match) return undefined
  const [, hour, minute, second = '00', fraction = '0', half, zoneHours = '+00', zoneMinutes = '00'] = match
  const hours = Number(hour)
  if (half && (hours < 1 || hours > 12)) return undefined
  const ofDay = half ? (hours % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : hours
  return `${padTwo(ofDay)}:${minute}:${second}.${fraction}${zoneHours}:${zoneMinutes}`
}

const padTwo = (number: number) => String(number).padStart(2, '0')

const MIN_NUMERIC_DATE_LENGTH = 6

const DAY_FIRST = 1
const MONTH_FIRST = 2
const EITHER = 4

/** What the cells of each column show about the order of day and month. */
export type DayOrderEvidence = ReadonlyMap<string, number>

function findEvidence(cell: unknown): number {
  if (typeof cell !== 'string' || cell.length < MIN_NUMERIC_DATE_LENGTH || cell.length > MAX_DATE_LENGTH) return 0
  const [, first, separator, second] = NUMBERS_PATTERN.exec(cell.trim()) ?? []
  if (first === undefined || separator === '.' || Math.min(Number(first), Number(second)) > 12) return 0
  if (Number(first) > 12) return DAY_FIRST
  return Number(second) > 12 ? MONTH_FIRST : first === second ? 0 : EITHER
}

export function createEvidenceCollector(maxColumns: number) {
  const byColumn = new Map<string, number>()
  const add = (column: string, cell: unknown) => {
    const found = findEvidence(cell)
    if (found && (byColumn.has(column) || byColumn.size < maxColumns))
      byColumn.set(column, (byColumn.get(column) ?? 0) | found)
  }
  return {
    take(batch: FileRowBatch): void {
      if (batch.kind === 'csv') {
        const header = batch.header.slice(0, maxColumns)
        for (const cells of batch.rows)
          for (const [index, column] of header.entries()) add(column, (cells as unknown[])[index])
        return
      }
      for (const row of batch.rows)
        if (row !== null && typeof row === 'object') for (const [key, cell] of Object.entries(row)) add(key, cell)
    },
    all: (): DayOrderEvidence => byColumn,
  }
}

/** A column's own cells decide, then the request, then the other columns of the file. `iso`: no date needs an order. */
export function decideDayOrder(
  evidence: DayOrderEvidence,
  column: string,
  requested: DayOrder | undefined,
): DayOrder | 'iso' | null {
  const own = evidence.get(column) ?? 0
  if (own === 0) return 'iso'
  return (
    orderOfEvidence(own) ??
    requested ??
    orderOfEvidence([...evidence.values()].reduce((all, one) => all | one, 0)) ??
    null
  )
}

function orderOfEvidence(found: number): DayOrder | undefined {
  const decided = found & (DAY_FIRST | MONTH_FIRST)
  return decided === DAY_FIRST ? 'dmy' : decided === MONTH_FIRST ? 'mdy' : undefined
}
