import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { caller, param, type Statement, statement, type Values } from '../sql/statement'
import { type DerivedField, updateWhere } from './change'
import type { AnyRecord } from './record'

type LinkTable = SQLiteTable & { subscriptionId: SQLiteColumn }

interface LinkReplacement {
  table: LinkTable
  holder: SQLiteColumn
  holderId: SQL
  isDropped: SQL
  /** Columns besides the tenant and the holder, and their values in the rows of `from`. */
  targets: readonly (readonly [column: SQLiteColumn, value: SQL | SQLiteColumn])[]
  from: SQL
  /** The column of the holder's id in `from`, which saves a lookup. */
  holderColumn?: SQLiteColumn
  onConflict?: SQL
}

/** `from` ends with a condition, because ON CONFLICT follows. */
export function createLinkStatements(replacement: LinkReplacement) {
  const { table, holder, holderId, isDropped, targets, from, holderColumn, onConflict = sql`NOTHING` } = replacement
  const drop = statement<never, Values>(
    sql`DELETE FROM ${table} WHERE ${table.subscriptionId} = ${caller.subscription} AND ${holder} = ${holderId}
      AND ${isDropped}`,
  )
  const [names, values] = [
    targets.map(([column]) => quotedColumnName(column)),
    targets.map(([, value]) => sql`${value}`),
  ]
  const insert = statement<never, Values>(
    sql`INSERT INTO ${table} (subscription_id, ${sql.join([quotedColumnName(holder), ...names], sql`, `)})
      SELECT ${caller.subscription}, ${sql.join([sql`${holderColumn ?? holderId}`, ...values], sql`, `)} ${from}
      ON CONFLICT DO ${onConflict}`,
  )
  return { insert, replace: (values: Values): Statement<never>[] => [drop(values), insert(values)] }
}

/** Links to records named by external keys in a body. Links to removed records stay, hidden. */
interface ExternalKeyLinks {
  table: LinkTable
  holder: SQLiteColumn
  target: SQLiteColumn
  targetTable: SQLiteTable
  holderIdColumn: SQLiteColumn
  extraColumn?: SQLiteColumn
  /** Resource of the targets, if a target has a member showing the same links. */
  targetResource?: TargetResource
}

interface TargetResource {
  recordOf: (ids: SQL) => AnyRecord
  member: string
}

const quotedColumnName = ({ name }: SQLiteColumn) => sql.identifier(name)
const targetIsOfTenant = sql`t.subscription_id = ${caller.subscription}`
const targetIsNotRemoved = sql`${targetIsOfTenant} AND t.deleted_at IS NULL`

export const linkedKeysJson = ({
  table,
  holder,
  target,
  targetTable,
  holderIdColumn,
}: ExternalKeyLinks) => sql`(SELECT json_group_array(key)
  FROM (SELECT t.external_key AS key FROM ${table} l CROSS JOIN ${targetTable} t ON t.id = l.${quotedColumnName(target)} AND ${targetIsNotRemoved}
    WHERE l.subscription_id = ${caller.subscription} AND l.${quotedColumnName(holder)} = ${holderIdColumn} ORDER BY l.${quotedColumnName(target)}))`

interface ChangedLinks {
  ids: SQL
  /** As JSON. */
  newValue: SQL
  /** True if the member is a single key or id, and no list. */
  isSingle?: boolean
}

/** Run before the links change, because `ids` compares the old links with the new links. */
export function raiseTargetVersions(
  { recordOf, member }: TargetResource,
  { ids, newValue, isSingle = false }: ChangedLinks,
) {
  const ends = recordOf(ids)
  const shown = ends.leaves.find(({ name }) => name === member)
  if (!shown) throw new Error(`${ends.resource} has no member ${member}`)
  const { subscriptionId, deletedAt } = ends.columns
  const json = isSingle ? sql`json_quote(${shown.field.json()})` : shown.field.json()
  // The plus sign makes SQLite look records up by id instead of scanning the workspace's records.
  const isThere = sql`+${subscriptionId} = ${caller.subscription} AND ${deletedAt} IS NULL`
  return updateWhere(
    ends,
    sql`${isThere} AND ${ends.idColumn} IN (${ids})`,
    {},
    { derived: [{ name: member, json, differs: sql`true`, newValue }] },
  )
}

/** Keys shown by a target, as JSON: the linked holders `h` and `holderId`, limited by the last condition. */
function shownHolderKeysJson(
  { table, holder, target, targetTable, holderIdColumn }: ExternalKeyLinks,
  holderId: SQL,
  which: SQL,
): SQL {
  return sql`(SELECT json_group_array(key) FROM (SELECT h.external_key AS key FROM ${holderIdColumn.table} h
    WHERE h.id IN (SELECT l.${quotedColumnName(holder)} FROM ${table} l WHERE l.subscription_id = ${caller.subscription}
        AND l.${quotedColumnName(target)} = ${targetTable}.id UNION SELECT ${holderId})
      AND +h.subscription_id = ${caller.subscription} AND ${which} ORDER BY h.id))`
}

