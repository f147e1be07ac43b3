import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { exportEntries, exportRuns, restoredIds } from '../../../db/schema/exports'
import { isInThisHome } from '../../../db/sql/fence'
import { caller, columnList, inline, param, type SelectedRow, statement } from '../../../db/sql/statement'

const ENDED_COLUMNS = ['subscriptionId', 'id', 'status', 'objectKey', 'archive'] as const
const MAX_ENDED_PER_CRON = inline(50)
const MAX_ENTRIES_DELETED = inline(5_000)
const MAX_RESTORED_IDS_DELETED = inline(50_000)
// A list shows the fate of an export for a while.
const ENDED_EXPORT_KEPT_MS = inline(30 * 86_400_000)

export type EndedExport = SelectedRow<typeof exportRuns, (typeof ENDED_COLUMNS)[number]>
type BoundRuns = { runs: string }

const selectEndedExports = statement<EndedExport>(sql`SELECT ${columnList(exportRuns, ENDED_COLUMNS)} FROM ${exportRuns}
  WHERE ${exportRuns.nextAttemptAt} IS NOT NULL AND ${exportRuns.status} NOT IN ('queued', 'running')
    AND ${exportRuns.nextAttemptAt} <= ${caller.now} AND ${isInThisHome(exportRuns.subscriptionId)}
  ORDER BY ${exportRuns.nextAttemptAt} LIMIT ${MAX_ENDED_PER_CRON}`)

export const listEndedExports = async (store: Store): Promise<EndedExport[]> =>
  (await store.batch(null, selectEndedExports({})))[0]

const fromBoundRuns = sql`json_each(${param('runs')}) d`
const isBoundRun = sql`${exportRuns.id} = d.value ->> 'id' AND +${exportRuns.subscriptionId} = d.value ->> 'subscriptionId'`
const entryIsOfBoundRun = sql`${exportEntries.subscriptionId} = d.value ->> 'subscriptionId'
  AND ${exportEntries.exportId} = d.value ->> 'id'`

const deleteEntries = statement<never, BoundRuns>(sql`DELETE FROM ${exportEntries}
  WHERE (subscription_id, export_id, number) IN (
    SELECT ${exportEntries.subscriptionId}, ${exportEntries.exportId}, ${exportEntries.number}
    FROM ${fromBoundRuns} CROSS JOIN ${exportEntries} ON ${entryIsOfBoundRun} LIMIT ${MAX_ENTRIES_DELETED})`)

const restoredIdIsOfBoundRun = sql`${restoredIds.subscriptionId} = d.value ->> 'subscriptionId'
  AND ${restoredIds.exportId} = d.value ->> 'id'`

const deleteRestoredIds = statement<never, BoundRuns>(sql`DELETE FROM ${restoredIds}
  WHERE (subscription_id, export_id, table_name, file_id) IN (
    SELECT ${restoredIds.subscriptionId}, ${restoredIds.exportId}, ${restoredIds.tableName}, ${restoredIds.fileId}
    FROM ${fromBoundRuns} CROSS JOIN ${restoredIds} ON ${restoredIdIsOfBoundRun} LIMIT ${MAX_RESTORED_IDS_DELETED})`)

const clearArchives = statement<never, BoundRuns>(sql`UPDATE ${exportRuns} SET archive = NULL,
    status = iif(${exportRuns.status} = 'completed' AND ${exportRuns.kind} <> 'restore', 'expired', ${exportRuns.status}),
    updated_at = ${caller.now},
    version = ${exportRuns.version} + 1, next_attempt_at = ${caller.now} + ${ENDED_EXPORT_KEPT_MS}
  FROM ${fromBoundRuns} WHERE ${isBoundRun}
    AND NOT EXISTS (SELECT 1 FROM ${restoredIds} WHERE ${restoredIdIsOfBoundRun})`)

const toBoundRuns = (runs: readonly EndedExport[]) => ({
  runs: JSON.stringify(runs.map(({ id, subscriptionId }) => ({ id, subscriptionId }))),
})

/** The bytes are deleted. A run with more ids is found again by the next cron. */
export const markCleaned = (store: Store, runs: readonly EndedExport[]) => {
  const values = toBoundRuns(runs)
  return store.batch(null, { ...deleteRestoredIds(values), isLong: true }, clearArchives(values))
}

const deleteRuns = statement<never, BoundRuns>(sql`DELETE FROM ${exportRuns} WHERE ${exportRuns.id} IN (
    SELECT d.value ->> 'id' FROM ${fromBoundRuns} WHERE NOT EXISTS (SELECT 1 FROM ${exportEntries} WHERE ${entryIsOfBoundRun}))
  AND ${exportRuns.status} NOT IN ('queued', 'running')`)

export async function deleteEndedExports(store: Store, runs: readonly EndedExport[]): Promise<void> {
  const values = toBoundRuns(runs)
  await store.batch(null, deleteEntries(values), deleteRuns(values))
}
