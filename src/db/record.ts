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

/** Where the records of a resource lie, besides their tenant. */
export type Within =
  | 'workspace'
  /** The product in the path. */
  | 'product'
  /** The products that the key covers; `shared`: without one a record belongs to all of them. */
  | { readonly product: SQLiteColumn; readonly shared?: boolean }
  /** A record in the path. */
  | { readonly parent: AnyRecord; readonly by: SQLiteColumn }
  /** Some record of another resource that the path does not name. */
  | { readonly below: AnyRecord; readonly by: SQLiteColumn }

export type KeyColumns = Readonly<Record<string, SQLiteColumn>>
export type Key<K extends KeyColumns> = { readonly [P in keyof K]: Data<K[P]> & SqlValue }

export interface Unique {
  column: SQLiteColumn
  /** What a 409 says. */
  taken: string
}

interface Declaration<K extends KeyColumns, F extends Shape, D extends Shape> {
  table: SQLiteTable
  within: Within
  /** Path parameters, and the column that each names. */
  key: K
  /** What the log calls it by; its external key, or id, without this. */
  name?: SQLWrapper
  /** Joins of one row at most each. */
  joins?: SQL
  fields: F
  /** What a single record has beyond the items of a list. */
  detail?: D
  /** Id of whose names or address it shows. */
  person?: SQLWrapper
  /** Where true, the log does not say who acted. */
  unnamed?: SQL
  /** Unique among what is not removed. */
  unique?: Unique
  /** How many that are not removed a workspace has at most. */
  most?: number
  /** Where true, there is so much of it that the log has what lists show of it, and says `truncated`. */
  toldAsItem?: SQL
  /** What else must hold of a record of this resource. */
  only?: SQL
  /** A query of why a write to the one in the path is refused that is there, but not as such: a reason, or nothing. */
  sealed?: SQL
  /** Removed ones that lists show all the same. */
  stays?: SQL
  /** How the one in the path is found, where its key columns alone do not say. */
  found?: SQL
  /** A query of what the one is called now that the path called so, where it has left this resource. */
  moved?: SQL
  /** Where its rows are of several resources: the name of each. */
  resourceName?: SQL
  /** What tells its records apart within their parent; its column `id` without this. */
  id?: SQLiteColumn
  /** What counts up with every change; its column `version`, or always 1, without this. */
  version?: SQL
}

/** What a reply is made from. */
export interface Replied<T> {
  data: T
  version: number
}

export interface Row {
  version: number
}

/** What the queries of every room share, for one resource: SQL, guards and statements to compose. */
export interface RecordOf<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape> {
  readonly resource: R
  readonly table: SQLiteTable
  readonly columns: Readonly<Record<string, SQLiteColumn>>
  readonly idColumn: SQLiteColumn
  readonly within: Within
  readonly unique: Unique | undefined
  readonly most: number | undefined
  readonly fields: F
  /** Also those that a single record has alone. */
  readonly whole: F & D
  /** The fields of a list's item, and of a single record. */
  readonly items: readonly Leaf[]
  readonly leaves: readonly Leaf[]
  readonly told: Told
  /** The id of its product, or of that of the record above it; undefined where there is none. */
  readonly product: SQL | undefined
  readonly missing: `${string}_not_found`

  readonly from: SQL
  /** Those of the tenant and of where they lie; `visible`: that are not removed. */
  readonly inScope: SQL
  readonly visible: SQL
  /** Those of the tenant that are not removed, whichever product they belong to. */
  readonly tenantVisible: SQL
  /** The one in the path; `removed`: that is removed. */
  readonly addressed: SQL
  readonly removed: SQL
  /** The one that this batch made last. */
  readonly newest: SQL
  /** The id of the one in the path. */
  readonly id: SQL

  absent(key: Key<K>): Guard
  /** Refuse a write to a record that is not there, that the key may only read, or that has changed since. */
  writable(key: Key<K>, ifMatch?: string | null): Guard[]
  /** Refuses a write where `when` holds of the one in the path; who asks is looked at first. */
  refusing(reason: SQL, when: SQL, whoAsks?: SQL): (values: Values) => Guard
  /** Refuse to make a record below what is not there, or what the key may only read. */
  reachable(key: Values): Guard[]
  /** Refuse a key that is limited to products to bring back what belongs to all of them. */
  restorable(key: Values): Guard[]
  get(db: Database, key: Key<K>): Promise<Replied<Shown<F> & Shown<D>>>
  /** Reads the one in the path, for a batch that reads more. */
  select(key: Key<K>): Statement<Row>
  find(key: Key<K>): Statement<{ id: number }>
  /** Answers a write with the record in the path. */
  reply(key: Key<K>): Answer<Row>
  /** Answers a write with the record that it has made. */
  created(values?: Values): Answer<Row>
  /** Answers a write with the record of `where`; `also`: what else the reply is made from. */
  answering<E extends object = Record<never, never>>(
    where: SQL,
    also?: { readonly [N in keyof E]: SQLWrapper },
  ): (values: Values) => Answer<Row & E>
  /** Rows as the API shows them. */
  item(row: object): Shown<F>
  replied(rows: readonly Row[]): Replied<Shown<F> & Shown<D>>
  /** Writes, and replies with the record that the answer reads. */
  save<S extends readonly Statement[]>(db: Database, write: Write<S, Row>): Promise<Replied<Shown<F> & Shown<D>>>
  /** Tells of each record of `where`. */
  event(happening: Happening<R>, where?: SQL, options?: Telling): (values: Values) => Statement<never>
}

export type AnyRecord = RecordOf<ResourceName, KeyColumns, Shape, Shape>

const WORKSPACE_ALONE =
  "'insufficient_scope:This API key is limited to products, but the record belongs to the whole workspace. Use a key without that limit.'"

/** Declares a resource once. What its queries share with those of others is made from it. */
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
