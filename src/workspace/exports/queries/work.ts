import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { exportEntries, exportRuns } from '../../../db/schema/exports'
import {
  assignments,
  caller,
  columnList,
  directlyAfter,
  inline,
  insertInto,
  param,
  type SelectedRow,
  type Statement,
  statement,
} from '../../../db/sql/statement'
import { selectDueInTurn } from '../../../db/sql/turns'
import { exportIsWorking, exportRun } from '../fields'
import type { ClosedEntry } from '../work/archive'
import type { ExportCounts } from '../work/steps'

// Outlasts a unit of work. Two invocations must never write the same part.
export const EXPORT_LEASE_MS = 300_000
// An invocation that is killed leaves no other trace.
const MAX_ATTEMPTS = 20

const CLAIMED_COLUMNS = [
  ...(['kind', 'include', 'objectKey', 'step', 'position', 'archive', 'createdAt', 'version', 'attempts'] as const),
  ...(['recordCount', 'fileCount', 'eventCount'] as const),
] as const

export interface ExportRunKey {
  subscriptionId: number
  exportId: number
}

export type ClaimedExport = ExportRunKey & SelectedRow<typeof exportRuns, (typeof CLAIMED_COLUMNS)[number]>

type RunId = { exportId: number }
export type Claim = RunId & { version: number }

const isBoundRun = sql`${exportRuns.subscriptionId} = ${caller.subscription} AND ${exportRuns.id} = ${param('exportId')}`
export const isClaimedRun = sql`${isBoundRun} AND ${exportRuns.status} = 'running' AND ${exportRuns.version} = ${param('version')}`
const leaseEnd = sql`${caller.now} + ${inline(EXPORT_LEASE_MS)}`

const claimRun = statement<SelectedRow<typeof exportRuns, (typeof CLAIMED_COLUMNS)[number]>, RunId>(sql`
  UPDATE ${exportRuns} SET ${assignments(exportRuns, {
    status: sql`'running'`,
    attempts: sql`${exportRuns.attempts} + 1`,
    nextAttemptAt: leaseEnd,
    version: sql`${exportRuns.version} + 1`,
  })}
  WHERE ${isBoundRun} AND ${exportIsWorking} AND ${exportRuns.nextAttemptAt} <= ${caller.now}
  RETURNING ${columnList(exportRuns, CLAIMED_COLUMNS)}`)

/** Undefined if the run has ended, or another invocation has the lease. */
export async function claimExport(store: Store, key: ExportRunKey): Promise<ClaimedExport | undefined> {
  const [[run]] = await store.batch(key.subscriptionId, claimRun({ exportId: key.exportId }))
  return run && { ...key, ...run }
}

export const hasTooManyAttempts = ({ attempts }: ClaimedExport): boolean => attempts > MAX_ATTEMPTS

const refuseLostLease = statement<never, Claim>(sql`INSERT INTO refusal
  SELECT ${inline('conflict:Another invocation has the export.')}
  WHERE NOT EXISTS (SELECT 1 FROM ${exportRuns} WHERE ${isClaimedRun})`)

const memberOfEntry = (name: keyof ClosedEntry): SQL => sql.raw(`(e.value ->> '${name}')`)

const insertEntryRows = statement<never, RunId & { entries: string }>(
  insertInto(
    exportEntries,
    {
      subscriptionId: caller.subscription,
      exportId: param('exportId'),
      number: memberOfEntry('number'),
      path: memberOfEntry('path'),
      position: memberOfEntry('offset'),
      size: memberOfEntry('size'),
      packedSize: memberOfEntry('packedSize'),
      crc32: memberOfEntry('crc32'),
      sha256: memberOfEntry('sha256'),
      deflated: memberOfEntry('isDeflated'),
      rowCount: memberOfEntry('rowCount'),
    },
    sql`FROM json_each(${param('entries')}) e`,
  ),
)

const deleteEntryRows = statement<never, RunId>(sql`DELETE FROM ${exportEntries}
  WHERE ${exportEntries.subscriptionId} = ${caller.subscription} AND ${exportEntries.exportId} = ${param('exportId')}`)

