import type { Statement } from '../../db/sql/statement'
import type { Area } from '../../http/token'
import type { NewMailing } from '../../people/mail/statements'
import type { CellProblem, CellProblemReporter, ImportKind, ImportRowRejection, MissingKind } from './kind'

export type ImportSlice = {
  /** Rows after `from`, up to `to`. */
  from: number
  to: number
  /** `[row, cells, …values of the kind]` */
  rows: string
  /** `[row, field, value, reason, cells]` */
  rejected: string
  /** `[number, field, column, value, became, reason, rows, in, key]`, the last two of a lookup. */
  warnings: string
  /** `[address, source, id, reason, segment]`, with the name of a segment or null for all mail. */
  suppressions: string
}

export type ImportRunValues = {
  reference: string
  onConflict: 'skip' | 'update'
  segmentId: number | null
  /** Kinds of records to create for unknown names, each between commas. */
  createMissing: string
}

export type ImportSliceValues = ImportRunValues & ImportSlice
/** `limit`: records per outcome and round. */
export type ImportUndoRound = { importId: number; limit: number }

export type DryRunSlice = ImportSliceValues & {
  shown: number
  readsPeople: boolean
}

export interface EvaluatedRow {
  row: number
  outcome: 'created' | 'updated' | 'rejected'
  shown: string | null
  field: string | null
  reason: string | null
}

/** Whether a run creates records of the kind. */
export const createsMissing = ({ createMissing }: Pick<ImportRunValues, 'createMissing'>, kind: MissingKind): boolean =>
  createMissing.includes(`,${kind},`)

export const serializeMissingKinds = (kinds: readonly MissingKind[]): string => `,${kinds.join()},`

export interface ImportStatements {
  /** Journals the rows in `import_rows` with the data for an undo. A run never writes a record twice. */
  write(slice: ImportSliceValues, letter?: NewMailing): Statement<never>[]
  /** A record to leave alone becomes `kept`, with the reason. */
  undo(round: ImportUndoRound): Statement<never>[]
  evaluate(slice: DryRunSlice): Statement<EvaluatedRow>
  /** Counts the suppressions that a slice would create. */
  countSuppressions?(slice: DryRunSlice): Statement<{ count: number }>
}

export type ImportedSuppression = readonly [
  address: string,
  source: string | null,
  id: string | null,
  reason: string,
  segment: string | null,
]

export interface ImportDefinition<Row = never> {
  kind: ImportKind<Row>
  area: Area
  /** Identities of the row's record. A second row of the same record is skipped. */
  identityOf(row: Row): string | readonly string[] | undefined
  /** Problem of a row that is left out after an earlier row of the same record; undefined if the row adds to the record. */
  describeDuplicate?(row: Row): CellProblem | undefined
  /** Suppressions of a row, which the run adds whatever becomes of the row. */
  suppressionsOf?(row: Row): readonly ImportedSuppression[]
  relations?(): ImportRowRelations<Row>
  prepare?(): Promise<unknown>
  /** Values to bind, after the row number and the cells. */
  storedValues(row: Row): unknown[]
  statements: ImportStatements
  /** Database rows written per row of a file, including indexes and the journal, for the usage quota. */
  rowsPerRecord: number
}

export interface ImportRowRelations<Row> {
  collect(number: number, row: Row): void
  relate(number: number, row: Row, report: CellProblemReporter): Row | ImportRowRejection
}
