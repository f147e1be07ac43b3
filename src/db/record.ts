import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type EventType, type Happening, RESOURCES, type ResourceName } from '../resources'
import { notFound } from '../text/errors'
import { type Answer, answer } from './answer'
import type { Database, Write } from './client'
import { type Telling, type Told, tells, typeOf } from './events'
import type { Data, Shape, Shown } from './field'
import { currentKey } from './numbering'
import { type Guard, guard, versionGuard } from './refuse'
import { jsonOf, type Leaf, leavesOf, readLeaves, selectionOf, shownBy } from './selection'
import { caller, inline, param, type SqlValue, type Statement, statement, type Values } from './statement'
import { columnOf, productOf, scopeOf } from './within'

/** Scope of a resource's records within the tenant. */
export type Within =
  | 'workspace'
  | 'product'
  /** The products covered by the key. `shared`: a record without a product belongs to all products. */
  | { readonly product: SQLiteColumn; readonly shared?: boolean }
  | { readonly parent: AnyRecord; readonly by: SQLiteColumn }
  /** A record of another resource, not named by the path. */
  | { readonly below: AnyRecord; readonly by: SQLiteColumn }

export type KeyColumns = Readonly<Record<string, SQLiteColumn>>
export type Key<K extends KeyColumns> = { readonly [P in keyof K]: Data<K[P]> & SqlValue }

export interface Unique {
  column: SQLiteColumn
  taken: string
}

interface Declaration<K extends KeyColumns, F extends Shape, D extends Shape> {
  table: SQLiteTable
  within: Within
  key: K
  /** Name in the log; default: the external key, or the id. */
  name?: SQLWrapper
  /** Joins of at most a single row each. */
  joins?: SQL
  fields: F
  detail?: D
  /** Id of the person shown by the record. */
  person?: SQLWrapper
  /** Condition for leaving the actor out of events. */
  unnamed?: SQL
  unique?: Unique
  /** Maximum number of records per workspace, without removed records. */
  most?: number
  /** Condition for a large record: the event has only the list fields, and `truncated`. */
  toldAsItem?: SQL
  only?: SQL
  /** Query of the reason to refuse a write to a locked record in the path, like a merged idea; no row otherwise. */
  sealed?: SQL
  /** Condition for removed records still shown in lists. */
  stays?: SQL
  /** Condition to find the record in the path, if the key columns are not enough. */
  found?: SQL
  /** Query of the new key of a record moved to another resource. */
  moved?: SQL
  /** Resource name per row, for a table of several resources. */
  resourceName?: SQL
  /** Identifies a record within the parent; default: the column `id`. */
  id?: SQLiteColumn
  /** Counts the changes; default: the column `version`, or always 1. */
  version?: SQL
}

export interface Replied<T> {
  data: T
  version: number
}

export interface Row {
  version: number
}

export interface RecordOf<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape> {
  readonly resource: R
  readonly table: SQLiteTable
  readonly columns: Readonly<Record<string, SQLiteColumn>>
  readonly idColumn: SQLiteColumn
  readonly within: Within
  readonly unique: Unique | undefined
  readonly most: number | undefined
  readonly fields: F
  readonly whole: F & D
  /** Leaves of a list's item (`items`) and of a single record (`leaves`). */
  readonly items: readonly Leaf[]
  readonly leaves: readonly Leaf[]
  readonly told: Told
  /** Id of the record's product, or of the parent's product; undefined without a product. */
  readonly product: SQL | undefined
  readonly missing: `${string}_not_found`

  readonly from: SQL
  /** Records of the tenant and scope; the second condition leaves out removed records. */
  readonly inScope: SQL
  readonly visible: SQL
  /** Records of the tenant without removed records, of any product. */
  readonly tenantVisible: SQL
  /** The record in the path; the second condition matches only a removed record. */
  readonly addressed: SQL
  readonly removed: SQL
  /** The record created last by this batch. */
  readonly newest: SQL
  readonly id: SQL

