import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client'
import { RESTORABLE } from '../../../db/lifecycle'
import { importRows, imports } from '../../../db/schema/imports'
import { products } from '../../../db/schema/tenancy'
import {
  assignments,
  caller,
  columns,
  directlyAfter,
  inline,
  param,
  type Selected,
  statement,
} from '../../../db/statement'
import type { NewMailing } from '../../../people/mail/statements'
import { segment } from '../../../people/segments/statements'
import type { Bulk, Importing, Slice, Target } from '../bulk'
import { importRun, thisId, thisRun } from '../fields'
import { finished, takenBack, written } from './slice'

/** Milliseconds of a lease, renewed by each slice. */
export const LEASE = 120_000

const CLAIMED = [
  'reference',
  'kind',
  'segmentId',
  'status',
  'fileName',
  'fileType',
  'objectKey',
  'onConflict',
  'mapping',
  'total',
  'done',
  'inviteUrl',
] as const

export interface RunName {
  subscriptionId: number
  importId: number
}

export type Claimed = RunName & Target & Selected<typeof imports, (typeof CLAIMED)[number]>

type Named = { importId: number }

const claim = statement<Selected<typeof imports, (typeof CLAIMED)[number]>, Named>(sql`
  UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE ${imports.status} WHEN 'pending' THEN 'running' ELSE ${imports.status} END`,
    nextAttemptAt: sql`${caller.now} + ${inline(LEASE)}`,
    version: sql`${imports.version} + 1`,
  })}
  WHERE ${thisId} AND ${imports.status} IN ('pending', 'running', 'undoing')
    AND ${imports.nextAttemptAt} <= ${caller.now}
  RETURNING ${columns(imports, CLAIMED)}`)

/** Claims a run for an invocation; undefined if the run is leased or has ended. */
export async function claimRun(store: Store, name: RunName): Promise<Claimed | undefined> {
  const [[run]] = await store.batch(name.subscriptionId, claim({ importId: name.importId }))
  return run && ({ ...run, ...name } as Claimed)
}

const release = statement<never, Named>(sql`UPDATE ${imports} SET next_attempt_at = ${caller.now}
  WHERE ${thisId} AND ${imports.status} IN ('running', 'undoing')`)

export const releaseRun = (store: Store, { subscriptionId, importId }: RunName) =>
  store.batch(subscriptionId, release({ importId }))

const refuse = (reason: string) => inline(reason)

// The run was canceled, or another invocation took over after the lease.
const inTurn = statement<never, Target & Slice>(sql`INSERT INTO refusal SELECT reason FROM (SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM ${imports} WHERE ${thisRun} AND ${imports.status} = 'running'
      AND ${imports.done} = ${param('from')}) THEN ${refuse('conflict:Another has the run.')}
    WHEN ${param('segmentId')} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${segment.table} WHERE ${segment.addressed})
      THEN ${refuse('segment_not_found')}
    WHEN EXISTS (SELECT 1 FROM ${imports} LEFT JOIN ${products} ON ${products.id} = ${imports.productId} AND ${products.deletedAt} IS NULL
      WHERE ${thisRun} AND ${imports.productId} IS NOT NULL AND ${products.id} IS NULL) THEN ${refuse('product_not_found')} END AS reason)
  WHERE reason IS NOT NULL`)

/**
 * Writes the next slice of a run in a single batch, and completes the run with the last slice. `letter` invites the
 * created people. A lost lease throws an ApiError.
 */
export async function writeSlice(
  store: Store,
  run: Claimed,
  slice: Slice,
  { bulk, rowsPerRecord }: Pick<Importing, 'bulk' | 'rowsPerRecord'>,
  letter: NewMailing | undefined,
): Promise<void> {
  const values = { ...run, ...slice, lease: LEASE }
  const ends = slice.to === run.total
  await store.batch(
    run.subscriptionId,
    // `acceptImport` has charged the rows already.
    { ...inTurn(values), charged: (slice.to - slice.from) * rowsPerRecord },
    ...written(values, bulk, letter),
    ...(ends ? finished(run) : []),
  )
}

const fail = statement<never, { reference: string; problem: string }>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`'failed'`,
    problem: param('problem'),
    finishedAt: caller.now,
    nextAttemptAt: caller.now,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${thisRun} AND ${imports.status} = 'running'`,
)
const failed = importRun.event('failed', sql`${thisRun} AND changes() > 0`)

