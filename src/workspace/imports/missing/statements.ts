import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type EmittingRecord, emitEventsOf } from '../../../db/records/set-events'
import { importRows } from '../../../db/schema/imports'
import { counters } from '../../../db/schema/tenancy'
import { lastTakenNumber } from '../../../db/sql/numbering'
import { caller, inline, insertInto, param } from '../../../db/sql/statement'
import type { KeyPrefix } from '../../../resources'
import { runIdOfBatch } from '../fields'
import type { MissingKind } from '../kind'
import { deletedAtOfUndo, recordsOfRunRemain } from '../statements'

type CreatedTable = SQLiteTable & Record<'id' | 'subscriptionId' | 'version' | 'deletedAt', SQLiteColumn>

interface MissingRecords {
  kind: MissingKind
  table: CreatedTable
  /** Selects `row`, `place` within the row, `name` and `slug` of the names in a slice. */
  names: SQL
  /** Whether a record with the slug `n.slug` exists. */
  isKnown: SQL
  /** Prefix of the external keys: `n.key` is the new record's. */
  keyPrefix?: KeyPrefix
  /** Further columns. In SQL, `n.id`, `n.name` and `n.slug` are the new record's, `n.place` counts from 1. */
  values: Record<string, SQL>
}

const journalOutcome = (kind: MissingKind) => inline(`new ${kind}`)

const takeKeys = (prefix: KeyPrefix, isNew: SQL) => sql`INSERT INTO ${counters} (subscription_id, prefix, value)
  SELECT ${caller.subscription}, ${inline(prefix)}, count(*) FROM ${importRows} WHERE ${isNew} HAVING count(*) > 0
  ON CONFLICT DO UPDATE SET value = value + excluded.value`

const selectKey = (prefix: KeyPrefix) => sql`${inline(`${prefix}-`)} || (${lastTakenNumber(prefix)} - count(*) OVER ()
  + row_number() OVER (ORDER BY ${importRows.row}))`

/** Whether the run of the batch creates records of the kind. */
export const createsInBatch = (kind: MissingKind) => sql`instr(${param('createMissing')}, ${inline(`,${kind},`)}) > 0`

/** The journal has the slice of a new record as its version. */
const isNewInSlice = (kind: MissingKind) => sql`${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.importId} = ${runIdOfBatch} AND ${importRows.outcome} = ${journalOutcome(kind)}
  AND ${importRows.version} = ${param('to')}`

/** Journals the new records first, so that an undo knows their ids. */
export function createMissingRecords({ kind, table, names, isKnown, keyPrefix, values }: MissingRecords): SQL[] {
  const isNew = isNewInSlice(kind)
  return [
    insertInto(
      importRows,
      {
        subscriptionId: caller.subscription,
        importId: runIdOfBatch,
        outcome: journalOutcome(kind),
        version: param('to'),
        row: sql`(SELECT coalesce(max(made.id), 0) FROM ${table} made) + row_number() OVER (ORDER BY n.row, n.place)`,
        value: sql`n.name`,
        reason: sql`n.slug`,
      },
      sql`FROM (SELECT min(row) AS row, place, name, slug FROM (${names}) WHERE name IS NOT NULL GROUP BY slug) n WHERE NOT ${isKnown}`,
    ),
    ...(keyPrefix ? [takeKeys(keyPrefix, isNew)] : []),
    insertInto(
      table,
      {
        id: sql`n.id`,
        subscriptionId: caller.subscription,
        name: sql`n.name`,
        ...values,
        createdAt: caller.now,
        updatedAt: caller.now,
      },
      sql`FROM (SELECT ${importRows.row} AS id, ${importRows.value} AS name, ${importRows.reason} AS slug,
        row_number() OVER (ORDER BY ${importRows.row}) AS place${keyPrefix ? sql`, ${selectKey(keyPrefix)} AS key` : sql``}
        FROM ${importRows} WHERE ${isNew}) n`,
    ),
  ]
}

export const isCreatedByRun = (
  kind: MissingKind,
  table: CreatedTable,
  run: SQLWrapper,
) => sql`EXISTS (SELECT 1 FROM ${importRows}
  WHERE ${importRows.subscriptionId} = ${caller.subscription} AND ${importRows.importId} = ${run}
    AND ${importRows.outcome} = ${journalOutcome(kind)} AND ${importRows.row} = ${table.id})`

/** Follows the slice's last change of the records. */
export const emitMissingRecords = (kind: MissingKind, record: EmittingRecord): SQL =>
  emitEventsOf('created', record, sql`SELECT ${importRows.row} AS id FROM ${importRows} WHERE ${isNewInSlice(kind)}`)

/** Removes records that a run created, at its end, unless a record uses them or they were changed. */
export function removeMissingRecords(
  kind: MissingKind,
  table: CreatedTable,
  record: EmittingRecord,
  isUsed: SQL,
): SQL[] {
  const isUnused = sql`+${table.subscriptionId} = ${caller.subscription} AND ${table.deletedAt} IS NULL AND ${table.version} = 1
    AND NOT ${recordsOfRunRemain} AND NOT ${isUsed}`
  const idsOfRun = sql`SELECT ${importRows.row} AS id FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
    AND ${importRows.importId} = ${param('importId')} AND ${importRows.outcome} = ${journalOutcome(kind)}`
  return [
    emitEventsOf('deleted', record, idsOfRun, isUnused),
    sql`UPDATE ${table} SET deleted_at = ${deletedAtOfUndo}, version = ${table.version} + 1
      WHERE ${table.id} IN (${idsOfRun}) AND ${isUnused}`,
  ]
}
