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

export const rowsOf = (...outcomes: Outcome[]) => rowsIn(runId, outcomes)

export const sliceOf = (...outcomes: Outcome[]) =>
  sql`${rowsOf(...outcomes)} AND ${importRows.row} > ${param('from')} AND ${importRows.row} <= ${param('to')}`

export const rowsOfId = (...outcomes: Outcome[]) => rowsIn(param('importId'), outcomes)

/** An undone record counts as removed before the restore period, and cannot be restored. */
const OVER = sql`(${caller.now} - ${inline(RESTORABLE)})`

type Written = 'created' | 'updated'

/** Value of a row by position: 0 is the row number, 1 the cells, and the values of the kind follow. */
export const stored = (place: number): SQL => sql.raw(`(p.value ->> ${place})`)
export const row: SQL = stored(0)
const cells = stored(1)

/** Rows of a slice, named `p`. */
const given = sql`json_each(${param('rows')}) p`
export const noted = (...outcomes: Written[]) => sql`${given} CROSS JOIN ${importRows}
  ON ${rowsOf(...outcomes)} AND ${importRows.row} = ${row}`

// SQLite does not flatten a subquery with a LIMIT, and therefore keeps the subquery's order.
export const FIRST = sql.raw('LIMIT -1')

export const ofRun = (column: 'productId' | 'limited' | 'userId' | 'createdAt') =>
  sql`(SELECT ${imports[column]} FROM ${imports} WHERE ${thisRun})`

/** Scope for the lookup of records: a run, or the request of a dry run. */
export interface Place {
  product: SQL
  /** True if the caller's key is limited to products. */
  limited: SQL
  /** Records created from this time on are new, not known. */
  since: SQL
}
export const RUN: Place = { product: ofRun('productId'), limited: ofRun('limited'), since: ofRun('createdAt') }
const NO_RUN: Place = {
  product: productId,
  limited: sql`(${caller.products} IS NOT NULL)`,
  since: sql`(${caller.now} + 1)`,
}

interface Refusal {
  when: SQL
  field: string
  value?: SQL
  reason: string
}

/** Converts rows of a kind to records. In SQL a row is `p`, and the matching record has the name of the table. */
export interface Upsert {
  table: Imported
  /** Joins the matching record and further lookups to each row. */
  joins(place: Place): SQL
  /** New column values of a known record. The journal keeps the old values under the same names. */
  become: Readonly<Record<string, { column: SQLiteColumn; value: SQLWrapper }>>
  /** Further assignments, and further old values for the journal. */
  sets?: readonly SQL[]
  was?: Readonly<Record<string, SQLWrapper>>
  /**
   * True if a row changes more than columns. `revives`: the row changes a known record even if known records are
   * skipped.
   */
  differs?: SQL
  revives?: SQL
  /** Reasons for rejecting a row, the most important first. `changes`: the row changes a known record. */
  refusals(place: Place, changes: SQL): readonly Refusal[]
  /** Row number of the parent in the file. `joined`: the person joins a segment, and a join counts as an update. */
  parentRow?: SQL
  joined?: SQL
  /** JSON of the record for the preview of a dry run, or NULL. */
  preview: SQL
}

const raised = (table: Imported) => sql`updated_at = ${caller.now}, version = ${table.version} + 1`
const tenant = (table: Imported) => sql`+${table.subscriptionId} = ${caller.subscription}`
const set = (column: SQLiteColumn, value: SQLWrapper) => sql`${sql.identifier(column.name)} = ${value}`
const notRejected = (value: string) => sql.raw(`CASE WHEN outcome <> 'rejected' THEN ${value} END`)

/**
 * Builds the statements of a slice: `note` writes the journal before the inserts, `update` changes known records, and
 * `judge` only reads.
 */
