import { type SQL, sql } from 'drizzle-orm'
import { RESTORABLE } from '../../../db/lifecycle'
import { importRows, imports } from '../../../db/schema/imports'
import { assignments, caller, inline, insertInto, param, type Statement, statement } from '../../../db/statement'
import type { NewMailing } from '../../../people/mail/statements'
import type { Bulk, Round, Written } from '../bulk'
import { importRun, runId, thisId, thisRun } from '../fields'
import { type Outcome, rowsOfId, sliceOf } from '../statements'

const reject = statement<never, Written>(
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

const countOf = (outcome: Outcome) => sql`(SELECT count(*) FROM ${importRows} WHERE ${sliceOf(outcome)})`

type Leased = { lease: number }

const count = statement<never, Written & Leased>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    done: param('to'),
    created: sql`${imports.created} + ${countOf('created')}`,
    updated: sql`${imports.updated} + ${countOf('updated')}`,
    rejected: sql`${imports.rejected} + ${countOf('rejected')}`,
    nextAttemptAt: sql`${caller.now} + ${param('lease')}`,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${thisRun}`,
)

export const written = (values: Written & Leased, bulk: Bulk, letter?: NewMailing): Statement<never>[] => [
  ...bulk.write(values, letter),
  reject(values),
  count(values),
]

const finish = statement<never, { reference: string }>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE WHEN ${imports.rejected} = 0 THEN 'completed' WHEN ${imports.rejected} = ${imports.total} THEN 'failed'
    ELSE 'partial' END`,
    finishedAt: caller.now,
    nextAttemptAt: caller.now,
    updatedAt: caller.now,
  })} WHERE ${thisRun}`,
)
const completed = importRun.event('completed', thisRun)

export const finished = ({ reference }: { reference: string }): Statement<never>[] => [
  finish({ reference }),
  completed({ reference }),
]

const more: SQL = sql`EXISTS (SELECT 1 FROM ${importRows} WHERE ${rowsOfId('created', 'updated')})`

const countKept = statement<never, Round & Leased>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE WHEN ${more} THEN 'undoing' ELSE 'undone' END`,
    kept: sql`(SELECT count(*) FROM ${importRows} WHERE ${rowsOfId('kept')})`,
    nextAttemptAt: sql`CASE WHEN ${more} THEN ${caller.now} + ${param('lease')}
    WHEN ${imports.objectKey} IS NOT NULL THEN ${caller.now} ELSE ${imports.finishedAt} + ${inline(RESTORABLE)} END`,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${thisId}`,
)
const undone = importRun.event('undone', sql`${thisId} AND ${imports.status} = 'undone'`)

export const takenBack = (values: Round & Leased, undo: Bulk['undo']): Statement<never>[] => [
  ...undo(values),
  countKept(values),
  undone(values),
]
