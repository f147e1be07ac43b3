import { Rejected } from '../../files/batch'
import { type FileBatch, rowsOf } from '../../files/rows'
import type { Importing, Relations, Slice } from './bulk'
import { readsFiles } from './columns'
import type { Mapping } from './kind'
import { Refused } from './kind'
import { mapper } from './mapper'

/** Characters that one row of a file may have. */
export const MAX_ROW = 262_144

// A slice is one value of each of its statements, of which one may have 2 MB.
const MAX_SLICE_ROWS = 1_000
const MAX_SLICE_BYTES = 1_000_000
// What of a rejected row is kept to be corrected and sent again.
const MAX_CELLS = 20_000
const MAX_REASON = 500

const encoder = new TextEncoder()

/** A row of a file as it was read, with its number. */
export type Read = readonly [row: number, cells: unknown]

export function* readsOf({ first, rows }: FileBatch): Generator<Read> {
  for (const [index, cells] of rows.entries()) yield [first + index, cells]
}

interface Slicing {
  mapping: Mapping
  onConflict: string
  /** Rows up to it were written before. */
  from?: number
}

/** Cuts rows into slices. It must be given those of a run from the first on, to know which records they name. */
class Slicer<Row> {
  /** How the file of its rows is read. */
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
    // Only what is merged with what there is may turn out to be too much.
    this.#withCells = onConflict === 'update'
    this.#relations = importing.relations?.()
    this.#from = from
    this.#to = from
  }

  /** Whether it must have seen all rows before it is given the first. */
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
    // A copy: a piece of a text keeps all of that in memory.
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

/** The cells of a row as JSON, those of a long row cut. Of a row that could not be read there are none. */
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

/** Cuts the rows of a kind, once that is ready to read them. */
export async function slicerOf<Row>(importing: Importing<Row>, options: Slicing): Promise<Slicer<Row>> {
  await importing.ready?.()
  return new Slicer(importing, options)
}

/** The slices of rows that are all there. */
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

/** Those of a file that waits in R2, as it is read: twice, where its rows must all be seen before the first. */
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
