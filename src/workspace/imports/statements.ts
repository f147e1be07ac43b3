import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { among, computed, computedList, type Field, longJson, moment } from '../../db/field'
import { RESTORABLE } from '../../db/lifecycle'
import { type Key, record } from '../../db/record'
import { importRows, imports } from '../../db/schema/imports'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from '../../db/statement'
import type { Judged, Rehearsed } from './bulk'
import type { Mapping } from './kind'
import type { STATUSES } from './schema'

const key = { importId: imports.id }
export type ImportKey = Key<typeof key>

const SHOWN = inline(100)

/** Rows of an outcome, the first of them. Who is in them may be erased: the log holds none. */
function rowsShown<T>(outcome: 'rejected' | 'kept', members: SQL): Field<string, T[], never> {
  const list = computedList<T>(sql`(SELECT json_group_array(json_object(${members})) FROM (
    SELECT * FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
      AND ${importRows.importId} = ${imports.id} AND ${importRows.outcome} = ${inline(outcome)}
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

/** The run whose id is bound, whoever's key asks. */
export const thisId = sql`${imports.subscriptionId} = ${caller.subscription} AND ${imports.id} = ${param('importId')}`

/** The run of a batch, by what is known before its id is. */
export const thisRun = sql`${imports.subscriptionId} = ${caller.subscription}
  AND ${imports.reference} = ${param('reference')}`
export const runId: SQL = sql`(SELECT ${imports.id} FROM ${imports} WHERE ${thisRun})`

export type Outcome = 'created' | 'updated' | 'rejected' | 'kept'

const rowsIn = (run: SQLWrapper, outcome: Outcome) => sql`${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.importId} = ${run} AND ${importRows.outcome} = ${inline(outcome)}`

/** The rows of an outcome in this run. */
export const rowsOf = (outcome: Outcome) => rowsIn(runId, outcome)

/** Those of a slice. */
export const sliceOf = (outcome: Outcome) =>
  sql`${rowsOf(outcome)} AND ${importRows.row} > ${param('from')} AND ${importRows.row} <= ${param('to')}`

/** Those of the run whose id is bound. */
export const rowsOfId = (outcome: Outcome) => rowsIn(param('importId'), outcome)

/** When what an undo takes back counts as removed: its time to be restored is over. */
const OVER = sql`(${caller.now} - ${inline(RESTORABLE)})`

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

/** A column of the run that this batch is about. */
export const ofRun = (column: 'productId' | 'limited' | 'userId' | 'createdAt') =>
  sql`(SELECT ${imports[column]} FROM ${imports} WHERE ${thisRun})`

const ifRejected = (name: string) => sql.raw(`CASE outcome WHEN 'rejected' THEN ${name} END`)
const ifUpdated = (name: string) => sql.raw(`CASE outcome WHEN 'updated' THEN ${name} END`)

/**
 * Notes what becomes of the rows of a slice. `judged` is a query of each `row` with its `outcome` (NULL: nothing becomes
 * of it), the `id` of the record that it means and its `previous` columns, and `field`, `value`, `reason` and `cells` of
 * one that is rejected; `also`: what a kind notes besides.
 */
export const note = (judged: SQL, also: Partial<Record<'parentRow' | 'joined', SQL>> = {}) =>
  insertInto(
    importRows,
    {
      subscriptionId: caller.subscription,
      importId: runId,
      outcome: sql`outcome`,
      row: sql`row`,
      recordId: ifUpdated('id'),
      previous: ifUpdated('previous'),
      field: ifRejected('field'),
      value: ifRejected('value'),
      reason: ifRejected('reason'),
      cells: ifRejected('cells'),
      ...also,
    },
    sql`FROM (${judged}) WHERE outcome IS NOT NULL`,
  )

/** Reads what would become of them; `judged` has also the record that is `shown`. */
export const judging = (judged: SQL) =>
  statement<Judged, Rehearsed>(sql`SELECT row AS "row", outcome AS "outcome", shown AS "shown",
    ${ifRejected('field')} AS "field", ${ifRejected('reason')} AS "reason" FROM (${judged}) WHERE outcome IS NOT NULL`)

/**
 * Notes which record each row has become: `from` has both. An upsert, so that rows are found in this order, each by its key.
 * `run`: its id, where `from` has it.
 */
export const identify = (
  outcome: Written,
  table: Imported,
  row: SQLWrapper,
  from: SQL,
  { run = runId, previous }: { run?: SQLWrapper; previous?: SQL } = {},
) =>
  insertInto(
    importRows,
    {
      ...{ subscriptionId: caller.subscription, importId: run, outcome: inline(outcome), row },
      ...{ recordId: table.id, version: table.version, ...(previous && { previous }) },
    },
    sql`FROM ${from} WHERE true ON CONFLICT (subscription_id, import_id, outcome, row) DO UPDATE
      SET record_id = excluded.record_id, version = excluded.version ${previous ? sql`, previous = excluded.previous` : sql``}`,
  )

const tenant = (table: Imported) => sql`+${table.subscriptionId} = ${caller.subscription}`
const raised = (table: Imported) => sql`updated_at = ${caller.now}, version = ${table.version} + 1`

/** Sets columns of what a slice updates to what its rows have, which are called `p`; `which`: of which rows. */
export const updates = (table: Imported, set: readonly SQL[], which: SQL = sql``) => [
  sql`UPDATE ${table} SET ${sql.join([...set, raised(table)], sql`, `)}
    FROM (SELECT p.value AS value, ${importRows.recordId} AS id FROM ${noted('updated')} ${which} ${FIRST}) p
    WHERE ${table.id} = p.id AND ${tenant(table)}`,
  identify(
    'updated',
    table,
    sql`p.row`,
    sql`(SELECT ${importRows.importId} AS run, ${importRows.row} AS row, ${importRows.recordId} AS id
      FROM ${importRows} WHERE ${sliceOf('updated')}) p CROSS JOIN ${table} ON ${table.id} = p.id AND ${tenant(table)}`,
    { run: sql`p.run` },
  ),
]

/** The statements of texts, in their order. */
export const make = <V extends Values>(...sources: SQL[]) => {
  const statements = sources.map((source) => statement<never, V>(source))
  return (values: V): Statement<never>[] => statements.map((one) => one(values))
}

type Imported = SQLiteTable & Record<'id' | 'subscriptionId' | 'version' | 'deletedAt', SQLiteColumn>

/** How a kind takes back what it did with a record; what is noted of it is called `r`. */
interface Undone {
  /** What a record is called. */
  noun: string
  /** Something hangs on it that the run did not bring, and what is said then. */
  used: SQL
  inUse: string
  /** What an updated one is set to, and what a created one besides being removed. */
  restores: readonly SQL[]
  removes?: readonly SQL[]
  /** What goes before: by the versions it is known which of them will be what they were. */
  before?: readonly SQL[]
  /** Whether an updated one, too, is left where something hangs on it. */
  revived?: SQL
}

/** What an undo of every kind does alike, with the records of the kind in a table. */
export function undoing(kind: string, table: Imported) {
  // Those that one round takes back, the last first; none of a run of another kind, whose records are others.
  const round = (outcome: Written) => sql`(SELECT * FROM ${importRows} WHERE ${rowsOfId(outcome)} AND EXISTS (
      SELECT 1 FROM ${imports} WHERE ${imports.id} = ${param('importId')} AND ${imports.kind} = ${inline(kind)})
    ORDER BY ${importRows.row} DESC LIMIT ${param('limit')}) r`
  const standing = sql`${table.id} = r.record_id AND ${tenant(table)} AND ${table.deletedAt} IS NULL`
  /** A record of a round, which stands, called by the name of its table. */
  const records = (outcome: Written) => sql`${round(outcome)} CROSS JOIN ${table} ON ${standing}`
  /** It is another than the run has left it. */
  const changed = sql`${table.version} <> r.version`
  /** Notes what must be left, and why; NULL: nothing is against it. */
  const keep = (outcome: Written, why: SQL) =>
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
    )
  /** Forgets what a round was about. */
  const forget = (outcome: Written) => sql`DELETE FROM ${importRows}
    WHERE ${rowsOfId(outcome)} AND ${importRows.row} IN (SELECT r.row FROM ${round(outcome)})`
  return {
    round,
    /** What a round updated and will be what it was; `beside`: joined to each. */
    restored: (beside: SQL = sql``) => sql`${records('updated')} ${beside} WHERE NOT (${changed})`,
    statements({ noun, used, inUse, restores, removes = [], before = [], revived = sql`0` }: Undone): SQL[] {
      const CHANGED = inline(`The ${noun} was changed since.`)
      const IN_USE = inline(inUse)
      // Without what it was before, an updated one has only joined a segment.
      const whyUpdated = sql`CASE WHEN r.previous IS NULL THEN NULL WHEN ${changed} THEN ${CHANGED}
        WHEN ${revived} AND ${used} THEN ${IN_USE} END`
      const whyCreated = sql`CASE WHEN ${changed} THEN ${CHANGED} WHEN ${used} THEN ${IN_USE} END`
      return [
        keep('updated', whyUpdated),
        ...before,
        sql`UPDATE ${table} SET ${sql.join([...restores, raised(table)], sql`, `)} FROM ${round('updated')}
          WHERE ${standing} AND r.previous IS NOT NULL AND NOT (${changed}) AND NOT (${revived} AND ${used})`,
        forget('updated'),
        keep('created', whyCreated),
        // For good: no restoration finds them, and the next purge does.
        sql`UPDATE ${table} SET ${sql.join([sql`deleted_at = ${OVER}`, ...removes, sql`version = ${table.version} + 1`], sql`, `)}
          FROM ${round('created')} WHERE ${standing} AND NOT (${changed}) AND NOT ${used}`,
        forget('created'),
      ]
    },
  }
}
