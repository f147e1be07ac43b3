import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { changes, type Elsewhere } from './change'
import type { AnyRecord } from './record'
import { caller, param, type Statement, statement, type Values } from './statement'

interface Linked {
  /** Rows of (tenant, holder, target). */
  table: SQLiteTable & { subscriptionId: SQLiteColumn }
  holder: SQLiteColumn
  target: SQLiteColumn
  of: SQL
  given: SQL
}

/** Makes the statements to replace a record's links: unlinks missing targets, links new targets. */
export function replaceLinks({ table, holder, target, of, given }: Linked): (values: Values) => Statement<never>[] {
  const unlink = statement<never, Values>(
    sql`DELETE FROM ${table} WHERE ${table.subscriptionId} = ${caller.subscription} AND ${holder} = ${of}
      AND ${target} NOT IN (${given})`,
  )
  const link = statement<never, Values>(
    sql`INSERT OR IGNORE INTO ${table} (subscription_id, ${sql.identifier(holder.name)}, ${sql.identifier(target.name)})
      SELECT ${caller.subscription}, ${of}, given.id FROM (${given}) given`,
  )
  return (values) => [unlink(values), link(values)]
}

/** Links to records named by external keys in a body. Links to removed records stay, hidden. */
interface LinkedByKey {
  /** Rows of (tenant, holder, target). */
  table: SQLiteTable
  holder: SQLiteColumn
  target: SQLiteColumn
  targets: SQLiteTable
  of: SQLiteColumn
  /** Column of the holding record, copied into the link. */
  also?: SQLiteColumn
  /** Resource of the targets, if a target has a member showing the same links. */
  otherEnd?: OtherEnd
}

interface OtherEnd {
  /** Makes the record of the targets changing together, from a query of ids. */
  record: (ids: SQL) => AnyRecord
  member: string
}

const named = ({ name }: SQLiteColumn) => sql.identifier(name)
const tenant = sql`t.subscription_id = ${caller.subscription}`
const there = sql`${tenant} AND t.deleted_at IS NULL`

export const linkedKeys = ({ table, holder, target, targets, of }: LinkedByKey) => sql`(SELECT json_group_array(key)
  FROM (SELECT t.external_key AS key FROM ${table} l CROSS JOIN ${targets} t ON t.id = l.${named(target)} AND ${there}
    WHERE l.subscription_id = ${caller.subscription} AND l.${named(holder)} = ${of} ORDER BY l.${named(target)}))`

interface ChangedEnds {
  /** Query of the ids of the records with changed links. */
  ids: SQL
  /** New value of the member, as JSON. */
  becomes: SQL
}

/**
 * Makes the statements to raise the version of records linked by another record, with an event for each. Run before the
 * links change, because `ids` compares the old links with the new links.
 */
export function raiseEnds({ record, member }: OtherEnd, { ids, becomes }: ChangedEnds) {
  const ends = record(ids)
  const shown = ends.leaves.find(({ name }) => name === member)
  if (!shown) throw new Error(`${ends.resource} has no member ${member}`)
  const { subscriptionId, deletedAt } = ends.columns
  // The plus sign makes SQLite look records up by id instead of scanning the workspace's records.
  const isThere = sql`+${subscriptionId} = ${caller.subscription} AND ${deletedAt} IS NULL`
  return changes(
    ends,
    sql`${isThere} AND ${ends.idColumn} IN (${ids})`,
    {},
    { elsewhere: [{ name: member, json: shown.field.json(), differs: sql`true`, becomes }] },
  )
}

/** Keys shown by a target, as JSON: the linked holders `h` and `holderId`, limited by the last condition. */
function shownHolders({ table, holder, target, targets, of }: LinkedByKey, holderId: SQL, which: SQL): SQL {
  return sql`(SELECT json_group_array(key) FROM (SELECT h.external_key AS key FROM ${of.table} h
    WHERE h.id IN (SELECT l.${named(holder)} FROM ${table} l WHERE l.subscription_id = ${caller.subscription}
        AND l.${named(target)} = ${targets}.id UNION SELECT ${holderId})
      AND +h.subscription_id = ${caller.subscription} AND ${which} ORDER BY h.id))`
}

