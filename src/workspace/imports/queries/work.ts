import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { RESTORE_TTL_MS } from '../../../db/records/lifecycle'
import { importRows, imports, importWarnings } from '../../../db/schema/imports'
import { products } from '../../../db/schema/tenancy'
import { isInThisHome } from '../../../db/sql/fence'
import {
  assignments,
  caller,
  columnList,
  directlyAfter,
  inline,
  param,
  type SelectedRow,
  statement,
} from '../../../db/sql/statement'
import { selectDueInTurn } from '../../../db/sql/turns'
import type { NewMailing } from '../../../people/mail/statements'
import { segment } from '../../../people/segments/statements'
import type { ImportDefinition, ImportRunValues, ImportSlice, ImportSliceValues, ImportStatements } from '../bulk'
import { importRun, isBoundRun, isRunOfBatch } from '../fields'
import { buildRunFinishStatements, buildSliceStatements, buildUndoRoundStatements } from './slice'

export const RUN_LEASE_MS = 120_000

const CLAIMED_RUN_COLUMNS = [
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

export interface ImportRunKey {
  subscriptionId: number
  importId: number
}

export type ClaimedRun = ImportRunKey &
  Omit<ImportRunValues, 'createMissing'> &
  SelectedRow<typeof imports, (typeof CLAIMED_RUN_COLUMNS)[number]>

type RunId = { importId: number }

const runIsWorking = sql`${imports.status} IN ('pending', 'running', 'undoing')`

/** A workspace works on one run at a time, and leaves the other invocations to other workspaces. */
const workspaceHasLease = sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.subscriptionId} = ${caller.subscription}
  AND ${runIsWorking} AND ${imports.nextAttemptAt} > ${caller.now} AND ${imports.status} <> 'pending')`

const updateRunLease = statement<SelectedRow<typeof imports, (typeof CLAIMED_RUN_COLUMNS)[number]>, RunId>(sql`
  UPDATE ${imports} SET ${assignments(imports, {
    status: sql`CASE ${imports.status} WHEN 'pending' THEN 'running' ELSE ${imports.status} END`,
    nextAttemptAt: sql`${caller.now} + ${inline(RUN_LEASE_MS)}`,
    version: sql`${imports.version} + 1`,
  })}
  WHERE ${isBoundRun} AND ${runIsWorking} AND ${imports.nextAttemptAt} <= ${caller.now} AND NOT ${workspaceHasLease}
  RETURNING ${columnList(imports, CLAIMED_RUN_COLUMNS)}`)

export async function claimImportRun(store: Store, name: ImportRunKey): Promise<ClaimedRun | undefined> {
  const [[run]] = await store.batch(name.subscriptionId, updateRunLease({ importId: name.importId }))
  return run && ({ ...run, ...name } as ClaimedRun)
}

const endRunLease = statement<never, RunId>(sql`UPDATE ${imports} SET next_attempt_at = ${caller.now}
  WHERE ${isBoundRun} AND ${imports.status} IN ('running', 'undoing')`)

const selectNextRun = statement<{ importId: number }>(sql`SELECT ${imports.id} AS "importId" FROM ${imports}
  WHERE ${imports.subscriptionId} = ${caller.subscription} AND ${runIsWorking} AND ${imports.nextAttemptAt} <= ${caller.now}
  ORDER BY ${imports.nextAttemptAt} LIMIT 1`)

/** Ends the lease, and returns the run of the workspace that has waited longest. */
export async function passTurn(store: Store, { subscriptionId, importId }: ImportRunKey, holdsLease: boolean) {
  const statements = holdsLease ? [endRunLease({ importId })] : []
  const rows = await store.batch(subscriptionId, ...statements, selectNextRun({}))
  const [next] = rows.at(-1) as { importId: number }[]
  return next && { subscriptionId, ...next }
}

// The run was canceled, or another invocation took over after the lease.
const refuseLostLease = statement<never, ImportSliceValues>(sql`INSERT INTO refusal SELECT reason FROM (SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM ${imports} WHERE ${isRunOfBatch} AND ${imports.status} = 'running'
      AND ${imports.done} = ${param('from')}) THEN ${inline('conflict:Another has the run.')}
    WHEN ${param('segmentId')} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${segment.table} WHERE ${segment.byKey})
      THEN ${inline('segment_not_found')}
    WHEN EXISTS (SELECT 1 FROM ${imports} LEFT JOIN ${products} ON ${products.id} = ${imports.productId} AND ${products.deletedAt} IS NULL
      WHERE ${isRunOfBatch} AND ${imports.productId} IS NOT NULL AND ${products.id} IS NULL) THEN ${inline('product_not_found')} END AS reason)
  WHERE reason IS NOT NULL`)

/** Returns the number of statements. */
export async function writeImportSlice(
  store: Store,
  run: ClaimedRun & ImportRunValues,
  slice: ImportSlice,
  { statements, rowsPerRecord }: Pick<ImportDefinition, 'statements' | 'rowsPerRecord'>,
  letter: NewMailing | undefined,
): Promise<number> {
  const values = { ...run, ...slice, lease: RUN_LEASE_MS }
  const ends = slice.to === run.total
  const batch = [
    // `acceptImport` has charged the rows already.
    { ...refuseLostLease(values), chargedRows: (slice.to - slice.from) * rowsPerRecord },
    ...buildSliceStatements(values, statements, letter),
    ...(ends ? buildRunFinishStatements(run) : []),
  ]
  await store.batch(run.subscriptionId, ...batch)
  return batch.length
}

const markRunFailed = statement<never, { reference: string; problem: string }>(
  sql`UPDATE ${imports} SET ${assignments(imports, {
    status: sql`'failed'`,
    problem: param('problem'),
    finishedAt: caller.now,
    nextAttemptAt: caller.now,
    updatedAt: caller.now,
    version: sql`${imports.version} + 1`,
  })} WHERE ${isRunOfBatch} AND ${imports.status} = 'running'`,
)
const emitImportFailed = importRun.emit('failed', sql`${isRunOfBatch} AND changes() > 0`)

export async function failRun(store: Store, { subscriptionId, reference }: ClaimedRun, problem: string): Promise<void> {
  const ended = markRunFailed({ reference, problem })
  await store.batch(subscriptionId, ended, directlyAfter(ended, emitImportFailed({ reference })))
}

const refuseEndedUndo = statement<never, RunId>(sql`INSERT INTO refusal SELECT ${inline('conflict:It is undone.')}
  WHERE NOT EXISTS (SELECT 1 FROM ${imports} WHERE ${isBoundRun} AND ${imports.status} = 'undoing')`)

const selectRunStatus = statement<{ status: string }, RunId>(
  sql`SELECT ${imports.status} AS "status" FROM ${imports} WHERE ${isBoundRun}`,
)

export async function undoNextRound(store: Store, run: ClaimedRun, limit: number, undo: ImportStatements['undo']) {
  const { importId } = run
  const round = buildUndoRoundStatements({ importId, limit, lease: RUN_LEASE_MS }, undo)
  const rows = await store.batch(
    run.subscriptionId,
    refuseEndedUndo({ importId }),
    ...round,
    selectRunStatus({ importId }),
  )
  return (rows.at(-1) as { status: string }[])[0]?.status === 'undone'
}

export interface EndedRun extends ImportRunKey {
  objectKey: string | null
}

const MAX_DUE_RUNS_PER_CRON = 100

const selectWorkingRuns = statement<{ subscriptionId: number; id: number }>(
  selectDueInTurn({
    group: imports.subscriptionId,
    dueAt: imports.nextAttemptAt,
    isWaiting: runIsWorking,
    names: ['subscriptionId', 'id'],
    limit: MAX_DUE_RUNS_PER_CRON,
    maxPerGroup: 1,
  }),
)

const selectEndedRuns =
  statement<EndedRun>(sql`SELECT ${imports.subscriptionId} AS "subscriptionId", ${imports.id} AS "importId",
    ${imports.objectKey} AS "objectKey"
  FROM ${imports} WHERE ${imports.nextAttemptAt} IS NOT NULL AND ${imports.status} NOT IN ('pending', 'running', 'undoing')
    AND ${imports.nextAttemptAt} <= ${caller.now} AND ${isInThisHome(imports.subscriptionId)}
  ORDER BY ${imports.nextAttemptAt} LIMIT ${inline(MAX_DUE_RUNS_PER_CRON)}`)

export async function listDueRuns(store: Store): Promise<{ working: ImportRunKey[]; ended: EndedRun[] }> {
  const [working, ended] = await store.batch(null, selectWorkingRuns({}), selectEndedRuns({}))
  return { working: working.map(({ subscriptionId, id }) => ({ subscriptionId, importId: id })), ended }
}

const fromBoundDueRuns = sql`json_each(${param('runs')}) d`
const isBoundDueRun = sql`${imports.id} = d.value ->> 'importId' AND +${imports.subscriptionId} = d.value ->> 'subscriptionId'`

const clearBoundObjectKeys = statement<never, { runs: string }>(sql`UPDATE ${imports} SET object_key = NULL,
    next_attempt_at = ${imports.finishedAt} + ${inline(RESTORE_TTL_MS)} FROM ${fromBoundDueRuns}
  WHERE ${isBoundDueRun} AND ${imports.finishedAt} IS NOT NULL`)

export const clearObjectKeys = (store: Store, runs: readonly EndedRun[]) =>
  store.batch(null, clearBoundObjectKeys({ runs: JSON.stringify(runs) }))

const MAX_JOURNAL_ROWS_DELETED = inline(5_000)

const isRowOfBoundDueRun = sql`${importRows.subscriptionId} = d.value ->> 'subscriptionId'
  AND ${importRows.importId} = d.value ->> 'importId'`

const isWarningOfBoundDueRun = sql`${importWarnings.subscriptionId} = d.value ->> 'subscriptionId'
  AND ${importWarnings.importId} = d.value ->> 'importId'`

const deleteJournalRows = statement<never, { runs: string }>(sql`DELETE FROM ${importRows}
  WHERE (subscription_id, import_id, outcome, row) IN (
    SELECT ${importRows.subscriptionId}, ${importRows.importId}, ${importRows.outcome}, ${importRows.row}
    FROM ${fromBoundDueRuns} CROSS JOIN ${importRows} ON ${isRowOfBoundDueRun} LIMIT ${MAX_JOURNAL_ROWS_DELETED})`)
const deleteWarnings = statement<never, { runs: string }>(sql`DELETE FROM ${importWarnings}
  WHERE (subscription_id, import_id, number) IN (
    SELECT ${importWarnings.subscriptionId}, ${importWarnings.importId}, ${importWarnings.number}
    FROM ${fromBoundDueRuns} CROSS JOIN ${importWarnings} ON ${isWarningOfBoundDueRun} LIMIT ${MAX_JOURNAL_ROWS_DELETED})`)
const endRunRetention = statement<
  never,
  { runs: string }
>(sql`UPDATE ${imports} SET next_attempt_at = NULL FROM ${fromBoundDueRuns}
  WHERE ${isBoundDueRun} AND NOT EXISTS (SELECT 1 FROM ${importRows} WHERE ${isRowOfBoundDueRun})
    AND NOT EXISTS (SELECT 1 FROM ${importWarnings} WHERE ${isWarningOfBoundDueRun})`)

/** The journal contains personal data. */
export async function deleteImportJournal(store: Store, runs: readonly EndedRun[]): Promise<void> {
  const values = { runs: JSON.stringify(runs) }
  await store.batch(null, deleteJournalRows(values), deleteWarnings(values), endRunRetention(values))
}
