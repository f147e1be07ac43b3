import { sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { exportRuns } from '../../db/schema/exports'
import { computedList, enumField, json, moment } from '../../db/sql/field'
import { inline } from '../../db/sql/statement'
import { EXPORT_PARTS, type EXPORT_STATUSES, type ExportKind, type ExportPart, UNEXPORTED_PARTS } from './schema'

type OmittedPart = ExportPart | (typeof UNEXPORTED_PARTS)[number]

const exportKeyColumns = { exportId: exportRuns.id }
export type ExportKey = Key<typeof exportKeyColumns>

/** A restore brings the files of its ZIP file back, and no events. */
const omittedParts = sql`(SELECT json_group_array(value) FROM json_each(${inline(JSON.stringify([...UNEXPORTED_PARTS, ...EXPORT_PARTS]))})
  WHERE iif(${exportRuns.kind} = 'restore', value <> 'files', value NOT IN (SELECT value FROM json_each(${exportRuns.include}))))`

export const exportRun = record('export', {
  table: exportRuns,
  scope: 'workspace',
  key: exportKeyColumns,
  fields: {
    id: exportRuns.id,
    kind: enumField<ExportKind>(exportRuns.kind),
    status: enumField<(typeof EXPORT_STATUSES)[number]>(exportRuns.status),
    include: json<ExportPart[]>(exportRuns.include),
    omitted: computedList<OmittedPart>(omittedParts),
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
