import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { productId } from '../../db/access'
import { RESTORABLE } from '../../db/lifecycle'
import { importRows, imports } from '../../db/schema/imports'
import { caller, inline, insertInto, param, statement } from '../../db/statement'
import type { Judged, Rehearsed } from './bulk'
import { runId, thisRun } from './fields'

export type Outcome = 'created' | 'updated' | 'rejected' | 'kept'

const list = (parts: readonly SQLWrapper[], by = sql`, `) => sql.join([...parts], by)

const rowsIn = (
  run: SQLWrapper,
  outcomes: readonly Outcome[],
) => sql`${importRows.subscriptionId} = ${caller.subscription}
  AND ${importRows.importId} = ${run} AND ${importRows.outcome} IN (${list(outcomes.map(inline))})`

/** The rows of outcomes in this run. */
export const rowsOf = (...outcomes: Outcome[]) => rowsIn(runId, outcomes)

/** Those of a slice. */
export const sliceOf = (...outcomes: Outcome[]) =>
  sql`${rowsOf(...outcomes)} AND ${importRows.row} > ${param('from')} AND ${importRows.row} <= ${param('to')}`

/** Those of the run whose id is bound. */
export const rowsOfId = (...outcomes: Outcome[]) => rowsIn(param('importId'), outcomes)

/** When what an undo takes back counts as removed: its time to be restored is over. */
const OVER = sql`(${caller.now} - ${inline(RESTORABLE)})`

type Written = 'created' | 'updated'

/** A value of a row that the kind stores, by its place: the number of the row is at 0, and at 1 are its cells. */
export const stored = (place: number): SQL => sql.raw(`(p.value ->> ${place})`)
export const row: SQL = stored(0)
const cells = stored(1)

/** The rows of outcomes of a slice, called `p`, beside what is noted of them. */
const given = sql`json_each(${param('rows')}) p`
export const noted = (...outcomes: Written[]) => sql`${given} CROSS JOIN ${importRows}
  ON ${rowsOf(...outcomes)} AND ${importRows.row} = ${row}`

// What is written is found by what stands in a subquery, in its order: its limit keeps the two apart.
export const FIRST = sql.raw('LIMIT -1')

/** A column of the run that this batch is about. */
export const ofRun = (column: 'productId' | 'limited' | 'userId' | 'createdAt') =>
  sql`(SELECT ${imports[column]} FROM ${imports} WHERE ${thisRun})`

/** Where rows look for records: of a run, or of the request that only asks what one would do. */
export interface Place {
  product: SQL
  /** Whether the key is limited to products. */
  limited: SQL
  /** What was made by then was not there before. */
  since: SQL
}
export const RUN: Place = { product: ofRun('productId'), limited: ofRun('limited'), since: ofRun('createdAt') }
const NO_RUN: Place = {
  product: productId,
  limited: sql`(${caller.products} IS NOT NULL)`,
  since: sql`(${caller.now} + 1)`,
}

/** Why a row is rejected. */
interface Refusal {
  when: SQL
  field: string
  value?: SQL
  reason: string
}

/** How rows of a kind become records. In its SQL a row is called `p`, and the record that it means by the name of its table. */
export interface Upsert {
  table: Imported
  /** What is joined to each row: its record, and what else is asked. */
  joins(place: Place): SQL
  /** What columns of a known record become, under the names by which an undo knows what they were. */
  become: Readonly<Record<string, { column: SQLiteColumn; value: SQLWrapper }>>
  /** What is set besides, and JSON of what else an undo is to know. */
  sets?: readonly SQL[]
  was?: Readonly<Record<string, SQLWrapper>>
  /** Whether a row changes what is no column; and whether it changes anything also where known records are skipped. */
  differs?: SQL
  revives?: SQL
  /** In the order in which they count; `changes`: whether the row changes a known record. */
  refusals(place: Place, changes: SQL): readonly Refusal[]
  /** What is noted besides: the row of the file that it hangs on; whether it joins a segment, which updates a person, too. */
  parentRow?: SQL
  joined?: SQL
  /** The record as it would be stored; NULL where it is not shown. */
  preview: SQL
}

const raised = (table: Imported) => sql`updated_at = ${caller.now}, version = ${table.version} + 1`
const tenant = (table: Imported) => sql`+${table.subscriptionId} = ${caller.subscription}`
const set = (column: SQLiteColumn, value: SQLWrapper) => sql`${sql.identifier(column.name)} = ${value}`
const notRejected = (value: string) => sql.raw(`CASE WHEN outcome <> 'rejected' THEN ${value} END`)

