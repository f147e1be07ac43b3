import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { RESTORE_TTL_MS } from '../../db/records/lifecycle'
import { completeUpdatedEvents, type EmittingRecord, emitEventsOf } from '../../db/records/set-events'
import { importRows, imports } from '../../db/schema/imports'
import { productId } from '../../db/sql/access'
import { caller, inline, insertInto, param, statement } from '../../db/sql/statement'
import type { DryRunSlice, EvaluatedRow } from './bulk'
import { isRunOfBatch, runIdOfBatch } from './fields'

export type ImportRowOutcome = 'created' | 'updated' | 'rejected' | 'kept'

const joinSqlParts = (parts: readonly SQLWrapper[], by = sql`, `) => sql.join([...parts], by)

/** Outcome of journal rows with the ids of members that a run of ideas or work items has created. */
export const NEW_MEMBERS_OUTCOME = inline('new members')

const isJournalRowOfRun = (
  run: SQLWrapper,
  outcomes: readonly (ImportRowOutcome | SQL)[],
) => sql`${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.importId} = ${run} AND ${importRows.outcome} IN (${joinSqlParts(
    outcomes.map((outcome) => (typeof outcome === 'string' ? inline(outcome) : outcome)),
  )})`

export const isJournalRowOfBatch = (...outcomes: ImportRowOutcome[]) => isJournalRowOfRun(runIdOfBatch, outcomes)

export const isJournalRowOfSlice = (...outcomes: ImportRowOutcome[]) =>
  sql`${isJournalRowOfBatch(...outcomes)} AND ${importRows.row} > ${param('from')} AND ${importRows.row} <= ${param('to')}`

/** Ids of the records that a slice creates or changes. */
export const selectIdsOfSlice = (outcome: WrittenOutcome): SQL => sql`SELECT ${importRows.recordId} AS id
  FROM ${importRows} WHERE ${isJournalRowOfSlice(outcome)}
    ${outcome === 'updated' ? sql`AND ${importRows.previous} IS NOT NULL` : sql``}`

export const isJournalRowOfBoundRun = (...outcomes: (ImportRowOutcome | SQL)[]) =>
  isJournalRowOfRun(param('importId'), outcomes)

/** Whether an undo has not reached all records of the run yet. */
export const recordsOfRunRemain = sql`EXISTS (SELECT 1 FROM ${importRows} WHERE ${isJournalRowOfBoundRun('created', 'updated')})`

/** An undone record counts as removed before the restore period, and cannot be restored. */
export const deletedAtOfUndo = sql`(${caller.now} - ${inline(RESTORE_TTL_MS)})`

type WrittenOutcome = 'created' | 'updated'

/** Value of a row by position: 0 is the row number, 1 the cells, and the values of the kind follow. */
export const storedValueAt = (place: number): SQL => sql.raw(`(p.value ->> ${place})`)
export const numberOfRow: SQL = storedValueAt(0)

/** Rows of a slice, named `p`. */
export const fromBoundImportRows = sql`json_each(${param('rows')}) p`
export const fromBoundRowsWithJournal = (
  ...outcomes: WrittenOutcome[]
) => sql`${fromBoundImportRows} CROSS JOIN ${importRows}
  ON ${isJournalRowOfBatch(...outcomes)} AND ${importRows.row} = ${numberOfRow}`

// SQLite does not flatten a subquery with a LIMIT, and therefore keeps the subquery's order.
export const ORDER_KEEPING_LIMIT = sql.raw('LIMIT -1')

export const columnOfRun = (column: 'productId' | 'limited' | 'userId') =>
  sql`(SELECT ${imports[column]} FROM ${imports} WHERE ${isRunOfBatch})`

/** Whether this run created the record: `created_at` cannot tell, because a file may set `created_at`. */
export const isCreatedByBatch = (id: SQL) => sql`EXISTS (SELECT 1 FROM ${importRows} made
  WHERE made.subscription_id = ${caller.subscription} AND made.record_id = ${id}
    AND made.import_id = ${runIdOfBatch} AND made.outcome = 'created')`

