import { RejectedRow } from '../../files/batch'
import { type FileRowBatch, readFileRows } from '../../files/rows'
import type { ImportDefinition, ImportRowRelations, ImportSlice } from './bulk'
import { fileOptionsOfKind } from './columns'
import type { ImportMapping } from './kind'
import { ImportRowRejection } from './kind'
import { createRowReader, type ReadImportRow } from './mapper'
import { type CountedWarning, WarningCounter } from './warnings'

// A slice is a bound value of each statement, and D1 limits a value to 2 MB.
const MAX_SLICE_ROWS = 1_000
// A dry run only reads, and evaluates a file of 500,000 rows within a request, which queries D1 at most 1,000 times.
const MAX_EVALUATED_SLICE_ROWS = 3_000
const MAX_SLICE_BYTES = 1_000_000
const MAX_BOUND_ROW_BYTES = 1_900_000
// Characters of a rejected row's cells, kept for correcting and sending again.
const MAX_CELLS_JSON_LENGTH = 20_000
const MAX_REASON_LENGTH = 500
const ROW_TOO_LARGE_REASON = 'The row has more than 1.9 MB. Shorten the texts of the row, or leave out a list.'

const textEncoder = new TextEncoder()

export type NumberedRow = readonly [row: number, cells: unknown]

export function* numberImportRows({ firstRow, rows }: FileRowBatch): Generator<NumberedRow> {
  for (const [index, cells] of rows.entries()) yield [firstRow + index, cells]
}

interface RowSlicerOptions {
  mapping: ImportMapping
  onConflict: string
  /** Rows up to this number are already written. */
  from?: number
  isDryRun?: boolean
  /** Sees the cells of each row. */
  see?: (cells: unknown) => void
}

/** A resumed run must also start with the first row, because earlier rows identify duplicates. */
class RowSlicer<Row> {
  readonly fileOptions: ReturnType<typeof fileOptionsOfKind>
  readonly #importing: ImportDefinition<Row>
  readonly #read: (cells: unknown) => ReadImportRow<Row> | ImportRowRejection
  readonly #withCells: boolean
  readonly #relations: ImportRowRelations<Row> | undefined
  readonly #seen = new Set<string>()
  readonly #warnings: WarningCounter
  readonly #maxRows: number
  readonly #see: RowSlicerOptions['see']
  #fullSlices: ImportSlice[] = []
  #rows: string[] = []
  #rejected: string[] = []
  #suppressions: string[] = []
  readonly #suppressed = new Set<string>()
  #bytes = 0
  #from: number
  #to: number

  constructor(
    importing: ImportDefinition<Row>,
    { mapping, onConflict, from = 0, isDryRun = false, see }: RowSlicerOptions,
  ) {
    this.fileOptions = fileOptionsOfKind(importing.kind)
    this.#importing = importing
    this.#read = createRowReader(importing.kind, mapping)
    this.#warnings = new WarningCounter(mapping.createMissing)
    // Only a merge with a stored record can exceed a limit in the database, and a rejection there needs the cells.
    this.#withCells = onConflict === 'update'
    this.#relations = importing.relations?.()
    this.#maxRows = isDryRun ? MAX_EVALUATED_SLICE_ROWS : MAX_SLICE_ROWS
    this.#see = see
    this.#from = from
    this.#to = from
  }

  /** Every row must be seen before the first `add`. */
  get readsTwice(): boolean {
    return this.#relations !== undefined
  }

  collect([row, cells]: NumberedRow): void {
    const read = cells instanceof RejectedRow ? undefined : this.#read(cells)
    if (read !== undefined && !(read instanceof ImportRowRejection)) this.#relations?.collect(row, read.row)
  }

