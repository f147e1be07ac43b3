import { type SQL, sql } from 'drizzle-orm'
import { RESTORE_TTL_MS } from '../../../db/records/lifecycle'
import { importRows, imports, importWarnings } from '../../../db/schema/imports'
import { assignments, caller, inline, insertInto, param, type Statement, statement } from '../../../db/sql/statement'
import type { NewMailing } from '../../../people/mail/statements'
import type { ImportSliceValues, ImportStatements, ImportUndoRound } from '../bulk'
import { importRun, isBoundRun, isRunOfBatch, runIdOfBatch } from '../fields'
import { selectLookupResult } from '../lookups/statements'
import {
  type ImportRowOutcome,
  isJournalRowOfBoundRun,
  isJournalRowOfSlice,
  NEW_MEMBERS_OUTCOME,
  RUN_LOOKUP_SCOPE,
} from '../statements'

const insertRejectedRows = statement<never, ImportSliceValues>(
  insertInto(
    importRows,
    {
      subscriptionId: caller.subscription,
      importId: runIdOfBatch,
      outcome: sql`'rejected'`,
      row: sql`p.value ->> 0`,
      field: sql`p.value ->> 1`,
      value: sql`p.value ->> 2`,
      reason: sql`p.value ->> 3`,
      cells: sql`p.value ->> 4`,
    },
    sql`FROM json_each(${param('rejected')}) p`,
  ),
)

const lookupFindsNothing = sql`coalesce(${selectLookupResult(sql`p.value ->> 7`, sql`p.value ->> 8`, RUN_LOOKUP_SCOPE)}, 0) = 0`

const countWarnings = statement<never, ImportSliceValues>(
  insertInto(
    importWarnings,
    {
      subscriptionId: caller.subscription,
      importId: runIdOfBatch,
      number: sql`p.value ->> 0`,
      field: sql`p.value ->> 1`,
      columnName: sql`p.value ->> 2`,
      value: sql`p.value ->> 3`,
      became: sql`p.value ->> 4`,
      reason: sql`p.value ->> 5`,
      rowCount: sql`p.value ->> 6`,
    },
    sql`FROM json_each(${param('warnings')}) p WHERE ${lookupFindsNothing}
      ON CONFLICT DO UPDATE SET row_count = ${importWarnings.rowCount} + excluded.row_count`,
  ),
)

const countOfOutcome = (outcome: ImportRowOutcome) =>
  sql`(SELECT count(*) FROM ${importRows} WHERE ${isJournalRowOfSlice(outcome)})`

const NO_ROWS = '[]'

type LeaseValue = { lease: number }

const updateRunProgress = statement<never, ImportSliceValues & LeaseValue>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    done: param('to'),
    created: sql`${imports.created} + ${countOfOutcome('created')}`,
    updated: sql`${imports.updated} + ${countOfOutcome('updated')}`,
    rejected: sql`${imports.rejected} + ${countOfOutcome('rejected')}`,
    nextAttemptAt: sql`${caller.now} + ${param('lease')}`,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${isRunOfBatch}`,
)

export const buildSliceStatements = (
  values: ImportSliceValues & LeaseValue,
  bulk: ImportStatements,
  letter?: NewMailing,
): Statement<never>[] => [
  ...bulk.write(values, letter),
  insertRejectedRows(values),
  ...(values.warnings === NO_ROWS ? [] : [countWarnings(values)]),
  updateRunProgress(values),
]

const markRunFinished = statement<never, { reference: string }>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE WHEN ${imports.rejected} = 0 THEN 'completed' WHEN ${imports.rejected} = ${imports.total} THEN 'failed'
    ELSE 'partial' END`,
    finishedAt: caller.now,
    // The cron deletes the stored file at once, and the journal after the time for an undo.
    nextAttemptAt: sql`iif(${imports.objectKey} IS NULL, ${caller.now} + ${inline(RESTORE_TTL_MS)}, ${caller.now})`,
    updatedAt: caller.now,
  })} WHERE ${isRunOfBatch}`,
)
const emitImportCompleted = importRun.emit('completed', isRunOfBatch)

export const buildRunFinishStatements = ({ reference }: { reference: string }): Statement<never>[] => [
  markRunFinished({ reference }),
  emitImportCompleted({ reference }),
]

const hasMoreRowsToUndo: SQL = sql`EXISTS (SELECT 1 FROM ${importRows}
  WHERE ${isJournalRowOfBoundRun('created', 'updated', NEW_MEMBERS_OUTCOME)})`

const updateUndoProgress = statement<never, ImportUndoRound & LeaseValue>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE WHEN ${hasMoreRowsToUndo} THEN 'undoing' ELSE 'undone' END`,
    kept: sql`(SELECT count(*) FROM ${importRows} WHERE ${isJournalRowOfBoundRun('kept')})`,
    nextAttemptAt: sql`CASE WHEN ${hasMoreRowsToUndo} THEN ${caller.now} + ${param('lease')}
    WHEN ${imports.objectKey} IS NOT NULL THEN ${caller.now} ELSE ${imports.finishedAt} + ${inline(RESTORE_TTL_MS)} END`,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${isBoundRun}`,
)
const emitImportUndone = importRun.emit('undone', sql`${isBoundRun} AND ${imports.status} = 'undone'`)

export const buildUndoRoundStatements = (
  values: ImportUndoRound & LeaseValue,
  undo: ImportStatements['undo'],
): Statement<never>[] => [...undo(values), updateUndoProgress(values), emitImportUndone(values)]