  absent(key: Key<K>): Guard
  /** Refuses a write to a missing record, a record the key may only read, or a record changed since `ifMatch`. */
  writable(key: Key<K>, ifMatch?: string | null): Guard[]
  /** Refuses a write if `when` holds for the record in the path; the check of the caller comes first. */
  refusing(reason: SQL, when: SQL, whoAsks?: SQL): (values: Values) => Guard
  /** Refuses to create a record below a missing or read-only parent. */
  reachable(key: Values): Guard[]
  /** Refuses a key limited to products to restore a record of the whole workspace. */
  restorable(key: Values): Guard[]
  get(db: Database, key: Key<K>): Promise<Replied<Shown<F> & Shown<D>>>
  select(key: Key<K>): Statement<Row>
  find(key: Key<K>): Statement<{ id: number }>
  reply(key: Key<K>): Answer<Row>
  created(values?: Values): Answer<Row>
  /** Returns the record of `where` as the reply of a write; `also` adds columns. */
  answering<E extends object = Record<never, never>>(
    where: SQL,
    also?: { readonly [N in keyof E]: SQLWrapper },
  ): (values: Values) => Answer<Row & E>
  item(row: object): Shown<F>
  replied(rows: readonly Row[]): Replied<Shown<F> & Shown<D>>
  /** Writes, and replies with the record read by the batch. */
  save<S extends readonly Statement[]>(db: Database, write: Write<S, Row>): Promise<Replied<Shown<F> & Shown<D>>>
  event(happening: Happening<R>, where?: SQL, options?: Telling): (values: Values) => Statement<never>
}

export type AnyRecord = RecordOf<ResourceName, KeyColumns, Shape, Shape>

const WORKSPACE_ALONE =
  "'insufficient_scope:This API key is limited to products, but the record belongs to the whole workspace. Use a key without that limit.'"

