import type { Statement } from '../../db/statement'
import type { Area } from '../../http/token'
import type { NewMailing } from '../../people/mail/statements'
import type { Kind, Refused } from './kind'

/** Rows of a file that are written together. `rows` and `rejected` are JSON arrays. */
export type Slice = {
  /** Rows behind this one, up to that one. */
  from: number
  to: number
  /** `[row, cells, …what the kind stores]` */
  rows: string
  /** `[row, field, value, reason, cells]` */
  rejected: string
}

/** What one run is about, for each of its statements. */
export type Target = { reference: string; onConflict: 'skip' | 'update'; segmentId: number | null }

export type Written = Target & Slice
/** `limit`: how many of each outcome are taken back. */
export type Round = { importId: number; limit: number }

/** A slice that is only looked at. */
export type Rehearsed = Written & {
  /** Up to which row the records are shown. */
  shown: number
  /** Whether the key sees who is known already. */
  readsPeople: boolean
}

/** What a row that is not skipped would come to. */
export interface Judged {
  row: number
  outcome: 'created' | 'updated' | 'rejected'
  /** JSON of the record as it would be stored. */
  shown: string | null
  field: string | null
  reason: string | null
}

/** How the rows of a kind of import are written, and how that is taken back. */
export interface Bulk {
  /**
   * Writes a slice. What it creates, updates or rejects it notes in `import_rows`, with what an undo needs; no record is
   * touched twice by one run. With a letter whom it makes is invited.
   */
  write(slice: Written, letter?: NewMailing): Statement<never>[]
  /** Takes back the last of what is noted, and the notes with it; what it must leave becomes `kept`, with the reason. */
  undo(round: Round): Statement<never>[]
  /** Reads what `write` would do. */
  judge(slice: Rehearsed): Statement<Judged>
}

/** A kind of import: how its rows are read, what of them is written, and how. */
export interface Importing<Row = never> {
  kind: Kind<Row>
  /** Whose `:read` shows its runs, and whose `:write` cancels and undoes them. */
  area: Area
  /** What tells two rows of one record: the second is skipped. */
  identity(row: Row): string | undefined
  /** What rows say of each other: asked of all of them, before the first is written. */
  relations?(): Relations<Row>
  /** Must be over before the first row is read. */
  ready?(): Promise<unknown>
  /** What of a row is bound, behind its number and its cells. */
  stored(row: Row): unknown[]
  bulk: Bulk
  /** Database rows that a row of a file writes about, indexes and the note of the row included. */
  rowsPerRecord: number
}

/** What the rows of a file are to each other. */
export interface Relations<Row> {
  see(number: number, row: Row): void
  /** The row with what the others say of it, once all are seen. */
  of(number: number, row: Row): Row | Refused
}
