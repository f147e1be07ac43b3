import { DatabaseSync } from 'node:sqlite'
import type { MirrorChange, MirrorStore } from 'groundwork-client'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS records (
    id TEXT PRIMARY KEY,
    resource TEXT NOT NULL,
    event_id INTEGER NOT NULL,
    is_removed INTEGER NOT NULL,
    data TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS content (parent TEXT, id TEXT, PRIMARY KEY (parent, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS content_id ON content (id);
  CREATE TABLE IF NOT EXISTS position (one INTEGER PRIMARY KEY CHECK (one = 1), event_id INTEGER NOT NULL) STRICT;
  -- A record is hidden while it or a parent is removed.
  CREATE VIEW IF NOT EXISTS hidden AS
    WITH RECURSIVE hidden (id) AS (
      SELECT id FROM records WHERE is_removed
      UNION SELECT c.id FROM hidden h JOIN content c ON c.parent = h.id)
    SELECT id FROM hidden;
  CREATE VIEW IF NOT EXISTS visible AS
    SELECT id, resource, event_id, data FROM records WHERE id NOT IN (SELECT id FROM hidden);`

/** Copies in a file of SQLite: `SELECT data ->> 'summary' FROM visible WHERE resource = 'epic'`. */
export class SqliteStore implements MirrorStore {
  readonly #database: DatabaseSync

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { timeout: 10_000 })
    this.#database.exec(`PRAGMA journal_mode = WAL; ${SCHEMA}`)
  }

  readPosition(): number | undefined {
    const row = this.#database.prepare('SELECT event_id FROM position').get()
    return row?.event_id as number | undefined
  }

  apply(changes: readonly MirrorChange[], position?: number): void {
    // A record keeps the state of its newest event, so events can arrive twice and in any order.
    const upsert = this.#database.prepare(`INSERT INTO records VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET resource = excluded.resource, event_id = excluded.event_id,
        is_removed = excluded.is_removed, data = excluded.data
      WHERE excluded.event_id > records.event_id`)
    const leaveParents = this.#database.prepare('DELETE FROM content WHERE id = ?')
    const joinParent = this.#database.prepare('INSERT INTO content VALUES (?, ?)')
    this.#inTransaction(() => {
      for (const { id, resource, eventId, isRemoved, data, parents } of changes) {
        const { changes: stored } = upsert.run(id, resource, eventId, Number(isRemoved), JSON.stringify(data))
        if (!stored) continue
        leaveParents.run(id)
        for (const parent of parents) joinParent.run(parent, id)
      }
      if (position !== undefined) this.#database.prepare('REPLACE INTO position VALUES (1, ?)').run(position)
    })
  }

  clear(): void {
    this.#inTransaction(() => this.#database.exec('DELETE FROM records; DELETE FROM content; DELETE FROM position'))
  }

  close(): void {
    this.#database.close()
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      work()
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }
}
