import type { HomeResult, HomeStatement, ObjectHome } from './object-home'

type SendStatements = (statements: readonly HomeStatement[]) => Promise<HomeResult[]>

/** Opens the database of an object with the interface, the values and the errors of D1. */
export function openObjectHome(home: DurableObjectStub<ObjectHome>): D1Database {
  const { prepare, batch } = openSession(home)
  return {
    prepare,
    batch,
    // The object is the only copy, so a bookmark to start from changes nothing.
    withSession: () => openSession(home),
    async exec(query) {
      const statements = query.trim().split('\n').map(prepare)
      await batch(statements)
      return { count: statements.length, duration: 0 }
    },
    dump: () => Promise.reject(new Error('D1_DUMP_ERROR: An object has no dump.')),
  }
}

function openSession(home: DurableObjectStub<ObjectHome>): D1DatabaseSession {
  let bookmark: string | null = null
  const send: SendStatements = async (statements) => {
    const reply = await home.batch(statements)
    if ('error' in reply) throw errorOf(`D1_ERROR: ${reply.error}`, reply.error)
    bookmark = reply.bookmark
    return reply.results
  }
  return {
    prepare: (sql) => new ObjectStatement(send, { sql, params: [] }),
    batch: async <T>(statements: D1PreparedStatement[]) =>
      (await send(statements.map(statementOf))).map((result) => toD1Result<T>(result)),
    getBookmark: () => bookmark,
  }
}

const errorOf = (message: string, reason: string) => new Error(message, { cause: new Error(reason) })

function statementOf(prepared: D1PreparedStatement): HomeStatement {
  if (!(prepared instanceof ObjectStatement)) throw new TypeError('The statement was not prepared by this database.')
  return prepared.statement
}

class ObjectStatement implements D1PreparedStatement {
  readonly statement: HomeStatement
  private readonly send: SendStatements

  constructor(send: SendStatements, statement: HomeStatement) {
    this.send = send
    this.statement = statement
  }

  bind(...values: unknown[]): ObjectStatement {
    return new ObjectStatement(this.send, { ...this.statement, params: values.map(toParameter) })
  }

  async all<T>(): Promise<D1Result<T>> {
    return toD1Result<T>(await this.sendAlone())
  }

  run<T>(): Promise<D1Result<T>> {
    return this.all<T>()
  }

  async first<T>(column?: string): Promise<T | null> {
    const [row] = (await this.all<Record<string, unknown>>()).results
    if (!row) return null
    if (column === undefined) return row as T
    if (row[column] === undefined) throw errorOf(`D1_COLUMN_NOTFOUND: Column not found (${column})`, 'Column not found')
    return row[column] as T
  }

  raw<T>(options: { columnNames: true }): Promise<[string[], ...T[]]>
  raw<T>(options?: { columnNames?: false }): Promise<T[]>
  async raw<T>({ columnNames = false }: { columnNames?: boolean } = {}): Promise<T[] | [string[], ...T[]]> {
    const { columns, rows } = await this.sendAlone()
    const values = rows.map((row) => row.map(toAnswer)) as T[]
    return columnNames ? [columns, ...values] : values
  }

  private async sendAlone(): Promise<HomeResult> {
    const [result] = await this.send([this.statement])
    if (!result) throw new Error('D1_ERROR: The statement has no result.')
    return result
  }
}

function toD1Result<T>({ columns, rows, meta }: HomeResult): D1Result<T> {
  const results = rows.map((row) => Object.fromEntries(row.map((value, n) => [columns[n], toAnswer(value)])) as T)
  return { success: true, results, meta: { ...meta } }
}

// D1 carries values as JSON, which has no infinite numbers and no negative zero.
const toJsonNumber = (value: number) => (Number.isFinite(value) ? value + 0 : null)

/** A value of D1's answers: bytes are an array of numbers. */
function toAnswer(value: SqlStorageValue): unknown {
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)]
  return typeof value === 'number' ? toJsonNumber(value) : value
}

const isByte = (value: unknown) => typeof value === 'number' && value >= 0 && value < 256

function toParameter(value: unknown): SqlStorageValue {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return toJsonNumber(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof ArrayBuffer) return value
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice().buffer
  if (Array.isArray(value) && value.every(isByte)) return new Uint8Array(value).buffer
  const reason = `Type '${typeof value}' not supported for value '${value}'`
  throw errorOf(`D1_TYPE_ERROR: ${reason}`, reason)
}
