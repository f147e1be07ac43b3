import { DurableObject } from 'cloudflare:workers'

export interface HomeStatement {
  sql: string
  params: readonly SqlStorageValue[]
}

export interface HomeResult {
  columns: string[]
  rows: SqlStorageValue[][]
  meta: D1Meta
}

/** An error is a value, because the runtime logs each error that a method throws. */
export type HomeReply = { results: HomeResult[]; bookmark: string } | { error: string }

const COUNT_CHANGES = 'SELECT total_changes() AS changes, last_insert_rowid() AS id'

/** A home whose database is the SQLite storage of a Durable Object. */
export class ObjectHome extends DurableObject {
  /** Runs all statements in one transaction, or stores nothing. */
  async batch(statements: readonly HomeStatement[]): Promise<HomeReply> {
    const { storage } = this.ctx
    try {
      const results = storage.transactionSync(() => statements.map((statement) => this.run(statement)))
      return { results, bookmark: await storage.getCurrentBookmark() }
    } catch (cause) {
      return { error: cause instanceof Error ? cause.message : String(cause) }
    }
  }

  private run({ sql, params }: HomeStatement): HomeResult {
    const { sql: database } = this.ctx.storage
    const before = this.countChanges()
    const started = performance.now()
    const cursor = database.exec(sql, ...params)
    const rows = [...cursor.raw()]
    const duration = performance.now() - started
    const after = this.countChanges()
    const changes = after.changes - before.changes
    return {
      columns: cursor.columnNames,
      rows,
      meta: {
        served_by_primary: true,
        duration,
        changes,
        changed_db: changes > 0,
        last_row_id: after.id,
        size_after: database.databaseSize,
        rows_read: cursor.rowsRead,
        rows_written: cursor.rowsWritten,
      },
    }
  }

  private countChanges() {
    return this.ctx.storage.sql.exec<{ changes: number; id: number }>(COUNT_CHANGES).one()
  }
}