/** Raises the targets gained or lost by a record with `keys` as the new links. */
function raiseChanged(linked: LinkedByKey & { otherEnd: OtherEnd }, holderId: SQL, keys: SQL) {
  const { table, holder, target, targets, otherEnd } = linked
  const links = sql`${table} l WHERE l.subscription_id = ${caller.subscription} AND l.${named(holder)} = ${holderId}`
  const isLinked = (id: SQL) => sql`EXISTS (SELECT 1 FROM ${links} AND l.${named(target)} = ${id})`
  const ids = sql`SELECT t.id FROM ${targets} t WHERE t.id IN (SELECT l.${named(target)} FROM ${links})
      AND +${there} AND t.external_key NOT IN ${keys}
    UNION ALL SELECT t.id FROM ${targets} t WHERE ${there} AND t.external_key IN ${keys} AND NOT ${isLinked(sql`t.id`)}`
  // A changed target gains the record if not linked yet, and loses the record otherwise.
  const which = sql`h.deleted_at IS NULL AND NOT (h.id = ${holderId} AND ${isLinked(sql`${targets}.id`)})`
  return raiseEnds(otherEnd, { ids, becomes: shownHolders(linked, holderId, which) })
}

/** Raises all targets of a record, when the record is removed or restored. */
function raiseAll(linked: LinkedByKey & { otherEnd: OtherEnd }, holderId: SQL, shows: boolean) {
  const { table, holder, target, otherEnd } = linked
  const ids = sql`SELECT l.${named(target)} FROM ${table} l
    WHERE l.subscription_id = ${caller.subscription} AND l.${named(holder)} = ${holderId}`
  const which = shows
    ? sql`(h.deleted_at IS NULL OR h.id = ${holderId})`
    : sql`h.deleted_at IS NULL AND h.id <> ${holderId}`
  return raiseEnds(otherEnd, { ids, becomes: shownHolders(linked, holderId, which) })
}

type Make = (values: Values) => Statement<never>[]

/**
 * Statements for the removal and the restoration of a record. Links stay, but the targets hide or show the record. Run
 * before the removal or the restoration.
 */
export function hidingLinks(linked: LinkedByKey & { otherEnd: OtherEnd }, { addressed, removed }: AnyRecord) {
  const ofRecord = (where: SQL) => sql`(SELECT ${linked.of} FROM ${linked.of.table} WHERE ${where})`
  const hide: Make = raiseAll(linked, ofRecord(addressed), false)
  const show: Make = raiseAll(linked, ofRecord(removed), true)
  return { hide, show }
}

/** Parts of a write to links by key. `name` is the body member with the keys. */
export function linksByKey(name: string, linked: LinkedByKey) {
  const { table, holder, target, targets, of, also } = linked
  const keys = sql`(SELECT value FROM json_each(${param(`=${name}`)}))`
  const [column, value] = also ? [sql`, ${named(also)}`, sql`, ${also}`] : [sql``, sql``]
  const becomes = sql`(SELECT json_group_array(t.external_key ORDER BY t.id) FROM ${targets} t
    WHERE ${tenant} AND t.external_key IN ${keys})`
  const json = linkedKeys(linked)
  const bind = (given: readonly string[]): Values => ({ [`=${name}`]: JSON.stringify(given) })
  const change: Elsewhere = { name, json, differs: sql`${json} IS NOT ${becomes}`, becomes }
  return {
    bind,
    change,
    /** Makes the statements to link exactly the named records to the record in `where`. */
    linking(where: SQL): (given: readonly string[] | undefined, values: Values) => Statement<never>[] {
      const raise = linked.otherEnd
        ? raiseChanged(
            { ...linked, otherEnd: linked.otherEnd },
            sql`(SELECT ${of} FROM ${of.table} WHERE ${where})`,
            keys,
          )
        : () => []
      const make = [
        sql`DELETE FROM ${table} WHERE subscription_id = ${caller.subscription}
          AND ${named(holder)} = (SELECT ${of} FROM ${of.table} WHERE ${where})
          AND EXISTS (SELECT 1 FROM ${targets} t WHERE ${there} AND t.id = ${named(target)} AND t.external_key NOT IN ${keys})`,
        sql`INSERT OR IGNORE INTO ${table} (subscription_id, ${named(holder)}, ${named(target)}${column})
          SELECT ${caller.subscription}, ${of}, t.id${value} FROM ${of.table} CROSS JOIN ${targets} t
            ON ${there} AND t.external_key IN ${keys} WHERE ${where}`,
      ].map((source) => statement<never, Values>(source))
      return (given, values) => {
        if (!given) return []
        const all = { ...values, ...bind(given) }
        return [...raise(all), ...make.map((one) => one(all))]
      }
    },
  }
}
