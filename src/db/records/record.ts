import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type EventType, RESOURCES, type ResourceEvent, type ResourceName } from '../../resources'
import { notFoundError } from '../../text/errors'
import type { Database, DatabaseWrite } from '../client/client'
import { type Guard, type GuardReason, guard, makeVersionGuard } from '../client/refuse'
import { selectOneRow } from '../sql/access'
import type { RecordContent } from '../sql/content'
import { type EmitOptions, type EventSource, emitEvents } from '../sql/events'
import type { ColumnData, Shape, ShownData } from '../sql/field'
import { lastTakenKey } from '../sql/numbering'
import { columnOf, productIdOfRecord, scopeCondition } from '../sql/record-scope'
import { type Returning, returning } from '../sql/returning'
import {
  chooseSelectedLeaves,
  type FieldLeaf,
  leavesOf,
  makeRowConverter,
  recordJson,
  selectListOf,
} from '../sql/selection'
import { caller, inline, param, type SqlValue, type Statement, statement, type Values } from '../sql/statement'

export type RecordScope =
  | 'workspace'
  | 'product'
  /** The products covered by the key. `shared`: a record without a product belongs to all products. */
  | { readonly product: SQLiteColumn; readonly shared?: boolean }
  | { readonly parent: AnyRecord; readonly by: SQLiteColumn }
  | { readonly below: AnyRecord; readonly by: SQLiteColumn }

export type KeyColumns = Readonly<Record<string, SQLiteColumn>>
export type Key<K extends KeyColumns> = { readonly [P in keyof K]: ColumnData<K[P]> & SqlValue }

export interface UniqueColumn {
  column: SQLiteColumn
  takenMessage: string
}

interface RecordDeclaration<K extends KeyColumns, F extends Shape, D extends Shape> {
  table: SQLiteTable
  scope: RecordScope
  key: K
  /** Name in the log; default: the external key, or the id. */
  name?: SQLWrapper
  joins?: SQL
  fields: F
  detail?: D
  person?: SQLWrapper
  hidesActor?: SQL
  unique?: UniqueColumn
  maxPerWorkspace?: number
  /** Condition for a large record: the event has only the list fields, and `truncated`. */
  emitsAsItem?: SQL
  discriminator?: SQL
  /** Query of the reason to refuse a write to a locked record in the path, like a merged idea; no row otherwise. */
  lockedReason?: SQL
  listsDeleted?: SQL
  keyCondition?: SQL
  renamedTo?: SQL
  resourceName?: SQL
  content?: RecordContent
  id?: SQLiteColumn
  /** Counts the changes; default: the column `version`, or always 1. */
  version?: SQL
}

export interface RecordReply<T> {
  data: T
  version: number
}

export interface RecordRow {
  version: number
}

export interface RecordOf<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape> {
  readonly resource: R
  readonly table: SQLiteTable
  readonly columns: Readonly<Record<string, SQLiteColumn>>
  readonly idColumn: SQLiteColumn
  readonly scope: RecordScope
  readonly unique: UniqueColumn | undefined
  readonly maxPerWorkspace: number | undefined
  readonly fields: F
  readonly detailFields: F & D
  /** Leaves of a list's item (`items`) and of a single record (`leaves`). */
  readonly items: readonly FieldLeaf[]
  readonly leaves: readonly FieldLeaf[]
  readonly eventSource: EventSource
  /** Id of the record's product, or of the parent's product; undefined without a product. */
  readonly product: SQL | undefined
  readonly missing: `${string}_not_found`

  readonly from: SQL
  /** Records of the tenant and scope; the second condition leaves out removed records. */
  readonly inScope: SQL
  readonly notDeleted: SQL
  /** Records of the tenant without removed records, of any product. */
  readonly tenantNotDeleted: SQL
  readonly byKey: SQL
  readonly deletedByKey: SQL
  readonly justInserted: SQL
  readonly id: SQL

