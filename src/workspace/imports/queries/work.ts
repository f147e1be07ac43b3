import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { RESTORE_TTL_MS } from '../../../db/records/lifecycle'
import { importRows, imports } from '../../../db/schema/imports'
import { products } from '../../../db/schema/tenancy'
import {
  assignments,
  caller,
  columns,
  directlyAfter,
  inline,
  param,
  type SelectedRow,
  statement,
} from '../../../db/sql/statement'
import type { NewMailing } from '../../../people/mail/statements'
import { segment } from '../../../people/segments/statements'
import type { ImportDefinition, ImportStatements, RunParameters, Slice } from '../bulk'
import { importRun, isRunOfBatch, isRunWithId } from '../fields'
import { buildFinishStatements, buildSliceStatements, buildUndoRound } from './slice'

export const LEASE = 120_000

const CLAIMED_COLUMNS = [
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

export interface RunKey {
  subscriptionId: number
  importId: number
}

export type ClaimedRun = RunKey & RunParameters & SelectedRow<typeof imports, (typeof CLAIMED_COLUMNS)[number]>

type RunId = { importId: number }

const leaseRun = statement<SelectedRow<typeof imports, (typeof CLAIMED_COLUMNS)[number]>, RunId>(sql`
  UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE ${imports.status} WHEN 'pending' THEN 'running' ELSE ${imports.status} END`,
    nextAttemptAt: sql`${caller.now} + ${inline(LEASE)}`,
    version: sql`${imports.version} + 1`,
  })}
  WHERE ${isRunWithId} AND ${imports.status} IN ('pending', 'running', 'undoing')
    AND ${imports.nextAttemptAt} <= ${caller.now}
  RETURNING ${columns(imports, CLAIMED_COLUMNS)}`)

export async function claimRun(store: Store, name: RunKey): Promise<ClaimedRun | undefined> {
  const [[run]] = await store.batch(name.subscriptionId, leaseRun({ importId: name.importId }))
  return run && ({ ...run, ...name } as ClaimedRun)
}

const releaseLease = statement<never, RunId>(sql`UPDATE ${imports} SET next_attempt_at = ${caller.now}
  WHERE ${isRunWithId} AND ${imports.status} IN ('running', 'undoing')`)

export const releaseRun = (store: Store, { subscriptionId, importId }: RunKey) =>
  store.batch(subscriptionId, releaseLease({ importId }))

const inlineReason = (reason: string) => inline(reason)

// The run was canceled, or another invocation took over after the lease.
const leaseLost = statement<never, RunParameters & Slice>(sql`INSERT INTO refusal SELECT reason FROM (SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM ${imports} WHERE ${isRunOfBatch} AND ${imports.status} = 'running'
      AND ${imports.done} = ${param('from')}) THEN ${inlineReason('conflict:Another has the run.')}
    WHEN ${param('segmentId')} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${segment.table} WHERE ${segment.byKey})
      THEN ${inlineReason('segment_not_found')}
    WHEN EXISTS (SELECT 1 FROM ${imports} LEFT JOIN ${products} ON ${products.id} = ${imports.productId} AND ${products.deletedAt} IS NULL
      WHERE ${isRunOfBatch} AND ${imports.productId} IS NOT NULL AND ${products.id} IS NULL) THEN ${inlineReason('product_not_found')} END AS reason)
  WHERE reason IS NOT NULL`)

export async function writeSlice(
  store: Store,
  run: ClaimedRun,
  slice: Slice,
  { statements, rowsPerRecord }: Pick<ImportDefinition, 'statements' | 'rowsPerRecord'>,
  letter: NewMailing | undefined,
): Promise<void> {
  const values = { ...run, ...slice, lease: LEASE }
  const ends = slice.to === run.total
  await store.batch(
    run.subscriptionId,
    // `acceptImport` has charged the rows already.
    { ...leaseLost(values), chargedRows: (slice.to - slice.from) * rowsPerRecord },
    ...buildSliceStatements(values, statements, letter),
    ...(ends ? buildFinishStatements(run) : []),
  )
}

const markFailed = statement<never, { reference: string; problem: string }>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`'failed'`,
    problem: param('problem'),
    finishedAt: caller.now,
    nextAttemptAt: caller.now,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${isRunOfBatch} AND ${imports.status} = 'running'`,
)
const emitFailed = importRun.emit('failed', sql`${isRunOfBatch} AND changes() > 0`)