export interface LookupScope {
  product: SQL
  limited: SQL
  /** Whether the run created the record. */
  isNew(id: SQL): SQL
}
export const RUN_LOOKUP_SCOPE: LookupScope = {
  product: columnOfRun('productId'),
  limited: columnOfRun('limited'),
  isNew: isCreatedByBatch,
}
export const DRY_RUN_LOOKUP_SCOPE: LookupScope = {
  product: productId,
  limited: sql`(${caller.products} IS NOT NULL)`,
  isNew: () => sql`0`,
}

interface ImportRowRefusal {
  when: SQL
  field: string
  value?: SQL
  reason: string
}

interface NewColumnValue {
  column: SQLiteColumn
  value: SQL | ((place: LookupScope) => SQL)
}

const valueInScope = ({ value }: NewColumnValue, place: LookupScope) =>
  typeof value === 'function' ? value(place) : value

/** Converts rows of a kind to records. In SQL a row is `p`, and the matching record has the name of the table. */
export interface ImportUpsert {
  table: ImportedTable
  record: EmittingRecord
  /** Records that emit events; default: all. */
  emits?: SQL
  joins(place: LookupScope): SQL
  /** New column values of a known record. The journal keeps the old values under the same names. */
  newValues: Readonly<Record<string, NewColumnValue>>
  assignments?: readonly SQL[]
  oldValues?: Readonly<Record<string, SQLWrapper>>
  /** `revives`: the row changes a known record even if known records are skipped. */
  differs?(place: LookupScope): SQL
  revives?: SQL
  /** Reasons for rejecting a row, the most important first. `changes`: the row changes a known record. */
  refusals(place: LookupScope, changes: SQL): readonly ImportRowRefusal[]
  /** Row number of the parent in the file. `joined`: the person joins a segment, and a join counts as an update. */
  parentRow?: SQL
  joined?: SQL
  preview: SQL
}

const versionBumpAssignments = (table: ImportedTable) => sql`updated_at = ${caller.now}, version = ${table.version} + 1`
const isRecordOfWorkspace = (table: ImportedTable) => sql`+${table.subscriptionId} = ${caller.subscription}`
const assignmentOfColumn = (column: SQLiteColumn, value: SQLWrapper) => sql`${sql.identifier(column.name)} = ${value}`
const valueUnlessRejected = (value: string) => sql.raw(`CASE WHEN outcome <> 'rejected' THEN ${value} END`)