/** What is done alike with the rows of a slice: `note`, before new records are made, and `update`. `judge` only asks. */
export function upserting(upsert: Upsert) {
  const { table, become, sets = [], was = {}, differs, revives = sql`0` } = upsert
  const columns = Object.values(become)
  const isOther = sql`(${list(columns.map(({ column }) => column))}) IS NOT (${list(columns.map(({ value }) => value))})`
  const changes = sql`(${revives} OR ${table.id} IS NOT NULL AND ${param('onConflict')} = 'update'
    AND (${isOther} OR ${differs ?? sql`0`}))`
  const kept = [...Object.entries(become).map(([name, { column }]) => [name, column] as const), ...Object.entries(was)]

  /** Each row with its record, the problem `[field, value, reason]` that it has, and what becomes of it: NULL where nothing does. */
  function judged(place: Place, shown: SQL): SQL {
    const problems = upsert
      .refusals(place, changes)
      .map(
        ({ when, field, value = sql`NULL`, reason }) =>
          sql`WHEN ${when} THEN json_array(${inline(field)}, ${value}, ${inline(reason)})`,
      )
    const found = {
      ...{ row, cells, shown, changes, id: table.id, version: table.version },
      previous: sql`json_object(${list(kept.map(([name, value]) => sql`${inline(name)}, ${value}`))})`,
      problem: sql`CASE ${list(problems, sql` `)} END`,
      parentRow: upsert.parentRow ?? sql`NULL`,
      joined: upsert.joined ?? sql`0`,
    }
    return sql`SELECT *, CASE WHEN problem IS NOT NULL THEN 'rejected' WHEN id IS NULL THEN 'created'
        WHEN changes OR joined THEN 'updated' END AS outcome
      FROM (SELECT ${list(Object.entries(found).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`))}
        FROM ${given} ${upsert.joins(place)})`
  }

  return {
    /** Notes what becomes of each row, with the record that it is to be, and the version which that is to have. */
    note: insertInto(
      importRows,
      {
        ...{ subscriptionId: caller.subscription, importId: runId, outcome: sql`outcome`, row: sql`row` },
        // Ids of new records are those behind all that there are, in the order of the rows.
        recordId: sql`CASE outcome WHEN 'updated' THEN id WHEN 'created' THEN
          (SELECT coalesce(max(made.id), 0) FROM ${table} made) + row - ${param('from')} END`,
        version: notRejected('coalesce(version + changes, 1)'),
        previous: sql`CASE WHEN outcome = 'updated' AND changes THEN previous END`,
        ...{ field: sql`problem ->> 0`, value: sql`problem ->> 1`, reason: sql`problem ->> 2` },
        cells: sql`CASE WHEN outcome = 'rejected' THEN cells END`,
        ...{ parentRow: notRejected('parentRow'), joined: sql`outcome <> 'rejected' AND joined` },
      },
      sql`FROM (${judged(RUN, sql`NULL`)}) WHERE outcome IS NOT NULL`,
    ),
    /** Sets the columns of those that are changed. */
    update: sql`UPDATE ${table} SET ${list([...columns.map(({ column, value }) => set(column, value)), ...sets, raised(table)])}
      FROM (SELECT p.value AS value, ${importRows.recordId} AS id FROM ${noted('updated')}
        WHERE ${importRows.previous} IS NOT NULL ${FIRST}) p
      WHERE ${table.id} = p.id AND ${tenant(table)}`,
    /** Reads what would become of them. */
    judge: statement<Judged, Rehearsed>(sql`SELECT row AS "row", outcome AS "outcome", shown AS "shown",
      problem ->> 0 AS "field", problem ->> 2 AS "reason"
      FROM (${judged(NO_RUN, upsert.preview)}) WHERE outcome IS NOT NULL`),
  }
}

type Imported = SQLiteTable & Record<'id' | 'subscriptionId' | 'version' | 'deletedAt', SQLiteColumn>

/** How a kind takes back what it did with a record; what is noted of it is called `r`. */
interface Undone {
  /** What a record is called. */
  noun: string
  /** Something hangs on it that the run did not bring, and what is said then. */
  used: SQL
  inUse: string
  /** What an updated one is set to besides, and what a created one besides being removed. */
  restores?: readonly SQL[]
  removes?: readonly SQL[]
  /** What goes before: by the versions it is known which of them will be what they were. */
  before?: readonly SQL[]
  /** Whether an updated one, too, is left where something hangs on it. */
  revived?: SQL
}

/** What an undo of every kind does alike with the records of its upsert. */
export function undoing(kind: string, { table, become }: Upsert) {
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
  const former = Object.entries(become).map(([name, { column }]) => set(column, sql`r.previous ->> ${inline(name)}`))
  return {
    round,
    /** What a round updated and will be what it was; `beside`: joined to each. */
    restored: (beside: SQL = sql``) => sql`${records('updated')} ${beside} WHERE NOT (${changed})`,
    statements({ noun, used, inUse, restores = [], removes = [], before = [], revived = sql`0` }: Undone): SQL[] {
      const CHANGED = inline(`The ${noun} was changed since.`)
      const IN_USE = inline(inUse)
      // Without what it was before, an updated one has only joined a segment.
      const whyUpdated = sql`CASE WHEN r.previous IS NULL THEN NULL WHEN ${changed} THEN ${CHANGED}
        WHEN ${revived} AND ${used} THEN ${IN_USE} END`
      const whyCreated = sql`CASE WHEN ${changed} THEN ${CHANGED} WHEN ${used} THEN ${IN_USE} END`
      return [
        keep('updated', whyUpdated),
        ...before,
        sql`UPDATE ${table} SET ${list([...former, ...restores, raised(table)])} FROM ${round('updated')}
          WHERE ${standing} AND r.previous IS NOT NULL AND NOT (${changed}) AND NOT (${revived} AND ${used})`,
        forget('updated'),
        keep('created', whyCreated),
        // For good: no restoration finds them, and the next purge does.
        sql`UPDATE ${table} SET ${list([sql`deleted_at = ${OVER}`, ...removes, sql`version = ${table.version} + 1`])}
          FROM ${round('created')} WHERE ${standing} AND NOT (${changed}) AND NOT ${used}`,
        forget('created'),
      ]
    },
  }
}
