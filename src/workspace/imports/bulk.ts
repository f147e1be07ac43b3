import type { Statement } from '../../db/statement'

/** Rows of a file that are written together. `rows` and `rejected` are JSON arrays. */
export type Slice = {
  /** Rows behind this one, up to that one. */
  from: number
  to: number
  /** `[row, …what the kind stores]` */
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
   * touched twice by one run.
   */
  write(slice: Written): Statement<never>[]
  /** Takes back the last of what is noted, and the notes with it; what it must leave becomes `kept`, with the reason. */
  undo(round: Round): Statement<never>[]
  /** Reads what `write` would do. */
  judge(slice: Rehearsed): Statement<Judged>
}