  add([row, cells]: NumberedRow): void {
    this.#see?.(cells)
    const own = cells instanceof RejectedRow ? new ImportRowRejection(null, cells.message) : this.#read(cells)
    const read = own instanceof ImportRowRejection ? own : this.#relate(row, own)
    if (read instanceof ImportRowRejection) {
      if (row > this.#to)
        this.#take(this.#rejected, row, [
          read.field,
          read.value,
          shortenRejectionReason(read.reason),
          serializeRowCells(cells),
        ])
      return
    }
    // The texts are copies, because a substring keeps the whole source text in memory.
    const identities = [this.#importing.identityOf(read.row) ?? []].flat().map((identity) => JSON.stringify(identity))
    const known = identities.some((identity) => this.#seen.has(identity))
    for (const identity of identities) this.#seen.add(identity)
    const isNew = row > this.#to
    if (known) {
      const problem = this.#importing.describeDuplicate?.(read.row)
      if (problem) read.warnings.add(problem)
      this.#bytes += this.#warnings.count(row, problem ? read.warnings.list.slice(-1) : [], isNew)
      this.#suppress(read.row, isNew)
      this.#to = Math.max(this.#to, row)
      return
    }
    const text = isNew ? JSON.stringify(this.#listValues([row, cells], read.row)) : ''
    const bytes = textEncoder.encode(text).length
    // A slice ends before the warnings of the next row are counted, so that a resumed run counts the warnings again.
    if (isNew && this.#bytes + bytes > MAX_SLICE_BYTES && !this.#isEmpty) this.#fullSlices.push(this.#endSlice())
    this.#bytes += this.#warnings.count(row, read.warnings.list, isNew)
    this.#suppress(read.row, isNew)
    if (!isNew) return
    if (bytes > MAX_BOUND_ROW_BYTES) {
      this.#take(this.#rejected, row, [null, null, ROW_TOO_LARGE_REASON, serializeRowCells(cells)])
      return
    }
    this.#rows.push(text)
    this.#bytes += bytes
    this.#to = row
  }

  #suppress(read: Row, isNew: boolean): void {
    for (const suppression of this.#importing.suppressionsOf?.(read) ?? []) {
      const [address, source, id, , segment] = suppression
      const identity = JSON.stringify([address, source, id, segment])
      if (this.#suppressed.has(identity)) continue
      this.#suppressed.add(identity)
      if (!isNew) continue
      const text = JSON.stringify(suppression)
      this.#suppressions.push(text)
      this.#bytes += textEncoder.encode(text).length
    }
  }

  #listValues([row, cells]: NumberedRow, read: Row): unknown[] {
    return [row, this.#withCells ? serializeRowCells(cells) : null, ...this.#importing.storedValues(read)]
  }

  get #isEmpty(): boolean {
    return this.#to === this.#from
  }

  takeFullSlices(): ImportSlice[] {
    const full = this.#fullSlices
    this.#fullSlices = []
    return this.#to - this.#from >= this.#maxRows || this.#bytes >= MAX_SLICE_BYTES ? [...full, this.#endSlice()] : full
  }

  takeLastSlices(): ImportSlice[] {
    return this.#isEmpty ? [] : [this.#endSlice()]
  }

  #endSlice(): ImportSlice {
    const slice = {
      from: this.#from,
      to: this.#to,
      rows: `[${this.#rows.join()}]`,
      rejected: `[${this.#rejected.join()}]`,
      warnings: this.#warnings.takeSlice(),
      suppressions: `[${this.#suppressions.join()}]`,
    }
    this.#rows = []
    this.#rejected = []
    this.#suppressions = []
    this.#bytes = 0
    this.#from = this.#to
    return slice
  }

  listLookups(): string {
    return this.#warnings.listLookups()
  }

  /** `found`: numbers of the lookups that find a record. */
  listWarnings(limit: number, found: ReadonlySet<number>): CountedWarning[] {
    return this.#warnings.list(limit, found)
  }

  #relate(number: number, { row, warnings }: ReadImportRow<Row>): ReadImportRow<Row> | ImportRowRejection {
    const related = this.#relations?.relate(number, row, (problem) => warnings.add(problem)) ?? row
    return related instanceof ImportRowRejection ? related : { row: related, warnings }
  }

  #take(into: string[], row: number, values: unknown[]): void {
    const text = JSON.stringify([row, ...values])
    into.push(text)
    this.#bytes += textEncoder.encode(text).length
    this.#to = row
  }
}

const shortenRejectionReason = (text: string) =>
  text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH).toWellFormed()}…` : text

function serializeRowCells(cells: unknown): string | null {
  if (cells instanceof RejectedRow || cells === null || typeof cells !== 'object') return null
  const whole = JSON.stringify(cells)
  if (whole.length <= MAX_CELLS_JSON_LENGTH) return whole
  const entries = Object.entries(cells)
  const share = Math.max(20, Math.floor(MAX_CELLS_JSON_LENGTH / 2 / entries.length))
  const cut = entries.map(([name, cell]) => {
    const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
    return [
      name.slice(0, 100).toWellFormed(),
      text.length > share ? `${text.slice(0, share).toWellFormed()}…` : text,
    ] as const
  })
  return JSON.stringify(Array.isArray(cells) ? cut.map(([, text]) => text) : Object.fromEntries(cut.slice(0, 300)))
}

export async function createRowSlicer<Row>(
  importing: ImportDefinition<Row>,
  options: RowSlicerOptions,
): Promise<RowSlicer<Row>> {
  await importing.prepare?.()
  return new RowSlicer(importing, options)
}

export function cutRowsIntoSlices<Row>(slicer: RowSlicer<Row>, rows: readonly NumberedRow[]): ImportSlice[] {
  const slices: ImportSlice[] = []
  if (slicer.readsTwice) for (const row of rows) slicer.collect(row)
  for (const row of rows) {
    slicer.add(row)
    slices.push(...slicer.takeFullSlices())
  }
  slices.push(...slicer.takeLastSlices())
  return slices
}

export async function* cutFileIntoSlices<Row>(
  slicer: RowSlicer<Row>,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  { name, type }: { name: string; type: string },
): AsyncGenerator<ImportSlice> {
  const options = { name, type, ...slicer.fileOptions }
  if (slicer.readsTwice) {
    for await (const batch of readFileRows(await open(), options))
      for (const row of numberImportRows(batch)) slicer.collect(row)
  }
  for await (const batch of readFileRows(await open(), options)) {
    for (const row of numberImportRows(batch)) {
      slicer.add(row)
      yield* slicer.takeFullSlices()
    }
  }
  yield* slicer.takeLastSlices()
}
