import { sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { exportRuns } from '../../db/schema/exports'
import { enumField, json, moment } from '../../db/sql/field'
import type { EXPORT_STATUSES, ExportKind, ExportPart } from './schema'

const exportKeyColumns = { exportId: exportRuns.id }
export type ExportKey = Key<typeof exportKeyColumns>

export const exportRun = record('export', {
  table: exportRuns,
  scope: 'workspace',
  key: exportKeyColumns,
  fields: {
    id: exportRuns.id,
    kind: enumField<ExportKind>(exportRuns.kind),
    status: enumField<(typeof EXPORT_STATUSES)[number]>(exportRuns.status),
    include: json<ExportPart[]>(exportRuns.include),
    progress: exportRuns.progress,
    totals: { records: exportRuns.recordCount, files: exportRuns.fileCount, events: exportRuns.eventCount },
    size: exportRuns.size,
    problem: exportRuns.problem,
    expiresAt: moment(exportRuns.expiresAt),
    createdAt: moment(exportRuns.createdAt),
    completedAt: moment(exportRuns.finishedAt),
  },
})

export const exportIsWorking = sql`${exportRuns.status} IN ('queued', 'running')`