  notFound(key: Key<K>): Guard
  /** Refuses a write to a missing record, a record the key may only read, or a record changed since `ifMatch`. */
  writeGuards(key: Key<K>, ifMatch?: string | null): Guard[]
  /** Refuses a write if `when` holds for the record in the path; the check of the caller comes first. */
  refuseIf(reason: GuardReason, when: SQL, whoAsks?: SQL): (values: Values) => Guard
  parentGuards(key: Values): Guard[]
  restoreGuards(key: Values): Guard[]
  get(db: Database, key: Key<K>): Promise<RecordReply<ShownData<F> & ShownData<D>>>
  select(key: Key<K>): Statement<RecordRow>
  selectId(key: Key<K>): Statement<{ id: number }>
  returningByKey(key: Key<K>): Returning<RecordRow>
  inserted(values?: Values): Returning<RecordRow>
  returningWhere<E extends object = Record<never, never>>(
    where: SQL,
    also?: { readonly [N in keyof E]: SQLWrapper },
  ): (values: Values) => Returning<RecordRow & E>
  toItem(row: object): ShownData<F>
  toReply(rows: readonly RecordRow[]): RecordReply<ShownData<F> & ShownData<D>>
  save<S extends readonly Statement[]>(
    db: Database,
    write: DatabaseWrite<S, RecordRow>,
  ): Promise<RecordReply<ShownData<F> & ShownData<D>>>
  emit(happening: ResourceEvent<R>, where?: SQL, options?: EmitOptions): (values: Values) => Statement<never>
}

export type AnyRecord = RecordOf<ResourceName, KeyColumns, Shape, Shape>

const WORKSPACE_RECORD_REASON =
  "'insufficient_scope:This API key is limited to products, but the record belongs to the whole workspace. Use a key without that limit.'"

