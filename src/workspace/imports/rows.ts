import { Rejected } from '../../files/batch'
import { type FileBatch, rowsOf } from '../../files/rows'
import type { Importing, Relations, Slice } from './bulk'
import { readsFiles } from './columns'
import type { Mapping } from './kind'
import { Refused } from './kind'
import { mapper } from './mapper'

export const MAX_ROW = 262_144

// A slice is a bound value of each statement, and D1 limits a value to 2 MB.
const MAX_SLICE_ROWS = 1_000
const MAX_SLICE_BYTES = 1_000_000
// Characters of a rejected row's cells, kept for correcting and sending again.
const MAX_CELLS = 20_000
const MAX_REASON = 500

const encoder = new TextEncoder()

export type Read = readonly [row: number, cells: unknown]

export function* readsOf({ first, rows }: FileBatch): Generator<Read> {
  for (const [index, cells] of rows.entries()) yield [first + index, cells]
}

interface Slicing {
  mapping: Mapping
  onConflict: string
  /** Rows up to this number are already written. */
  from?: number
}

/**
 * Cuts rows into slices. A resumed run must also start with the first row, because earlier rows identify duplicates.
 */
class Slicer<Row> {
  readonly reads: ReturnType<typeof readsFiles>
  readonly #importing: Importing<Row>
  readonly #read: (cells: unknown) => Row | Refused
  readonly #withCells: boolean
  readonly #relations: Relations<Row> | undefined
  readonly #seen = new Set<string>()
  #rows: string[] = []
  #rejected: string[] = []
  #bytes = 0
  #from: number
  #to: number

  constructor(importing: Importing<Row>, { mapping, onConflict, from = 0 }: Slicing) {
    this.reads = readsFiles(importing.kind)
    this.#importing = importing
    this.#read = mapper(importing.kind, mapping)
    // Only a merge with a stored record can exceed a limit in the database, and a rejection there needs the cells.
    this.#withCells = onConflict === 'update'
    this.#relations = importing.relations?.()
    this.#from = from
    this.#to = from
  }

  /** Every row must be seen before the first `add`. */
  get sees(): boolean {
    return this.#relations !== undefined
  }

  see([row, cells]: Read): void {
    const read = cells instanceof Rejected ? undefined : this.#read(cells)
    if (read !== undefined && !(read instanceof Refused)) this.#relations?.see(row, read)
  }

  add([row, cells]: Read): void {
    const own = cells instanceof Rejected ? new Refused(null, cells.reason) : this.#read(cells)
    const read = own instanceof Refused ? own : (this.#relations?.of(row, own) ?? own)
    if (read instanceof Refused) {
      if (row > this.#to)
        this.#take(this.#rejected, row, [read.field, read.value, shortened(read.reason), cellsOf(cells)])
      return
    }
    // The text is a copy, because a substring keeps the whole source text in memory.
    const identity = this.#importing.identity(read)
    const copy = identity === undefined ? undefined : JSON.stringify(identity)
    const known = copy !== undefined && this.#seen.has(copy)
    if (copy !== undefined) this.#seen.add(copy)
    if (row <= this.#to) return
    if (known) this.#to = row
    else this.#take(this.#rows, row, [this.#withCells ? cellsOf(cells) : null, ...this.#importing.stored(read)])
  }

  get full(): boolean {
    return this.#to - this.#from >= MAX_SLICE_ROWS || this.#bytes >= MAX_SLICE_BYTES
  }

  get empty(): boolean {
    return this.#to === this.#from
  }

  take(): Slice {
    const slice = {
      from: this.#from,
      to: this.#to,
      rows: `[${this.#rows.join()}]`,
      rejected: `[${this.#rejected.join()}]`,
    }
    this.#rows = []
    this.#rejected = []
    this.#bytes = 0
    this.#from = this.#to
    return slice
  }

  #take(into: string[], row: number, values: unknown[]): void {
    const text = JSON.stringify([row, ...values])
    into.push(text)
    this.#bytes += encoder.encode(text).length
    this.#to = row
  }
}

const shortened = (text: string) => (text.length > MAX_REASON ? `${text.slice(0, MAX_REASON).toWellFormed()}…` : text)

/** JSON of a row's cells, with the cells of a long row cut; null for an unreadable row. */
function cellsOf(cells: unknown): string | null {
  if (cells instanceof Rejected || cells === null || typeof cells !== 'object') return null
  const whole = JSON.stringify(cells)
  if (whole.length <= MAX_CELLS) return whole
  const entries = Object.entries(cells)
  const share = Math.max(20, Math.floor(MAX_CELLS / 2 / entries.length))
  const cut = entries.map(([name, cell]) => {
    const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
    return [
      name.slice(0, 100).toWellFormed(),
      text.length > share ? `${text.slice(0, share).toWellFormed()}…` : text,
    ] as const
  })
  return JSON.stringify(Array.isArray(cells) ? cut.map(([, text]) => text) : Object.fromEntries(cut.slice(0, 300)))
}

export async function slicerOf<Row>(importing: Importing<Row>, options: Slicing): Promise<Slicer<Row>> {
  await importing.ready?.()
  return new Slicer(importing, options)
}

export function slicesOf<Row>(slicer: Slicer<Row>, rows: readonly Read[]): Slice[] {
  const slices: Slice[] = []
  if (slicer.sees) for (const row of rows) slicer.see(row)
  for (const row of rows) {
    slicer.add(row)
    if (slicer.full) slices.push(slicer.take())
  }
  if (!slicer.empty) slices.push(slicer.take())
  return slices
}

/** Cuts a file in R2 while reading. The file is read twice if the slicer must see every row first. */
export async function* slicesOfFile<Row>(
  slicer: Slicer<Row>,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  { name, type }: { name: string; type: string },
): AsyncGenerator<Slice> {
  const options = { name, type, maxRow: MAX_ROW, ...slicer.reads }
  if (slicer.sees) {
    for await (const batch of rowsOf(await open(), options)) for (const row of readsOf(batch)) slicer.see(row)
  }
  for await (const batch of rowsOf(await open(), options)) {
    for (const row of readsOf(batch)) {
      slicer.add(row)
      if (slicer.full) yield slicer.take()
    }
  }
  if (!slicer.empty) yield slicer.take()
}