function raiseChangedTargetVersions(
  linked: ExternalKeyLinks & { targetResource: TargetResource },
  holderId: SQL,
  keys: SQL,
) {
  const { table, holder, target, targetTable, targetResource } = linked
  const links = sql`${table} l WHERE l.subscription_id = ${caller.subscription} AND l.${quotedColumnName(holder)} = ${holderId}`
  const isLinked = (id: SQL) => sql`EXISTS (SELECT 1 FROM ${links} AND l.${quotedColumnName(target)} = ${id})`
  const ids = sql`SELECT t.id FROM ${targetTable} t WHERE t.id IN (SELECT l.${quotedColumnName(target)} FROM ${links})
      AND +${targetIsNotRemoved} AND t.external_key NOT IN ${keys}
    UNION ALL SELECT t.id FROM ${targetTable} t WHERE ${targetIsNotRemoved} AND t.external_key IN ${keys} AND NOT ${isLinked(sql`t.id`)}`
  // A changed target gains the record if not linked yet, and loses the record otherwise.
  const which = sql`h.deleted_at IS NULL AND NOT (h.id = ${holderId} AND ${isLinked(sql`${targetTable}.id`)})`
  return raiseTargetVersions(targetResource, { ids, newValue: shownHolderKeysJson(linked, holderId, which) })
}

function raiseAllTargetVersions(
  linked: ExternalKeyLinks & { targetResource: TargetResource },
  holderId: SQL,
  shows: boolean,
) {
  const { table, holder, target, targetResource } = linked
  const ids = sql`SELECT l.${quotedColumnName(target)} FROM ${table} l
    WHERE l.subscription_id = ${caller.subscription} AND l.${quotedColumnName(holder)} = ${holderId}`
  const which = shows
    ? sql`(h.deleted_at IS NULL OR h.id = ${holderId})`
    : sql`h.deleted_at IS NULL AND h.id <> ${holderId}`
  return raiseTargetVersions(targetResource, { ids, newValue: shownHolderKeysJson(linked, holderId, which) })
}

type StatementMaker = (values: Values) => Statement<never>[]

/** Links stay, but the targets hide or show the record. Run before the removal or the restoration. */
export function createLinkVisibilityUpdates(
  linked: ExternalKeyLinks & { targetResource: TargetResource },
  { byKey, deletedByKey }: AnyRecord,
) {
  const ofRecord = (where: SQL) =>
    sql`(SELECT ${linked.holderIdColumn} FROM ${linked.holderIdColumn.table} WHERE ${where})`
  const hide: StatementMaker = raiseAllTargetVersions(linked, ofRecord(byKey), false)
  const show: StatementMaker = raiseAllTargetVersions(linked, ofRecord(deletedByKey), true)
  return { hide, show }
}

/**
 * The holders of `column` show null while the record is removed: `hide` stands before the removal and `show` before the
 * restoration. `shown` is the value of the member, in the table of the record.
 */
export function createLinkFieldUpdates(
  holders: TargetResource,
  column: SQLiteColumn,
  { byKey, deletedByKey, table, idColumn }: AnyRecord,
  shown: SQLWrapper,
): { hide: StatementMaker; show: StatementMaker } {
  const selectHolders = (where: SQL) => sql`SELECT l.id FROM ${column.table} l
    WHERE l.subscription_id = ${caller.subscription} AND l.deleted_at IS NULL
      AND l.${quotedColumnName(column)} = (SELECT ${idColumn} FROM ${table} WHERE ${where})`
  return {
    hide: raiseTargetVersions(holders, { ids: selectHolders(byKey), newValue: sql`'null'`, isSingle: true }),
    show: raiseTargetVersions(holders, {
      ids: selectHolders(deletedByKey),
      newValue: sql`(SELECT json_quote(${shown}) FROM ${table} WHERE ${deletedByKey})`,
      isSingle: true,
    }),
  }
}

/** `name` is the body member with the keys. */
export function createExternalKeyLinks(name: string, linked: ExternalKeyLinks) {
  const { table, holder, target, targetTable, holderIdColumn, extraColumn } = linked
  const keys = sql`(SELECT value FROM json_each(${param(`=${name}`)}))`
  const becomes = sql`(SELECT json_group_array(t.external_key ORDER BY t.id) FROM ${targetTable} t
    WHERE ${targetIsOfTenant} AND t.external_key IN ${keys})`
  const json = linkedKeysJson(linked)
  const bind = (given: readonly string[]): Values => ({ [`=${name}`]: JSON.stringify(given) })
  const change: DerivedField = { name, json, differs: sql`${json} IS NOT ${becomes}`, newValue: becomes }
  return {
    bind,
    change,
    statementsFor(where: SQL): (given: readonly string[] | undefined, values: Values) => Statement<never>[] {
      const raise = linked.targetResource
        ? raiseChangedTargetVersions(
            { ...linked, targetResource: linked.targetResource },
            sql`(SELECT ${holderIdColumn} FROM ${holderIdColumn.table} WHERE ${where})`,
            keys,
          )
        : () => []
      const { replace } = createLinkStatements({
        table,
        holder,
        holderId: sql`(SELECT ${holderIdColumn} FROM ${holderIdColumn.table} WHERE ${where})`,
        holderColumn: holderIdColumn,
        isDropped: sql`EXISTS (SELECT 1 FROM ${targetTable} t
          WHERE ${targetIsNotRemoved} AND t.id = ${target} AND t.external_key NOT IN ${keys})`,
        targets: [[target, sql`t.id`], ...(extraColumn ? [[extraColumn, extraColumn] as const] : [])],
        from: sql`FROM ${holderIdColumn.table} CROSS JOIN ${targetTable} t
          ON ${targetIsNotRemoved} AND t.external_key IN ${keys} WHERE ${where}`,
      })
      return (given, values) => {
        if (!given) return []
        const all = { ...values, ...bind(given) }
        return [...raise(all), ...replace(all)]
      }
    },
  }
}
