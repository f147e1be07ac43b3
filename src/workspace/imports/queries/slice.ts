import { type SQL, sql } from 'drizzle-orm'
import { RESTORE_TTL_MS } from '../../../db/records/lifecycle'
import { importRows, imports } from '../../../db/schema/imports'
import { assignments, caller, inline, insertInto, param, type Statement, statement } from '../../../db/sql/statement'
import type { NewMailing } from '../../../people/mail/statements'
import type { ImportStatements, SliceParameters, UndoRound } from '../bulk'
import { importRun, isRunOfBatch, isRunWithId, runId } from '../fields'
import { type Outcome, rowsOfRunId, rowsOfSlice } from '../statements'

const insertRejected = statement<never, SliceParameters>(
  insertInto(
    importRows,
    {
      subscriptionId: caller.subscription,
      importId: runId,
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

const countOf = (outcome: Outcome) => sql`(SELECT count(*) FROM ${importRows} WHERE ${rowsOfSlice(outcome)})`

type Leased = { lease: number }

const updateProgress = statement<never, SliceParameters & Leased>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    done: param('to'),
    created: sql`${imports.created} + ${countOf('created')}`,
    updated: sql`${imports.updated} + ${countOf('updated')}`,
    rejected: sql`${imports.rejected} + ${countOf('rejected')}`,
    nextAttemptAt: sql`${caller.now} + ${param('lease')}`,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${isRunOfBatch}`,
)

export const buildSliceStatements = (
  values: SliceParameters & Leased,
  bulk: ImportStatements,
  letter?: NewMailing,
): Statement<never>[] => [...bulk.write(values, letter), insertRejected(values), updateProgress(values)]

const finishRun = statement<never, { reference: string }>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE WHEN ${imports.rejected} = 0 THEN 'completed' WHEN ${imports.rejected} = ${imports.total} THEN 'failed'
    ELSE 'partial' END`,
    finishedAt: caller.now,
    nextAttemptAt: caller.now,
    updatedAt: caller.now,
  })} WHERE ${isRunOfBatch}`,
)
const emitCompleted = importRun.emit('completed', isRunOfBatch)

export const buildFinishStatements = ({ reference }: { reference: string }): Statement<never>[] => [
  finishRun({ reference }),
  emitCompleted({ reference }),
]

const hasMoreRows: SQL = sql`EXISTS (SELECT 1 FROM ${importRows} WHERE ${rowsOfRunId('created', 'updated')})`

const updateUndoProgress = statement<never, UndoRound & Leased>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE WHEN ${hasMoreRows} THEN 'undoing' ELSE 'undone' END`,
    kept: sql`(SELECT count(*) FROM ${importRows} WHERE ${rowsOfRunId('kept')})`,
    nextAttemptAt: sql`CASE WHEN ${hasMoreRows} THEN ${caller.now} + ${param('lease')}
    WHEN ${imports.objectKey} IS NOT NULL THEN ${caller.now} ELSE ${imports.finishedAt} + ${inline(RESTORE_TTL_MS)} END`,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${isRunWithId}`,
)
const emitUndone = importRun.emit('undone', sql`${isRunWithId} AND ${imports.status} = 'undone'`)

export const buildUndoRound = (values: UndoRound & Leased, undo: ImportStatements['undo']): Statement<never>[] => [
  ...undo(values),
  updateUndoProgress(values),
  emitUndone(values),
]