export const deleteEntries = (exportId: number): Statement<never> => deleteEntryRows({ exportId })

/** Entries of one batch may be many. */
export const insertEntries = (exportId: number, entries: readonly ClosedEntry[]): Statement<never> => ({
  ...insertEntryRows({ exportId, entries: JSON.stringify(entries) }),
  bindsRows: true,
})

type Progress = { step: number; position: string | null; archive: string; progress: number } & Record<
  keyof ExportCounts,
  number
>

const updateProgress = statement<never, RunId & Progress>(
  sql`UPDATE ${exportRuns} SET ${assignments(exportRuns, {
    step: param('step'),
    position: param('position'),
    archive: param('archive'),
    progress: param('progress'),
    recordCount: param('records'),
    fileCount: param('files'),
    eventCount: param('events'),
    attempts: sql`0`,
    nextAttemptAt: leaseEnd,
  })} WHERE ${isBoundRun}`,
)

export async function saveProgress(
  store: Store,
  { subscriptionId, exportId, version }: ClaimedExport,
  progress: Progress,
  statements: readonly Statement<never>[],
): Promise<void> {
  await store.batch(
    subscriptionId,
    refuseLostLease({ exportId, version }),
    ...statements,
    updateProgress({ exportId, ...progress }),
  )
}

const completeRun = statement<never, Claim & { size: number }>(
  sql`UPDATE ${exportRuns} SET ${assignments(exportRuns, {
    status: sql`'completed'`,
    progress: sql`100`,
    size: param('size'),
    finishedAt: caller.now,
    updatedAt: caller.now,
    expiresAt: sql`${caller.now} + ${exportRuns.keptFor}`,
    nextAttemptAt: sql`${caller.now} + ${exportRuns.keptFor}`,
    version: sql`${exportRuns.version} + 1`,
  })} WHERE ${isClaimedRun}`,
)
const emitCompleted = exportRun.emit('completed', sql`${isBoundRun} AND changes() > 0`)

export async function completeExport(store: Store, { subscriptionId, exportId, version }: ClaimedExport, size: number) {
  const completed = completeRun({ exportId, version, size })
  await store.batch(subscriptionId, completed, directlyAfter(completed, emitCompleted({ exportId })))
}

const failRun = statement<never, Claim & { problem: string }>(
  sql`UPDATE ${exportRuns} SET ${assignments(exportRuns, {
    status: sql`'failed'`,
    problem: param('problem'),
    archive: sql`coalesce(${exportRuns.archive}, '{}')`,
    finishedAt: caller.now,
    updatedAt: caller.now,
    // The cron deletes the bytes.
    nextAttemptAt: caller.now,
    version: sql`${exportRuns.version} + 1`,
  })} WHERE ${isClaimedRun}`,
)
const emitFailed = exportRun.emit('failed', sql`${isBoundRun} AND changes() > 0`)

export async function failExport(store: Store, { subscriptionId, exportId, version }: ClaimedExport, problem: string) {
  const failed = failRun({ exportId, version, problem })
  await store.batch(subscriptionId, failed, directlyAfter(failed, emitFailed({ exportId })))
}

const endLease = statement<never, Claim>(sql`UPDATE ${exportRuns} SET next_attempt_at = ${caller.now}
  WHERE ${isClaimedRun}`)

export const passExportTurn = (store: Store, { subscriptionId, exportId, version }: ClaimedExport) =>
  store.batch(subscriptionId, endLease({ exportId, version }))

const MAX_DUE_EXPORTS_PER_CRON = 100

const selectWorkingExports = statement<{ subscriptionId: number; id: number }>(
  selectDueInTurn({
    group: exportRuns.subscriptionId,
    dueAt: exportRuns.nextAttemptAt,
    isWaiting: exportIsWorking,
    names: ['subscriptionId', 'id'],
    limit: MAX_DUE_EXPORTS_PER_CRON,
    maxPerGroup: 1,
  }),
)

export async function listWorkingExports(store: Store): Promise<ExportRunKey[]> {
  const [found] = await store.batch(null, selectWorkingExports({}))
  return found.map(({ subscriptionId, id }) => ({ subscriptionId, exportId: id }))
}
