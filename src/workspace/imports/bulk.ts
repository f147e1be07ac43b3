import type { Statement } from '../../db/statement'
import type { Area } from '../../http/token'
import type { NewMailing } from '../../people/mail/statements'
import type { Kind, Refused } from './kind'

/** Rows written together. `rows` and `rejected` are JSON arrays. */
export type Slice = {
  /** Rows after `from`, up to `to`. */
  from: number
  to: number
  /** `[row, cells, …values of the kind]` */
  rows: string
  /** `[row, field, value, reason, cells]` */
  rejected: string
}

export type Target = { reference: string; onConflict: 'skip' | 'update'; segmentId: number | null }

export type Written = Target & Slice
/** `limit`: records per outcome and round. */
export type Round = { importId: number; limit: number }

export type Rehearsed = Written & {
  /** The dry run shows the records of the rows up to this number. */
  shown: number
  /** The preview shows stored data of people only to a key with access to people. */
  readsPeople: boolean
}

export interface Judged {
  row: number
  outcome: 'created' | 'updated' | 'rejected'
  shown: string | null
  field: string | null
  reason: string | null
}

export interface Bulk {
  /**
   * Writes a slice, and journals created, updated and rejected rows in `import_rows` with the data for an undo. A run
   * never writes a record twice. `letter` invites the created people.
   */
  write(slice: Written, letter?: NewMailing): Statement<never>[]
  /**
   * Undoes the last journaled rows and deletes the journal. A record to leave alone becomes `kept`, with the reason.
   */
  undo(round: Round): Statement<never>[]
  judge(slice: Rehearsed): Statement<Judged>
}

export interface Importing<Row = never> {
  kind: Kind<Row>
  /** `<area>:read` shows the runs, and `<area>:write` cancels and undoes the runs. */
  area: Area
  /** Identity of the row's record. A second row of the same record is skipped. */
  identity(row: Row): string | undefined
  /** Relations between rows, collected before the first write. */
  relations?(): Relations<Row>
  /** Must finish before the first row is read. */
  ready?(): Promise<unknown>
  /** Returns the values to bind for a row, after the row number and the cells. */
  stored(row: Row): unknown[]
  bulk: Bulk
  /** Database rows written per row of a file, including indexes and the journal, for the usage quota. */
  rowsPerRecord: number
}

export interface Relations<Row> {
  see(number: number, row: Row): void
  /** Returns the row with the data of related rows, after every row was seen. */
  of(number: number, row: Row): Row | Refused
}
