import { type SQL, sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { exportRuns } from '../../db/schema/exports'
import { computedList, enumField, json, moment } from '../../db/sql/field'
import { inline } from '../../db/sql/statement'
import { type EXPORT_STATUSES, type ExportKind, type ExportPart, UNEXPORTED_PARTS } from './schema'

type OmittedPart = ExportPart | (typeof UNEXPORTED_PARTS)[number]

const exportKeyColumns = { exportId: exportRuns.id }
export type ExportKey = Key<typeof exportKeyColumns>

const isRestore = sql`${exportRuns.kind} = 'restore'`
const lacks = (part: ExportPart) => sql`instr(${exportRuns.include}, ${inline(JSON.stringify(part))}) = 0`
const listWhere = (condition: SQL, part: ExportPart) =>
  sql`iif(${condition}, ${inline(`,${JSON.stringify(part)}`)}, '')`

/** A restore brings the files of its ZIP file back, and no events. Text without `json_each`, which reads a row per member. */
const omittedParts = sql`(${inline(JSON.stringify(UNEXPORTED_PARTS).slice(0, -1))}
  || ${listWhere(sql`NOT ${isRestore} AND ${lacks('files')}`, 'files')}
  || ${listWhere(sql`${isRestore} OR ${lacks('events')}`, 'events')} || ']')`

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