export function createImportUpsert(upsert: ImportUpsert) {
  const { table, newValues, assignments = [], oldValues = {}, differs, revives = sql`0` } = upsert
  const columns = Object.values(newValues)
  const isDifferent = (place: LookupScope) =>
    sql`(${joinSqlParts(columns.map(({ column }) => column))}) IS NOT (${joinSqlParts(columns.map((one) => valueInScope(one, place)))})`
  const selectChanges = (
    place: LookupScope,
  ) => sql`(${revives} OR ${table.id} IS NOT NULL AND ${param('onConflict')} = 'update'
    AND (${isDifferent(place)} OR ${differs?.(place) ?? sql`0`}))`
  const journaledValues = [
    ...Object.entries(newValues).map(([name, { column }]) => [name, column] as const),
    ...Object.entries(oldValues),
  ]

  /** An unchanged row has the outcome NULL. */
  function selectEvaluated(place: LookupScope, shown: SQL): SQL {
    const changes = selectChanges(place)
    const problems = upsert
      .refusals(place, changes)
      .map(
        ({ when, field, value = sql`NULL`, reason }) =>
          sql`WHEN ${when} THEN json_array(${inline(field)}, ${value}, ${inline(reason)})`,
      )
    const found = {
      ...{ row: numberOfRow, cells: storedValueAt(1), shown, changes, id: table.id, version: table.version },
      previous: sql`json_object(${joinSqlParts(journaledValues.map(([name, value]) => sql`${inline(name)}, ${value}`))})`,
      problem: sql`CASE ${joinSqlParts(problems, sql` `)} END`,
      parentRow: upsert.parentRow ?? sql`NULL`,
      joined: upsert.joined ?? sql`0`,
    }
    return sql`SELECT *, CASE WHEN problem IS NOT NULL THEN 'rejected' WHEN id IS NULL THEN 'created'
        WHEN changes OR joined THEN 'updated' END AS outcome
      FROM (SELECT ${joinSqlParts(Object.entries(found).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`))}
        FROM ${fromBoundImportRows} ${upsert.joins(place)})`
  }

  return {
    journal: insertInto(
      importRows,
      {
        ...{ subscriptionId: caller.subscription, importId: runIdOfBatch, outcome: sql`outcome`, row: sql`row` },
        // New ids follow the highest id in the order of the rows.
        recordId: sql`CASE outcome WHEN 'updated' THEN id WHEN 'created' THEN
          (SELECT coalesce(max(made.id), 0) FROM ${table} made) + row - ${param('from')} END`,
        version: valueUnlessRejected('coalesce(version + changes, 1)'),
        previous: sql`CASE WHEN outcome = 'updated' AND changes THEN previous END`,
        ...{ field: sql`problem ->> 0`, value: sql`problem ->> 1`, reason: sql`problem ->> 2` },
        cells: sql`CASE WHEN outcome = 'rejected' THEN cells END`,
        ...{ parentRow: valueUnlessRejected('parentRow'), joined: sql`outcome <> 'rejected' AND joined` },
      },
      sql`FROM (${selectEvaluated(RUN_LOOKUP_SCOPE, sql`NULL`)}) WHERE outcome IS NOT NULL`,
    ),
    update: sql`UPDATE ${table} SET ${joinSqlParts([...columns.map((one) => assignmentOfColumn(one.column, valueInScope(one, RUN_LOOKUP_SCOPE))), ...assignments, versionBumpAssignments(table)])}
      FROM (SELECT p.value AS value, ${importRows.recordId} AS id FROM ${fromBoundRowsWithJournal('updated')}
        WHERE ${importRows.previous} IS NOT NULL ${ORDER_KEEPING_LIMIT}) p
      WHERE ${table.id} = p.id AND ${isRecordOfWorkspace(table)}`,
    evaluate: statement<EvaluatedRow, DryRunSlice>(sql`SELECT row AS "row", outcome AS "outcome", shown AS "shown",
      problem ->> 0 AS "field", problem ->> 2 AS "reason"
      FROM (${selectEvaluated(DRY_RUN_LOOKUP_SCOPE, upsert.preview)}) WHERE outcome IS NOT NULL`),
  }
}

type ImportedTable = SQLiteTable & Record<'id' | 'subscriptionId' | 'version' | 'deletedAt', SQLiteColumn>

/** In SQL, `r` is a row of the journal. */
interface ImportUndoOptions {
  noun: string
  /** Without a condition nothing uses the records. */
  isUsed?: SQL
  inUseMessage?: string
  restoreAssignments?: readonly SQL[]
  removeAssignments?: readonly SQL[]
  /** Runs before the restore changes the versions, because the versions identify unchanged records. */
  beforeRestore?: readonly SQL[]
  afterRestore?: readonly SQL[]
  /** True if the run revived the record. A revived record in use is left alone. */
  wasRevived?: SQL
}

/** `waitsFor`: the records stay while the condition holds, until a later round. */
export function createImportUndo(
  kind: string,
  { table, record, newValues, emits = sql`true` }: ImportUpsert,
  waitsFor: SQL = sql`0`,
) {
  // A run of a different kind gives no rows, because the ids belong to a different table.
  const round = (
    outcome: WrittenOutcome,
  ) => sql`(SELECT * FROM ${importRows} WHERE ${isJournalRowOfBoundRun(outcome)} AND EXISTS (
      SELECT 1 FROM ${imports} WHERE ${imports.id} = ${param('importId')} AND ${imports.kind} = ${inline(kind)}) AND NOT ${waitsFor}
    ORDER BY ${importRows.row} DESC LIMIT ${param('limit')}) r`
  const isRecord = sql`${table.id} = r.record_id AND ${isRecordOfWorkspace(table)}`
  const isPresent = sql`${table.deletedAt} IS NULL`
  const isRestorable = sql`${table.deletedAt} > ${deletedAtOfUndo}`
  const records = (outcome: WrittenOutcome) => sql`${round(outcome)} CROSS JOIN ${table} ON ${isRecord}`
  const isKept = sql`EXISTS (SELECT 1 FROM ${importRows} k WHERE k.subscription_id = ${caller.subscription}
    AND k.import_id = r.import_id AND k.outcome = 'kept' AND k.row = r.row)`
  const isChanged = sql`${table.version} <> r.version`
  const journalKept = (outcome: WrittenOutcome, why: SQL) =>
    insertInto(
      importRows,
      {
        subscriptionId: caller.subscription,
        importId: sql`r.import_id`,
        outcome: sql`'kept'`,
        row: sql`r.row`,
        recordId: sql`r.record_id`,
        reason: why,
      },
      sql`FROM ${records(outcome)} WHERE ${why} IS NOT NULL`,
    )
  const deleteJournal = (outcome: WrittenOutcome) => sql`DELETE FROM ${importRows}
    WHERE ${isJournalRowOfBoundRun(outcome)} AND ${importRows.row} IN (SELECT r.row FROM ${round(outcome)})`
  const idsOfRound = (outcome: WrittenOutcome, which: SQL) =>
    sql`SELECT r.record_id AS id FROM ${round(outcome)} WHERE ${which}`
  const formerValues = Object.entries(newValues).map(([name, { column }]) =>
    assignmentOfColumn(column, sql`r.previous ->> ${inline(name)}`),
  )
  return {
    round,
    restoredRecords: (beside: SQL = sql``) =>
      sql`${records('updated')} ${beside} WHERE ${isPresent} AND NOT (${isChanged})`,
    statements({
      noun,
      isUsed = sql`0`,
      inUseMessage = `The ${noun} is in use.`,
      restoreAssignments = [],
      removeAssignments = [],
      beforeRestore = [],
      afterRestore = [],
      wasRevived = sql`0`,
    }: ImportUndoOptions): SQL[] {
      const CHANGED = inline(`The ${noun} was changed after the import.`)
      const REMOVED = inline(`The ${noun} was removed after the import.`)
      const IN_USE = inline(inUseMessage)
      // Without previous values, the update has only joined a segment.
      const whyUpdated = sql`CASE WHEN r.previous IS NULL OR ${table.deletedAt} <= ${deletedAtOfUndo} THEN NULL
        WHEN ${isRestorable} THEN ${REMOVED} WHEN ${isChanged} THEN ${CHANGED} WHEN ${wasRevived} AND ${isUsed} THEN ${IN_USE} END`
      const whyCreated = sql`CASE WHEN NOT (${isPresent}) THEN NULL WHEN ${isChanged} THEN ${CHANGED}
        WHEN ${isUsed} THEN ${IN_USE} END`
      const isRestored = sql`r.previous IS NOT NULL AND NOT ${isKept}`
      const returnsToRemoval = idsOfRound('updated', sql`${isRestored} AND ${wasRevived}`)
      const stays = idsOfRound('updated', sql`${isRestored} AND NOT (${wasRevived})`)
      return [
        journalKept('updated', whyUpdated),
        emitEventsOf('updated', record, stays, sql`${isPresent} AND ${emits}`),
        emitEventsOf('deleted', record, returnsToRemoval, sql`${isPresent} AND ${emits}`),
        ...beforeRestore,
        sql`UPDATE ${table} SET ${joinSqlParts([...formerValues, ...restoreAssignments, versionBumpAssignments(table)])} FROM ${round('updated')}
          WHERE ${isRecord} AND ${isPresent} AND ${isRestored}`,
        ...afterRestore,
        completeUpdatedEvents(record, stays),
        deleteJournal('updated'),
        journalKept('created', whyCreated),
        emitEventsOf('deleted', record, idsOfRound('created', sql`NOT ${isKept}`), sql`${isPresent} AND ${emits}`),
        // The removal is final: a restore does not find the records, and the next purge does.
        sql`UPDATE ${table} SET ${joinSqlParts([sql`deleted_at = ${deletedAtOfUndo}`, ...removeAssignments, sql`version = ${table.version} + 1`])}
          FROM ${round('created')} WHERE ${isRecord} AND (${isRestorable} OR ${isPresent} AND NOT ${isKept})`,
        deleteJournal('created'),
      ]
    },
  }
}