export function record<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape = Record<never, never>,
>(resource: R, declared: RecordDeclaration<K, F, D>): RecordOf<R, K, F, D> {
  const { table, scope, key, name, joins = sql``, fields, detail } = declared
  const { person, hidesActor, unique, maxPerWorkspace, emitsAsItem, discriminator = sql`` } = declared
  const { missing, prefix } = RESOURCES[resource] as { missing: `${string}_not_found`; prefix?: never }
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  const ownId = declared.id ?? columnOf(columns, 'id')
  const version = declared.version ?? (columns.version ? sql`${columns.version}` : sql`1`)
  const tenant = sql`${columnOf(columns, 'subscriptionId')} = ${caller.subscription}`
  const inScope = sql`${tenant} ${scopeCondition(scope, columns)} ${discriminator}`
  const { keyCondition, renamedTo, resourceName, content } = declared
  const keyConditions = keyCondition
    ? [sql`AND ${keyCondition}`]
    : Object.entries(key).map(([name, column]) => sql`AND ${column} = ${param(name)}`)
  const isNotRemoved = columns.deletedAt ? sql`AND ${columns.deletedAt} IS NULL` : sql``
  const isListed = declared.listsDeleted
    ? sql`AND (${columns.deletedAt} IS NULL OR ${declared.listsDeleted})`
    : isNotRemoved
  const tenantVisible = sql`${tenant} ${discriminator} ${isListed}`
  const visible = sql`${inScope} ${isListed}`
  const addressed = sql.join([inScope, isNotRemoved, ...keyConditions], sql` `)
  const removed = columns.deletedAt
    ? sql.join([inScope, sql`AND ${columns.deletedAt} IS NOT NULL`, ...keyConditions], sql` `)
    : sql`false`
  const newest =
    prefix && columns.externalKey
      ? sql`${tenant} AND ${columns.externalKey} = ${lastTakenKey(prefix)}`
      : sql`${tenant} AND ${ownId} = last_insert_rowid()`
  const from = sql`FROM ${table} ${joins}`

  const whole = { ...fields, ...detail } as F & D
  const leaves = leavesOf(whole)
  const items = leavesOf(fields)
  const product = productIdOfRecord(scope, columns)
  const eventSource: EventSource = {
    table,
    joins,
    key: sql`${name ?? columns.externalKey ?? sql`CAST(${ownId} AS TEXT)`}`,
    product: product ?? sql`NULL`,
    person: person ? sql`${person}` : sql`NULL`,
    hidesActor,
    data: emitsAsItem
      ? sql`CASE WHEN ${emitsAsItem} THEN json_set(${recordJson(fields)}, '$.truncated', json('true')) ELSE ${recordJson(whole)} END`
      : recordJson(whole),
    resourceName,
    content,
  }

  const { lockedReason } = declared
  const where = renamedTo ? sql`${inline(`${missing}:`)} || coalesce((${renamedTo}), '')` : inline(missing)
  const absent = guard<Values>(
    lockedReason ? sql`coalesce((${lockedReason}), ${where})` : where,
    sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${addressed})`,
  )
  const versionChanged = makeVersionGuard(sql`(SELECT ${version} ${from} WHERE ${addressed})`)
  const workspaceRecordGuard = (where: SQL) => {
    if (typeof scope !== 'object' || !('product' in scope) || !scope.shared) return () => []
    const refuse = guard<Values>(
      sql.raw(WORKSPACE_RECORD_REASON),
      sql`${caller.products} IS NOT NULL
        AND EXISTS (SELECT 1 FROM ${table} WHERE ${where} AND ${scope.product} IS NULL)`,
    )
    return (given: Values) => [refuse(given)]
  }
  const workspaceRecord = workspaceRecordGuard(addressed)
  const removedWorkspaceRecord = workspaceRecordGuard(removed)
  const parentRecord = typeof scope === 'object' && 'parent' in scope ? scope.parent : undefined
  const reachable = (given: Values) => parentRecord?.writeGuards(given as never) ?? []

  const select = selectOneRow<RecordRow, Values>(
    sql`${selectListOf(leaves)}, ${version} AS "version"`,
    sql`${from} WHERE ${addressed}`,
  )
  const returningRecord = <E extends object>(where: SQL, also?: { readonly [N in keyof E]: SQLWrapper }) =>
    returning<RecordRow & E, Values>(
      {
        ...Object.fromEntries(chooseSelectedLeaves(leaves).map(({ name, field }) => [name, field.sql])),
        version,
        ...also,
      } as never,
      sql`${from} WHERE ${where}`,
      () => [recordJson(whole, true)],
    )
  const reply = returningRecord(addressed)
  const created = returningRecord(newest)
  const find = statement<{ id: number }, Values>(sql`SELECT ${ownId} AS "id" FROM ${table} WHERE ${addressed}`)
  const selectRenamed = renamedTo && statement<{ key: string }, Values>(sql`SELECT (${renamedTo}) AS "key"`)
  const show = makeRowConverter(leaves)
  const replied = ([found]: readonly RecordRow[]): RecordReply<ShownData<F> & ShownData<D>> => {
    if (!found) throw notFoundError(missing)
    const { version, ...stored } = found
    return { data: show(stored) as ShownData<F> & ShownData<D>, version }
  }

  return {
    ...{
      resource,
      table,
      columns,
      scope,
      unique,
      maxPerWorkspace,
      fields,
      detailFields: whole,
      items,
      leaves,
      eventSource,
      product,
      missing,
    },
    idColumn: ownId,
    ...{
      from,
      inScope,
      notDeleted: visible,
      tenantNotDeleted: tenantVisible,
      byKey: addressed,
      deletedByKey: removed,
      justInserted: newest,
    },
    id: sql`(SELECT ${ownId} FROM ${table} WHERE ${addressed})`,
    notFound: absent,
    writeGuards: (given, ifMatch = null) => [
      ...reachable(given),
      absent(given),
      ...workspaceRecord(given),
      ...(ifMatch === null ? [] : [versionChanged({ ifMatch })]),
    ],
    refuseIf(reason, when, whoAsks) {
      const refused = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${addressed} AND ${when})`
      return guard(reason, whoAsks ? sql`${whoAsks} AND ${refused}` : refused)
    },
    parentGuards: reachable,
    restoreGuards: (given) => [...reachable(given), ...workspaceRecord(given), ...removedWorkspaceRecord(given)],
    async get(db, given) {
      if (!parentRecord) {
        const [rows] = await db.read(select(given))
        if (rows.length || !selectRenamed) return replied(rows)
        const [[now]] = await db.read(selectRenamed(given))
        throw notFoundError(missing, now?.key)
      }
      const [rows, [parent]] = await db.read(select(given), parentRecord.selectId(given as never))
      if (!parent) throw notFoundError(parentRecord.missing)
      return replied(rows)
    },
    select,
    selectId: find,
    returningByKey: reply,
    inserted: (given = {}) => created(given),
    returningWhere: returningRecord,
    toItem: makeRowConverter(items) as (row: object) => ShownData<F>,
    toReply: replied,
    save: async (db, write) => replied((await db.write(write)).rows),
    emit: (happening, where = newest, options) =>
      emitEvents(`${resource}.${happening}` as EventType, eventSource, sql`${from} WHERE ${where}`, options),
  }
}
