import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { among, computed, computedList, type Field, longJson, moment } from '../../db/field'
import { RESTORABLE } from '../../db/lifecycle'
import { type Key, record } from '../../db/record'
import { importRows, imports } from '../../db/schema/imports'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../db/statement'
import type { Mapping } from './kind'
import type { STATUSES } from './schema'

const key = { importId: imports.id }
export type ImportKey = Key<typeof key>

const SHOWN = sql.raw('100')

/** Rows of an outcome, the first of them. Who is in them may be erased: the log holds none. */
function rowsShown<T>(outcome: 'rejected' | 'kept', members: SQL): Field<string, T[], never> {
  const list = computedList<T>(sql`(SELECT json_group_array(json_object(${members})) FROM (
    SELECT * FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
      AND ${importRows.importId} = ${imports.id} AND ${importRows.outcome} = ${sql.raw(`'${outcome}'`)}
    ORDER BY ${importRows.row} LIMIT ${SHOWN}) r)`)
  return { ...list, json: () => sql`json('[]')` }
}

/** Whether the caller's key has one of these scopes in the area of a run. */
export const allowed = (...verbs: SQL[]) => sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value = '*'
  OR value IN (${sql.join(
    verbs.map((verb) => sql`${imports.area} || ':' || ${verb}`),
    sql`, `,
  )}))`

/** A run of an import. */
export const importRun = record('import', {
  table: imports,
  within: { product: imports.productId, shared: true },
  only: sql`AND ${allowed(sql`'read'`, sql`'write'`)}`,
  key,
  fields: {
    id: imports.id,
    kind: imports.kind,
    segmentId: imports.segmentId,
    status: among<(typeof STATUSES)[number]>(imports.status),
    progress: computed<number>(sql`100 * ${imports.done} / ${imports.total}`),
    totals: {
      rows: imports.total,
      created: imports.created,
      updated: imports.updated,
      skipped: computed<number>(sql`${imports.done} - ${imports.created} - ${imports.updated} - ${imports.rejected}`),
      rejected: imports.rejected,
      kept: imports.kept,
    },
    onConflict: among<'skip' | 'update'>(imports.onConflict),
    file: imports.fileName,
    problem: imports.problem,
    createdAt: moment(imports.createdAt),
    updatedAt: moment(imports.updatedAt),
    completedAt: moment(imports.finishedAt),
  },
  detail: {
    mapping: longJson<Mapping>(imports.mapping),
    rejected: rowsShown<{ row: number; field: string | null; value: string | null; reason: string }>(
      'rejected',
      sql`'row', r.row, 'field', r.field, 'value', r.value, 'reason', r.reason`,
    ),
    kept: rowsShown<{ row: number; reason: string }>('kept', sql`'row', r.row, 'reason', r.reason`),
  },
})

/** The run of a batch, by what is known before its id is. */
export const thisRun = sql`${imports.subscriptionId} = ${caller.subscription}
  AND ${imports.reference} = ${param('reference')}`
export const runId: SQL = sql`(SELECT ${imports.id} FROM ${imports} WHERE ${thisRun})`

export type Outcome = 'created' | 'updated' | 'rejected' | 'kept'

const rowsIn = (run: SQLWrapper, outcome: Outcome) => sql`${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.importId} = ${run} AND ${importRows.outcome} = ${sql.raw(`'${outcome}'`)}`

/** The rows of an outcome in this run. */
export const rowsOf = (outcome: Outcome) => rowsIn(runId, outcome)

/** Those of a slice. */
export const sliceOf = (outcome: Outcome) =>
  sql`${rowsOf(outcome)} AND ${importRows.row} > ${param('from')} AND ${importRows.row} <= ${param('to')}`

/** Those of the run whose id is bound. */
export const rowsOfId = (outcome: Outcome) => rowsIn(param('importId'), outcome)

/** When what an undo takes back counts as removed: its time to be restored is over. */
export const OVER = sql`(${caller.now} - ${sql.raw(String(RESTORABLE))})`

type Written = 'created' | 'updated'

/** A value of a row that the kind stores, by its place: the number of the row is at 0. */
export const stored = (place: number): SQL => sql.raw(`(p.value ->> ${place})`)
export const row: SQL = stored(0)

/** The rows of a slice, called `p`; and those of an outcome, beside what is noted of them. */
export const given = sql`json_each(${param('rows')}) p`
export const noted = (outcome: Written) => sql`${given} CROSS JOIN ${importRows}
  ON ${rowsOf(outcome)} AND ${importRows.row} = ${row}`

// What is written is found by what stands in a subquery, in its order: its limit keeps the two apart.
export const FIRST = sql.raw('LIMIT -1')

/** What of a row that is judged is noted of a rejected one alone. */
export const ifRejected = (value: SQL) => sql`CASE outcome WHEN 'rejected' THEN ${value} END`

/** The statements of texts, in their order. */
export const make = <V extends Values>(...sources: SQL[]) => {
  const statements = sources.map((source) => statement<never, V>(source))
  return (values: V): Statement<never>[] => statements.map((one) => one(values))
}

type Imported = SQLiteTable & Record<'id' | 'subscriptionId' | 'version' | 'deletedAt', SQLiteColumn>

/** What an undo of every kind does alike, with the records of the kind in a table. */
export function undoing(kind: string, table: Imported) {
  // Those that one round takes back, the last first; none of a run of another kind, whose records are others.
  const round = (outcome: Written) => sql`(SELECT * FROM ${importRows} WHERE ${rowsOfId(outcome)} AND EXISTS (
      SELECT 1 FROM ${imports} WHERE ${imports.id} = ${param('importId')} AND ${imports.kind} = ${sql.raw(`'${kind}'`)})
    ORDER BY ${importRows.row} DESC LIMIT ${param('limit')}) r`
  /** A record of a round, which stands, called by the name of its table. */
  const records = (outcome: Written) => sql`${round(outcome)} CROSS JOIN ${table}
    ON ${table.id} = r.record_id AND +${table.subscriptionId} = ${caller.subscription} AND ${table.deletedAt} IS NULL`
  return {
    round,
    records,
    /** Whether it is another than the run has left it. */
    changed: sql`${table.version} <> r.version`,
    /** Notes what must be left, and why; NULL: nothing is against it. */
    keep: (outcome: Written, why: SQL) =>
      insertInto(
        importRows,
        {
          subscriptionId: caller.subscription,
          importId: sql`r.import_id`,
          outcome: sql`'kept'`,
          row: sql`r.row`,
          reason: why,
        },
        sql`FROM ${records(outcome)} WHERE ${why} IS NOT NULL`,
      ),
    /** Forgets what a round was about. */
    forget: (outcome: Written) => sql`DELETE FROM ${importRows}
      WHERE ${rowsOfId(outcome)} AND ${importRows.row} IN (SELECT r.row FROM ${round(outcome)})`,
  }
}
