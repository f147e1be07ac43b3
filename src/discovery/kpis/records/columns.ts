import { toHundredths } from '../../../text/decimals'
import { isDateText } from './dates'

/** In order of preference; case, spaces and underscores do not matter. */
const VALUE_COLUMN_NAMES = ['value', 'metric', 'amount']
const DATE_COLUMN_NAMES = ['createdat', 'date', 'timestamp', 'recordedat', 'entrydate']

const normalizeColumnName = (column: string) => column.toLowerCase().replace(/[\s_]+/g, '')

function rankOfColumnIn(names: readonly string[], column: string): number | undefined {
  if (column.length > 100) return undefined
  const index = names.indexOf(normalizeColumnName(column))
  return index < 0 ? undefined : index
}

export const ranksOfColumn = (column: string) => ({
  value: rankOfColumnIn(VALUE_COLUMN_NAMES, column),
  date: rankOfColumnIn(DATE_COLUMN_NAMES, column),
})

function findBestColumn(kind: 'value' | 'date', columns: readonly string[]): number | undefined {
  let best: { index: number; rank: number } | undefined
  columns.forEach((column, index) => {
    const rank = ranksOfColumn(column)[kind]
    if (rank !== undefined && (!best || rank < best.rank)) best = { index, rank }
  })
  return best?.index
}

const isNumberCell = (cell: unknown) =>
  (typeof cell === 'number' || typeof cell === 'string') && toHundredths(cell) !== undefined
const isEmptyCell = (cell: unknown) => cell === undefined || cell === null || (typeof cell === 'string' && !cell.trim())

const filledCellsOfColumn = (rows: readonly unknown[][], index: number) =>
  rows.map((row) => row[index]).filter((cell) => !isEmptyCell(cell))

/** A few wrong cells are wrong rows. A number is no column name. */
function columnHoldsNumbers(rows: readonly unknown[][], index: number, name: string): boolean {
  const cells = filledCellsOfColumn(rows, index)
  return !isNumberCell(name) && cells.filter(isNumberCell).length * 2 > cells.length
}

function columnHoldsDates(rows: readonly unknown[][], index: number): boolean {
  const cells = filledCellsOfColumn(rows, index)
  return cells.length > 0 && cells.every((cell) => typeof cell === 'string' && isDateText(cell.trim()))
}

export interface ChosenColumns {
  value: number | undefined
  date: number | undefined
  /** Columns of numbers, if several could hold the value. */
  candidates: string[]
}

/** By name, or else the only column of numbers and the only column of dates in the first rows. */
export function chooseColumns(names: readonly string[], rows: readonly unknown[][]): ChosenColumns {
  const places = names.map((_, index) => index)
  const dates = places.filter((index) => columnHoldsDates(rows, index))
  const date = findBestColumn('date', names) ?? (dates.length === 1 ? dates[0] : undefined)
  const byName = findBestColumn('value', names)
  if (byName !== undefined) return { value: byName, date: date === byName ? undefined : date, candidates: [] }
  const numbers = places.filter((index) => index !== date && columnHoldsNumbers(rows, index, names[index] ?? ''))
  const [only] = numbers
  if (numbers.length === 1) return { value: only, date, candidates: [] }
  return { value: undefined, date, candidates: numbers.map((index) => names[index] ?? '') }
}
