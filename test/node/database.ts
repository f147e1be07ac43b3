// D1 on Node: an SQLite database in memory, with the statements' texts, the answers and the errors of D1. Each statement
// stays prepared, which makes a batch several times cheaper than in the Workers runtime.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'

/** What D1 allows. `test/db/limits.test.ts` compares the limits with those of the runtime. */
const LIMITS = {
  length: 2_000_000,
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  functionArg: 127,
  likePatternLength: 50,
  variableNumber: 100,
  triggerDepth: 10,
  attach: 0,
}

const PAGE_BYTES = 4096
const ERROR_NAMES = new Map([
  [1, 'SQLITE_ERROR'],
  [13, 'SQLITE_FULL'],
  [18, 'SQLITE_TOOBIG'],
  [19, 'SQLITE_CONSTRAINT'],
])

interface SqliteError extends Error {
  errcode: number
}

const isSqliteError = (cause: unknown): cause is SqliteError =>
  cause instanceof Error && typeof Reflect.get(cause, 'errcode') === 'number'

function toD1Error(cause: unknown): unknown {
  if (!isSqliteError(cause)) return cause
  const name = ERROR_NAMES.get(cause.errcode & 0xff) ?? `SQLITE_${cause.errcode & 0xff}`
  const detail = `${cause.message}: ${name}`
  return new Error(`D1_ERROR: ${detail}`, { cause: new Error(detail) })
}

type Bound = string | number | null | Uint8Array
type Row = Record<string, unknown>

function toBound(value: unknown): Bound {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value)) return Uint8Array.from(value)
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`)
}

function toRow(row: Row): Row {
  const plain: Row = {}
  for (const name in row) plain[name] = row[name] instanceof Uint8Array ? Array.from(row[name]) : row[name]
  return plain
}

const WRONG_COUNT = 'D1_ERROR: Wrong number of parameter bindings for SQL query.'
const parameterCounts = new Map<string, number>()

/** The highest number of a parameter, or the number of `?`. Texts in quotes hold no parameter. */
function countParameters(text: string): number {
  let count = parameterCounts.get(text)
  if (count === undefined) {
    const parameters = Array.from(text.matchAll(/'[^']*'|"[^"]*"|\?(\d*)/g)).filter(
      ([, number]) => number !== undefined,
    )
    count = Math.max(0, ...parameters.map(([, number], n) => Number(number) || n + 1))
    parameterCounts.set(text, count)
  }
  return count
}

class PreparedStatement implements D1PreparedStatement {
  readonly database: NodeDatabase
  readonly text: string
  readonly values: readonly Bound[]

  constructor(database: NodeDatabase, text: string, values: readonly Bound[] = []) {
    this.database = database
    this.text = text
    this.values = values
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new PreparedStatement(this.database, this.text, values.map(toBound))
  }

  async all<T = Row>(): Promise<D1Result<T>> {
    const [result] = await this.database.batch<T>([this])
    if (!result) throw new Error('A batch of one statement has one result')
    return result
  }

  run<T = Row>(): Promise<D1Result<T>> {
    return this.all<T>()
  }

  async first<T = unknown>(column?: string): Promise<T | null> {
    const [row] = (await this.all()).results
    if (!row) return null
    return (column === undefined ? row : row[column]) as T
  }

  raw<T = unknown[]>(options: { columnNames: true }): Promise<[string[], ...T[]]>
  raw<T = unknown[]>(options?: { columnNames?: false }): Promise<T[]>
  async raw<T = unknown[]>(options?: { columnNames?: boolean }): Promise<T[] | [string[], ...T[]]> {
    const { results } = await this.all()
    const rows = results.map((row) => Object.values(row) as T)
    return options?.columnNames ? [Object.keys(results[0] ?? {}), ...rows] : rows
  }
}

export class NodeDatabase implements D1Database {
  #sqlite = new DatabaseSync(':memory:', { limits: LIMITS })
  #prepared = new Map<string, StatementSync>()
  #batches = 0

  /** Replaces all tables. @param image A serialized database; absent: no table. */
  load(image?: Uint8Array): void {
    this.#sqlite.close()
    this.#sqlite = new DatabaseSync(':memory:', { limits: LIMITS })
    this.#prepared = new Map()
    if (image) this.#sqlite.deserialize(image)
    this.#sqlite.exec('PRAGMA recursive_triggers = OFF; PRAGMA foreign_keys = ON')
  }

  /** The whole database, for `load`. */
  serialize(): Uint8Array {
    return this.#sqlite.serialize()
  }

  prepare(text: string): D1PreparedStatement {
    return new PreparedStatement(this, text)
  }

  async batch<T = unknown>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    // Other requests go on meanwhile, as they do while a request waits for the network.
    await new Promise((resolve) => setImmediate(resolve))
    this.#batches++
    this.#sqlite.exec('BEGIN')
    try {
      const results = statements.map((statement) => this.#execute<T>(statement))
      this.#sqlite.exec('COMMIT')
      return results
    } catch (cause) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK')
      throw toD1Error(cause)
    }
  }

  #execute<T>(statement: D1PreparedStatement): D1Result<T> {
    if (!(statement instanceof PreparedStatement)) throw new Error('Not a statement of this database')
    const before = this.#changes()
    if (countParameters(statement.text) !== statement.values.length) throw new Error(WRONG_COUNT)
    const results = this.#prepare(statement.text).all(...statement.values) as Row[]
    const changes = this.#changes() - before
    return {
      success: true,
      results: results.map(toRow) as T[],
      meta: {
        duration: 0,
        changes,
        changed_db: changes > 0,
        last_row_id: 0,
        size_after: Number(this.#prepare('PRAGMA page_count').get()?.page_count) * PAGE_BYTES,
        // SQLite on Node counts no rows read, and no rows of indexes. A test that compares rows read fails here.
        rows_read: Number.NaN,
        rows_written: changes,
        served_by_primary: true,
      },
    }
  }

  #changes(): number {
    return Number(this.#prepare('SELECT total_changes() AS changes').get()?.changes)
  }

  #prepare(text: string): StatementSync {
    let prepared = this.#prepared.get(text)
    if (!prepared) {
      if (Buffer.byteLength(text) > LIMITS.sqlLength) throw new Error('D1_ERROR: statement too long: SQLITE_TOOBIG')
      prepared = this.#sqlite.prepare(text)
      this.#prepared.set(text, prepared)
    }
    return prepared
  }

  withSession(): D1DatabaseSession {
    let asked = false
    return {
      prepare: (text) => this.prepare(text),
      batch: async (statements) => {
        asked = true
        return await this.batch(statements)
      },
      getBookmark: () => (asked ? this.#bookmark() : null),
    }
  }

  #bookmark(): D1SessionBookmark {
    const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
    return [hex(0, 8), hex(this.#batches, 8), hex(0, 8), hex(this.#batches, 32)].join('-')
  }

  async exec(text: string): Promise<D1ExecResult> {
    try {
      this.#sqlite.exec(text)
    } catch (cause) {
      throw toD1Error(cause)
    }
    return { count: 1, duration: 0 }
  }

  dump(): Promise<ArrayBuffer> {
    throw new Error('D1 has no dump any more')
  }
}
