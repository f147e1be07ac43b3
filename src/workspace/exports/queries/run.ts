import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { makeListReader } from '../../../db/records/list'
import { exportRuns } from '../../../db/schema/exports'
import { caller, columnList, inline, insertInto, param, type SelectedRow, statement } from '../../../db/sql/statement'
import { ApiError, notFoundError } from '../../../text/errors'
import { type ExportKey, exportRun } from '../fields'
import { type ExportPart, ListExports, MAX_KEPT_EXPORTS } from '../schema'

const DAY_MS = 86_400_000
const EXPORT_KEPT_MS = inline(7 * DAY_MS)

export const getExport = exportRun.get

export const listExports = makeListReader(exportRun, ListExports, { sorts: { createdAt: exportRuns.createdAt } }).page

type NewExport = { objectKey: string; include: string }

const tooManyExports = guard<Record<never, never>>(
  `conflict:The workspace has ${MAX_KEPT_EXPORTS} exports. Wait until an export expires.`,
  sql`EXISTS (SELECT 1 FROM ${exportRuns} WHERE ${exportRuns.subscriptionId} = ${caller.subscription}
    AND ${exportRuns.kind} = 'export' AND ${exportRuns.status} IN ('queued', 'running', 'completed')
    LIMIT 1 OFFSET ${inline(MAX_KEPT_EXPORTS - 1)})`,
)

const insertExport = statement<never, NewExport>(
  insertInto(exportRuns, {
    subscriptionId: caller.subscription,
    include: param('include'),
    objectKey: param('objectKey'),
    keptFor: EXPORT_KEPT_MS,
    nextAttemptAt: caller.now,
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)
const emitCreated = exportRun.emit('created')

export const createExport = (db: Database, objectKey: string, include: readonly ExportPart[]) =>
  exportRun.save(db, {
    guards: [tooManyExports({})],
    statements: [insertExport({ objectKey, include: JSON.stringify([...new Set(include)]) }), emitCreated({})],
    returning: exportRun.inserted(),
  })

const DOWNLOAD_COLUMNS = ['kind', 'status', 'objectKey', 'size', 'createdAt'] as const

const selectDownload = statement<SelectedRow<typeof exportRuns, (typeof DOWNLOAD_COLUMNS)[number]>, ExportKey>(
  sql`SELECT ${columnList(exportRuns, DOWNLOAD_COLUMNS)} FROM ${exportRuns} WHERE ${exportRun.byKey}`,
)

const PROBLEM_BY_STATUS: Record<string, string> = {
  failed: 'The export has failed and has no file. Start another export.',
  expired: 'The file of the export was deleted when it expired. Start another export.',
}

export async function getExportFile(db: Database, key: ExportKey) {
  const [[found]] = await db.read(selectDownload(key))
  if (!found) throw notFoundError(exportRun.missing)
  const { kind, status, size, objectKey, createdAt } = found
  if (kind === 'restore') throw new ApiError('conflict', 'A restore has no file. Download an export.')
  if (status !== 'completed' || size === null) {
    const message = PROBLEM_BY_STATUS[status] ?? 'The export is not complete yet. Repeat the request later.'
    throw new ApiError(status === 'expired' ? 'gone' : 'conflict', message)
  }
  return { objectKey, size, createdAt }
}
