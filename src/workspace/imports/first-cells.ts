import { abbreviate, type MappedColumn } from './kind'

const MAX_SEEN_ROWS = 50

/** The first value of each column, by which people know a column again. */
export class FirstCells {
  readonly #columns: readonly string[]
  readonly #found: (string | undefined)[] = []
  #rows = 0

  constructor(columns: readonly MappedColumn[]) {
    this.#columns = columns.map(({ column }) => column)
  }

  /** The cells of a row: a list in the order of the columns, or an object. */
  see(cells: unknown): void {
    if (this.#rows++ >= MAX_SEEN_ROWS || typeof cells !== 'object' || cells === null) return
    for (const [n, column] of this.#columns.entries()) {
      if (this.#found[n] !== undefined) continue
      const cell = Array.isArray(cells) ? cells[n] : Object.hasOwn(cells, column) ? cells[column as never] : undefined
      const text =
        typeof cell === 'string' ? cell.trim() : cell === undefined || cell === null ? '' : JSON.stringify(cell)
      if (text !== '') this.#found[n] = abbreviate(text)
    }
  }

  list(): (string | null)[] {
    return this.#columns.map((_, n) => this.#found[n] ?? null)
  }
}