/** Ends a run with a problem. Written rows stay and can be undone. */
export async function failRun(store: Store, { subscriptionId, reference }: Claimed, problem: string): Promise<void> {
  const ended = fail({ reference, problem })
  await store.batch(subscriptionId, ended, directlyAfter(ended, failed({ reference })))
}

const undoing = statement<never, Named>(sql`INSERT INTO refusal SELECT ${refuse('conflict:It is undone.')}
  WHERE NOT EXISTS (SELECT 1 FROM ${imports} WHERE ${thisId} AND ${imports.status} = 'undoing')`)

const status = statement<{ status: string }, Named>(
  sql`SELECT ${imports.status} AS "status" FROM ${imports} WHERE ${thisId}`,
)

/** Undoes the next part of a run. Returns true after the last part. */
export async function takeBack(store: Store, run: Claimed, limit: number, bulk: Bulk): Promise<boolean> {
  const { importId } = run
  const round = takenBack({ importId, limit, lease: LEASE }, bulk.undo)
  const rows = await store.batch(run.subscriptionId, undoing({ importId }), ...round, status({ importId }))
  return (rows.at(-1) as { status: string }[])[0]?.status === 'undone'
}

export interface DueRun {
  subscriptionId: number
  importId: number
  working: number
  objectKey: string | null
}

const RUNS_AT_ONCE = 100

const due = statement<DueRun>(sql`SELECT ${imports.subscriptionId} AS "subscriptionId", ${imports.id} AS "importId",
    ${imports.status} IN ('pending', 'running', 'undoing') AS "working", ${imports.objectKey} AS "objectKey"
  FROM ${imports} WHERE ${imports.nextAttemptAt} IS NOT NULL AND ${imports.nextAttemptAt} <= ${caller.now}
  ORDER BY ${imports.nextAttemptAt} LIMIT ${inline(RUNS_AT_ONCE)}`)

export const listDue = async (store: Store): Promise<DueRun[]> => (await store.batch(null, due({})))[0]

const given = sql`json_each(${param('runs')}) d`
const named = sql`${imports.id} = d.value ->> 'importId' AND +${imports.subscriptionId} = d.value ->> 'subscriptionId'`

const withoutObject = statement<never, { runs: string }>(sql`UPDATE ${imports} SET object_key = NULL,
    next_attempt_at = ${imports.finishedAt} + ${inline(RESTORABLE)} FROM ${given}
  WHERE ${named} AND ${imports.finishedAt} IS NOT NULL`)

export const forgetObjects = (store: Store, runs: readonly DueRun[]) =>
  store.batch(null, withoutObject({ runs: JSON.stringify(runs) }))

const ROWS_AT_ONCE = inline(5_000)

const ofRun = sql`${importRows.subscriptionId} = d.value ->> 'subscriptionId'
  AND ${importRows.importId} = d.value ->> 'importId'`

const forgetRows = statement<never, { runs: string }>(sql`DELETE FROM ${importRows}
  WHERE (subscription_id, import_id, outcome, row) IN (
    SELECT ${importRows.subscriptionId}, ${importRows.importId}, ${importRows.outcome}, ${importRows.row}
    FROM ${given} CROSS JOIN ${importRows} ON ${ofRun} LIMIT ${ROWS_AT_ONCE})`)
const settle = statement<never, { runs: string }>(sql`UPDATE ${imports} SET next_attempt_at = NULL FROM ${given}
  WHERE ${named} AND NOT EXISTS (SELECT 1 FROM ${importRows} WHERE ${ofRun})`)

/** Deletes a bounded share of the journal, because the journal contains personal data. */
export async function forgetRowsOf(store: Store, runs: readonly DueRun[]): Promise<void> {
  const values = { runs: JSON.stringify(runs) }
  await store.batch(null, forgetRows(values), settle(values))
}
