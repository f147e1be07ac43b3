import { type SQL, sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { changelogEntries } from '../../db/schema/changelog'
import { feedbackItems } from '../../db/schema/feedback'
import { importRows, imports, importWarnings } from '../../db/schema/imports'
import { workItems } from '../../db/schema/work-items'
import { computedList, computedValue, enumField, type Field, longJson, moment } from '../../db/sql/field'
import { caller, inline, param } from '../../db/sql/statement'
import type { ImportMapping } from './kind'
import type { IMPORT_STATUSES } from './schema'
import type { CountedWarning } from './warnings'

const importKeyColumns = { importId: imports.id }
export type ImportKey = Key<typeof importKeyColumns>

const MAX_SHOWN_ROWS = inline(100)

/** Events omit the rows, because the people in the rows may be erased later. */
function firstJournalRowsField<T>(outcome: 'rejected' | 'kept', members: SQL): Field<string, T[], never> {
  const list = computedList<T>(sql`(SELECT json_group_array(json_object(${members})) FROM (
    SELECT * FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
      AND ${importRows.importId} = ${imports.id} AND ${importRows.outcome} = ${inline(outcome)}
    ORDER BY ${importRows.row} LIMIT ${MAX_SHOWN_ROWS}) r)`)
  return { ...list, json: () => sql`json('[]')` }
}

interface KeptRow {
  row: number
  externalKey: string | null
  id: number | null
  reason: string
}

const selectKeyFrom = (table: typeof feedbackItems | typeof workItems) => sql`(SELECT ${table.externalKey} FROM ${table}
  WHERE ${table.id} = r.record_id AND +${table.subscriptionId} = ${caller.subscription} AND ${table.productId} = ${imports.productId})`
const selectKeptEntryKey = sql`(SELECT ${changelogEntries.externalKey} FROM ${changelogEntries}
  WHERE ${changelogEntries.id} = r.record_id AND +${changelogEntries.subscriptionId} = ${caller.subscription})`
const selectKeptKey = sql`CASE ${imports.kind} WHEN 'backlog' THEN ${selectKeyFrom(workItems)}
  WHEN 'feedback' THEN ${selectKeyFrom(feedbackItems)} WHEN 'changelog' THEN ${selectKeptEntryKey} END`

const firstWarningsField: Field<string, CountedWarning[], never> = {
  ...computedList<CountedWarning>(sql`(SELECT json_group_array(json_object('field', w.field, 'column', w.column_name,
      'value', w.value, 'rows', w.row_count, 'became', w.became, 'reason', w.reason)) FROM (
    SELECT * FROM ${importWarnings} WHERE ${importWarnings.subscriptionId} = ${caller.subscription}
      AND ${importWarnings.importId} = ${imports.id} ORDER BY CASE ${importWarnings.field} WHEN 'suppression' THEN 0 WHEN 'consent' THEN 1 ELSE 2 END, ${importWarnings.number} LIMIT ${MAX_SHOWN_ROWS}) w)`),
  json: () => sql`json('[]')`,
}

export const callerHasScopeOfRun = (
  ...verbs: SQL[]
) => sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value = '*'
  OR value IN (${sql.join(
    verbs.map((verb) => sql`${imports.area} || ':' || ${verb}`),
    sql`, `,
  )}))`

export const importRun = record('import', {
  table: imports,
  scope: { product: imports.productId, shared: true },
  discriminator: sql`AND ${callerHasScopeOfRun(sql`'read'`, sql`'write'`)}`,
  key: importKeyColumns,
  fields: {
    id: imports.id,
    kind: imports.kind,
    segmentId: imports.segmentId,
    status: enumField<(typeof IMPORT_STATUSES)[number]>(imports.status),
    progress: computedValue<number>(sql`100 * ${imports.done} / ${imports.total}`),
    totals: {
      rows: imports.total,
      created: imports.created,
      updated: imports.updated,
      skipped: computedValue<number>(
        sql`${imports.done} - ${imports.created} - ${imports.updated} - ${imports.rejected}`,
      ),
      rejected: imports.rejected,
      suppressed: computedValue<number>(sql`coalesce(${imports.mapping} ->> '$.suppressed', 0)`),
      kept: imports.kept,
    },
    onConflict: enumField<'skip' | 'update'>(imports.onConflict),
    file: imports.fileName,
    problem: imports.problem,
    createdAt: moment(imports.createdAt),
    updatedAt: moment(imports.updatedAt),
    completedAt: moment(imports.finishedAt),
  },
  detail: {
    mapping: longJson<ImportMapping>(imports.mapping),
    rejected: firstJournalRowsField<{ row: number; field: string | null; value: string | null; reason: string }>(
      'rejected',
      sql`'row', r.row, 'field', r.field, 'value', r.value, 'reason', r.reason`,
    ),
    warnings: firstWarningsField,
    kept: firstJournalRowsField<KeptRow>(
      'kept',
      sql`'row', r.row, 'externalKey', ${selectKeptKey}, 'id', iif(${imports.kind} IN ('people', 'suppressions'), r.record_id, NULL), 'reason', r.reason`,
    ),
  },
})

export const isBoundRun = sql`${imports.subscriptionId} = ${caller.subscription} AND ${imports.id} = ${param('importId')}`

/** The run of the batch by reference, because the id is unknown before the insert. */
export const isRunOfBatch = sql`${imports.subscriptionId} = ${caller.subscription}
  AND ${imports.reference} = ${param('reference')}`
export const runIdOfBatch: SQL = sql`(SELECT ${imports.id} FROM ${imports} WHERE ${isRunOfBatch})`