export function upserting(upsert: Upsert) {
  const { table, become, sets = [], was = {}, differs, revives = sql`0` } = upsert
  const columns = Object.values(become)
  const isOther = sql`(${list(columns.map(({ column }) => column))}) IS NOT (${list(columns.map(({ value }) => value))})`
  const changes = sql`(${revives} OR ${table.id} IS NOT NULL AND ${param('onConflict')} = 'update'
    AND (${isOther} OR ${differs ?? sql`0`}))`
  const kept = [...Object.entries(become).map(([name, { column }]) => [name, column] as const), ...Object.entries(was)]

  /**
   * Selects each row with the record, the problem `[field, value, reason]` and the outcome. An unchanged row has the
   * outcome NULL.
   */
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
    /** Journals the outcome of each row, with the record's id and version after the write. */
    note: insertInto(
      importRows,
      {
        ...{ subscriptionId: caller.subscription, importId: runId, outcome: sql`outcome`, row: sql`row` },
        // New ids follow the highest id in the order of the rows.
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
    update: sql`UPDATE ${table} SET ${list([...columns.map(({ column, value }) => set(column, value)), ...sets, raised(table)])}
      FROM (SELECT p.value AS value, ${importRows.recordId} AS id FROM ${noted('updated')}
        WHERE ${importRows.previous} IS NOT NULL ${FIRST}) p
      WHERE ${table.id} = p.id AND ${tenant(table)}`,
    judge: statement<Judged, Rehearsed>(sql`SELECT row AS "row", outcome AS "outcome", shown AS "shown",
      problem ->> 0 AS "field", problem ->> 2 AS "reason"
      FROM (${judged(NO_RUN, upsert.preview)}) WHERE outcome IS NOT NULL`),
  }
}

type Imported = SQLiteTable & Record<'id' | 'subscriptionId' | 'version' | 'deletedAt', SQLiteColumn>

/** Describes the undo of a kind. In SQL, `r` is a row of the journal. */
interface Undone {
  noun: string
  /** True if content from outside the run depends on the record. `inUse` is the message. */
  used: SQL
  inUse: string
  /** Further assignments when an updated record is restored, and when a created record is removed. */
  restores?: readonly SQL[]
  removes?: readonly SQL[]
  /** Runs before the restore changes the versions, because the versions identify unchanged records. */
  before?: readonly SQL[]
  /** True if the run revived the record. A revived record in use is left alone. */
  revived?: SQL
}

/** Builds the undo shared by all kinds from an upsert. */
export function undoing(kind: string, { table, become }: Upsert) {
  // Journal rows of a round, last row first. A run of a different kind gives no rows, because the ids belong to a
  // different table.
  const round = (outcome: Written) => sql`(SELECT * FROM ${importRows} WHERE ${rowsOfId(outcome)} AND EXISTS (
      SELECT 1 FROM ${imports} WHERE ${imports.id} = ${param('importId')} AND ${imports.kind} = ${inline(kind)})
    ORDER BY ${importRows.row} DESC LIMIT ${param('limit')}) r`
  const standing = sql`${table.id} = r.record_id AND ${tenant(table)} AND ${table.deletedAt} IS NULL`
  const records = (outcome: Written) => sql`${round(outcome)} CROSS JOIN ${table} ON ${standing}`
  const changed = sql`${table.version} <> r.version`
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
  const forget = (outcome: Written) => sql`DELETE FROM ${importRows}
    WHERE ${rowsOfId(outcome)} AND ${importRows.row} IN (SELECT r.row FROM ${round(outcome)})`
  const former = Object.entries(become).map(([name, { column }]) => set(column, sql`r.previous ->> ${inline(name)}`))
  return {
    round,
    /** Selects updated records to restore, with `beside` joined to each record. */
    restored: (beside: SQL = sql``) => sql`${records('updated')} ${beside} WHERE NOT (${changed})`,
    statements({ noun, used, inUse, restores = [], removes = [], before = [], revived = sql`0` }: Undone): SQL[] {
      const CHANGED = inline(`The ${noun} was changed since.`)
      const IN_USE = inline(inUse)
      // Without previous values, the update has only joined a segment.
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
        // The removal is final: a restore does not find the records, and the next purge does.
        sql`UPDATE ${table} SET ${list([sql`deleted_at = ${OVER}`, ...removes, sql`version = ${table.version} + 1`])}
          FROM ${round('created')} WHERE ${standing} AND NOT (${changed}) AND NOT ${used}`,
        forget('created'),
      ]
    },
  }
}
