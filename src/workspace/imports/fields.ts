import { type SQL, sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { importRows, imports } from '../../db/schema/imports'
import { computedList, computedValue, enumField, type Field, longJson, moment } from '../../db/sql/field'
import { caller, inline, param } from '../../db/sql/statement'
import type { Mapping } from './kind'
import type { STATUSES } from './schema'

const key = { importId: imports.id }
export type ImportKey = Key<typeof key>

const SHOWN_ROWS = inline(100)

/** Events omit the rows, because the people in the rows may be erased later. */
function firstRowsField<T>(outcome: 'rejected' | 'kept', members: SQL): Field<string, T[], never> {
  const list = computedList<T>(sql`(SELECT json_group_array(json_object(${members})) FROM (
    SELECT * FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
      AND ${importRows.importId} = ${imports.id} AND ${importRows.outcome} = ${inline(outcome)}
    ORDER BY ${importRows.row} LIMIT ${SHOWN_ROWS}) r)`)
  return { ...list, json: () => sql`json('[]')` }
}

export const hasScope = (...verbs: SQL[]) => sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value = '*'
  OR value IN (${sql.join(
    verbs.map((verb) => sql`${imports.area} || ':' || ${verb}`),
    sql`, `,
  )}))`

export const importRun = record('import', {
  table: imports,
  scope: { product: imports.productId, shared: true },
  discriminator: sql`AND ${hasScope(sql`'read'`, sql`'write'`)}`,
  key,
  fields: {
    id: imports.id,
    kind: imports.kind,
    segmentId: imports.segmentId,
    status: enumField<(typeof STATUSES)[number]>(imports.status),
    progress: computedValue<number>(sql`100 * ${imports.done} / ${imports.total}`),
    totals: {
      rows: imports.total,
      created: imports.created,
      updated: imports.updated,
      skipped: computedValue<number>(
        sql`${imports.done} - ${imports.created} - ${imports.updated} - ${imports.rejected}`,
      ),
      rejected: imports.rejected,
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
    mapping: longJson<Mapping>(imports.mapping),
    rejected: firstRowsField<{ row: number; field: string | null; value: string | null; reason: string }>(
      'rejected',
      sql`'row', r.row, 'field', r.field, 'value', r.value, 'reason', r.reason`,
    ),
    kept: firstRowsField<{ row: number; reason: string }>('kept', sql`'row', r.row, 'reason', r.reason`),
  },
})

export const isRunWithId = sql`${imports.subscriptionId} = ${caller.subscription} AND ${imports.id} = ${param('importId')}`

/** The run of the batch by reference, because the id is unknown before the insert. */
export const isRunOfBatch = sql`${imports.subscriptionId} = ${caller.subscription}
  AND ${imports.reference} = ${param('reference')}`
export const runId: SQL = sql`(SELECT ${imports.id} FROM ${imports} WHERE ${isRunOfBatch})`