/** Declares a resource, and derives the shared parts of all queries. */
export function record<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape = Record<never, never>,
>(resource: R, declared: Declaration<K, F, D>): RecordOf<R, K, F, D> {
  const { table, within, key, name, joins = sql``, fields, detail } = declared
  const { person, unnamed, unique, most, toldAsItem, only = sql`` } = declared
  const { missing, prefix } = RESOURCES[resource] as { missing: `${string}_not_found`; prefix?: never }
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  const ownId = declared.id ?? columnOf(columns, 'id')
  const version = declared.version ?? (columns.version ? sql`${columns.version}` : sql`1`)
  const tenant = sql`${columnOf(columns, 'subscriptionId')} = ${caller.subscription}`
  const inScope = sql`${tenant} ${scopeOf(within, columns)} ${only}`
  const { found, moved, resourceName } = declared
  const keyed = found
    ? [sql`AND ${found}`]
    : Object.entries(key).map(([name, column]) => sql`AND ${column} = ${param(name)}`)
  const there = columns.deletedAt ? sql`AND ${columns.deletedAt} IS NULL` : sql``
  const shown = declared.stays ? sql`AND (${columns.deletedAt} IS NULL OR ${declared.stays})` : there
  const tenantVisible = sql`${tenant} ${only} ${shown}`
  const visible = sql`${inScope} ${shown}`
  const addressed = sql.join([inScope, there, ...keyed], sql` `)
  const removed = columns.deletedAt
    ? sql.join([inScope, sql`AND ${columns.deletedAt} IS NOT NULL`, ...keyed], sql` `)
    : sql`false`
  const newest =
    prefix && columns.externalKey
      ? sql`${tenant} AND ${columns.externalKey} = ${currentKey(prefix)}`
      : sql`${tenant} AND ${ownId} = last_insert_rowid()`
  const from = sql`FROM ${table} ${joins}`

  const whole = { ...fields, ...detail } as F & D
  const leaves = leavesOf(whole)
  const items = leavesOf(fields)
  const product = productOf(within, columns)
  const told: Told = {
    table,
    joins,
    key: sql`${name ?? columns.externalKey ?? sql`CAST(${ownId} AS TEXT)`}`,
    product: product ?? sql`NULL`,
    person: person ? sql`${person}` : sql`NULL`,
    unnamed,
    data: toldAsItem
      ? sql`CASE WHEN ${toldAsItem} THEN json_set(${jsonOf(fields)}, '$.truncated', json('true')) ELSE ${jsonOf(whole)} END`
      : jsonOf(whole),
    resourceName,
  }

  const { sealed } = declared
  const where = moved ? sql`${inline(`${missing}:`)} || coalesce((${moved}), '')` : inline(missing)
  const absent = guard<Values>(
    sealed ? sql`coalesce((${sealed}), ${where})` : where,
    sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${addressed})`,
  )
  const stale = versionGuard(sql`(SELECT ${version} ${from} WHERE ${addressed})`)
  const beyondKey = (where: SQL) => {
    if (typeof within !== 'object' || !('product' in within) || !within.shared) return () => []
    const refuse = guard<Values>(
      sql.raw(WORKSPACE_ALONE),
      sql`${caller.products} IS NOT NULL
        AND EXISTS (SELECT 1 FROM ${table} WHERE ${where} AND ${within.product} IS NULL)`,
    )
    return (given: Values) => [refuse(given)]
  }
  const wide = beyondKey(addressed)
  const wideRemoved = beyondKey(removed)
  const above = typeof within === 'object' && 'parent' in within ? within.parent : undefined
  const reachable = (given: Values) => above?.writable(given as never) ?? []

  const select = statement<Row, Values>(
    sql`SELECT ${selectionOf(leaves)}, ${version} AS "version" ${from} WHERE ${addressed}`,
  )
  const answered = <E extends object>(where: SQL, also?: { readonly [N in keyof E]: SQLWrapper }) =>
    answer<Row & E, Values>(
      {
        ...Object.fromEntries(readLeaves(leaves).map(({ name, field }) => [name, field.sql])),
        version,
        ...also,
      } as never,
      sql`${from} WHERE ${where}`,
    )
  const reply = answered(addressed)
  const created = answered(newest)
  const find = statement<{ id: number }, Values>(sql`SELECT ${ownId} AS "id" FROM ${table} WHERE ${addressed}`)
  const nowCalled = moved && statement<{ key: string }, Values>(sql`SELECT (${moved}) AS "key"`)
  const show = shownBy(leaves)
  const replied = ([found]: readonly Row[]): Replied<Shown<F> & Shown<D>> => {
    if (!found) throw notFound(missing)
    const { version, ...stored } = found
    return { data: show(stored) as Shown<F> & Shown<D>, version }
  }

  return {
    ...{ resource, table, columns, within, unique, most, fields, whole, items, leaves, told, product, missing },
    idColumn: ownId,
    ...{ from, inScope, visible, tenantVisible, addressed, removed, newest },
    id: sql`(SELECT ${ownId} FROM ${table} WHERE ${addressed})`,
    absent,
    writable: (given, ifMatch = null) => [
      ...reachable(given),
      absent(given),
      ...wide(given),
      ...(ifMatch === null ? [] : [stale({ ifMatch })]),
    ],
    refusing(reason, when, whoAsks) {
      const refused = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${addressed} AND ${when})`
      return guard(reason, whoAsks ? sql`${whoAsks} AND ${refused}` : refused)
    },
    reachable,
    restorable: (given) => [...reachable(given), ...wide(given), ...wideRemoved(given)],
    async get(db, given) {
      if (!above) {
        const [rows] = await db.read(select(given))
        if (rows.length || !nowCalled) return replied(rows)
        const [[now]] = await db.read(nowCalled(given))
        throw notFound(missing, now?.key)
      }
      const [rows, [parent]] = await db.read(select(given), above.find(given as never))
      if (!parent) throw notFound(above.missing)
      return replied(rows)
    },
    select,
    find,
    reply,
    created: (given = {}) => created(given),
    answering: answered,
    item: shownBy(items) as (row: object) => Shown<F>,
    replied,
    save: async (db, write) => replied((await db.write(write)).answer),
    event: (happening, where = newest, options) =>
      tells(
        typeOf(told, `${resource}.${happening}` as EventType),
        told,
        sql`FROM ${table} ${joins} WHERE ${where}`,
        options,
      ),
  }
}