export async function failRun(store: Store, { subscriptionId, reference }: ClaimedRun, problem: string): Promise<void> {
  const ended = markFailed({ reference, problem })
  await store.batch(subscriptionId, ended, directlyAfter(ended, emitFailed({ reference })))
}

const undoEnded = statement<never, RunId>(sql`INSERT INTO refusal SELECT ${inlineReason('conflict:It is undone.')}
  WHERE NOT EXISTS (SELECT 1 FROM ${imports} WHERE ${isRunWithId} AND ${imports.status} = 'undoing')`)

const selectStatus = statement<{ status: string }, RunId>(
  sql`SELECT ${imports.status} AS "status" FROM ${imports} WHERE ${isRunWithId}`,
)

export async function undoNextRound(
  store: Store,
  run: ClaimedRun,
  limit: number,
  bulk: ImportStatements,
): Promise<boolean> {
  const { importId } = run
  const round = buildUndoRound({ importId, limit, lease: LEASE }, bulk.undo)
  const rows = await store.batch(run.subscriptionId, undoEnded({ importId }), ...round, selectStatus({ importId }))
  return (rows.at(-1) as { status: string }[])[0]?.status === 'undone'
}

export interface DueRun {
  subscriptionId: number
  importId: number
  working: number
  objectKey: string | null
}

const RUNS_AT_ONCE = 100

const selectDueRuns =
  statement<DueRun>(sql`SELECT ${imports.subscriptionId} AS "subscriptionId", ${imports.id} AS "importId",
    ${imports.status} IN ('pending', 'running', 'undoing') AS "working", ${imports.objectKey} AS "objectKey"
  FROM ${imports} WHERE ${imports.nextAttemptAt} IS NOT NULL AND ${imports.nextAttemptAt} <= ${caller.now}
  ORDER BY ${imports.nextAttemptAt} LIMIT ${inline(RUNS_AT_ONCE)}`)

export const listDueRuns = async (store: Store): Promise<DueRun[]> => (await store.batch(null, selectDueRuns({})))[0]

const boundRuns = sql`json_each(${param('runs')}) d`
const isBoundRun = sql`${imports.id} = d.value ->> 'importId' AND +${imports.subscriptionId} = d.value ->> 'subscriptionId'`

const clearObjectKey = statement<never, { runs: string }>(sql`UPDATE ${imports} SET object_key = NULL,
    next_attempt_at = ${imports.finishedAt} + ${inline(RESTORE_TTL_MS)} FROM ${boundRuns}
  WHERE ${isBoundRun} AND ${imports.finishedAt} IS NOT NULL`)

export const clearObjectKeys = (store: Store, runs: readonly DueRun[]) =>
  store.batch(null, clearObjectKey({ runs: JSON.stringify(runs) }))

const ROWS_AT_ONCE = inline(5_000)

const isRowOfRun = sql`${importRows.subscriptionId} = d.value ->> 'subscriptionId'
  AND ${importRows.importId} = d.value ->> 'importId'`

const deleteRows = statement<never, { runs: string }>(sql`DELETE FROM ${importRows}
  WHERE (subscription_id, import_id, outcome, row) IN (
    SELECT ${importRows.subscriptionId}, ${importRows.importId}, ${importRows.outcome}, ${importRows.row}
    FROM ${boundRuns} CROSS JOIN ${importRows} ON ${isRowOfRun} LIMIT ${ROWS_AT_ONCE})`)
const endRetention = statement<
  never,
  { runs: string }
>(sql`UPDATE ${imports} SET next_attempt_at = NULL FROM ${boundRuns}
  WHERE ${isBoundRun} AND NOT EXISTS (SELECT 1 FROM ${importRows} WHERE ${isRowOfRun})`)

/** The journal contains personal data. */
export async function deleteJournal(store: Store, runs: readonly DueRun[]): Promise<void> {
  const values = { runs: JSON.stringify(runs) }
  await store.batch(null, deleteRows(values), endRetention(values))
}
