import { type SQL, sql } from 'drizzle-orm'
import { type SQLiteTable, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { EventType, ResourceName } from '../resources'
import { lastEvent, placeOf } from './log'
import { EVENT, log } from './schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from './statement'

/** View for inserting events: an INSTEAD OF trigger leaves `last_insert_rowid()` unchanged, and `changes()` is 0. */
const view = sqliteTable('told', EVENT)

export interface Told {
  readonly table: SQLiteTable
  readonly joins: SQL
  readonly key: SQL
  readonly product: SQL
  readonly person: SQL
  /** Condition for leaving the actor out of the event. */
  readonly unnamed: SQL | undefined
  /** The record as returned by GET, as JSON. The log truncates long values (0014_log_bound.sql). */
  readonly data: SQL
  /** Resource name per row, for a table of several resources. */
  readonly resourceName?: SQL | undefined
}

/** Replaces the resource in an event type by the row's own resource: `work_item.updated` becomes `epic.updated`. */
export const typeOf = ({ resourceName }: Told, type: EventType): EventType | SQL<EventType> =>
  resourceName ? sql<EventType>`${resourceName} || ${inline(type.slice(type.indexOf('.')))}` : type

interface EventShape {
  type: EventType | SQL<EventType>
  key: SQL
  product?: SQL
  person?: SQL
  unnamed?: SQL | undefined
  /** JSON. Without this SQL, `@data` is bound. */
  data?: SQL
  previous?: SQL
  /** True if `from` may return several rows. Each row gets an event. */
  many?: boolean
  /** True if a later statement reads `changes()`, and no later statement reads `last_insert_rowid()`. */
  counted?: boolean
  /** Source rows of the event, usable in `key` and the rest. Without a source, the event is always written. */
  from?: SQL
}

export function eventSql({
  type,
  key,
  product,
  person,
  unnamed,
  data,
  previous,
  from,
  many = false,
  counted,
}: EventShape): SQL {
  const actor = (who: SQL) => (unnamed ? sql`CASE WHEN ${unnamed} THEN NULL ELSE ${who} END` : who)
  const id = many ? sql`${lastEvent} + row_number() OVER ()` : sql`${lastEvent} + 1`
  const row = {
    subscriptionId: caller.subscription,
    productId: product ?? sql`NULL`,
    personId: person ?? sql`NULL`,
    type: typeof type === 'string' ? inline(type) : type,
    actorUserId: actor(sql`${caller.user}`),
    actorKey: actor(sql`${caller.key}`),
    resourceKey: key,
    data: data ?? param('@data'),
    previous: previous ?? sql`NULL`,
    createdAt: caller.now,
    requestId: caller.request,
    origin: caller.origin,
    hops: caller.hops,
  }
  return counted ? insertInto(log, { place: placeOf(id), ...row }, from) : insertInto(view, { id, ...row }, from)
}

/** Makes a statement for an event about an occurrence rather than a record's state, with bound or computed data. */
export function event<V extends Values = Record<never, never>>(
  shape: EventShape,
): (data: object, values: V) => Statement<never> {
  const make = statement<never, Values>(eventSql(shape))
  return (data, values) => make({ ...values, '@data': JSON.stringify(data) })
}

/**
 * Makes the statement to anonymize a record's events: removes the person and the actor, and sets `member` (the person's
 * id in the data) to 0. The index is forced, because SQLite would otherwise scan the workspace's whole log.
 */
export const unnames = (resource: ResourceName, key: SQL, member: string): ((values: Values) => Statement<never>) =>
  statement<never, Values>(sql`UPDATE ${log} INDEXED BY log_resource
    SET person_id = NULL, actor_user_id = NULL, actor_key = NULL,
      data = json_set(data, ${inline(`$.${member}`)}, 0)
    WHERE ${log.subscriptionId} = ${caller.subscription} AND ${log.resourceKey} = ${key}
      AND ${log.type} GLOB ${inline(`${resource}.*`)}
      AND (${log.personId} IS NOT NULL OR ${log.actorKey} IS NOT NULL)`)

export interface Telling {
  many?: boolean
  previous?: SQL
}

/** Makes the statement to emit an event for each record in `from`, in the write's own batch. */
export function tells(
  type: EventType | SQL<EventType>,
  told: Told,
  from: SQL,
  { many = false, previous = sql`NULL` }: Telling = {},
): (values: Values) => Statement<never> {
  const { key, product, person, unnamed, data } = told
  return statement<never, Values>(() => eventSql({ type, key, product, person, unnamed, data, previous, many, from }))
}

/**
 * Makes the statement to update the data of the batch's own event to the record's final state, for changes made after
 * the event. Without an event of this batch for the record in `where`, nothing is written.
 */
export function retells(
  type: EventType | SQL<EventType>,
  told: Told,
  where: SQL,
): (values: Values) => Statement<never> {
  const from = sql`FROM ${told.table} ${told.joins} WHERE ${where}`
  return statement<never, Values>(
    () => sql`UPDATE ${log} SET data = (SELECT ${told.data} ${from})
    WHERE ${log.place} = (
        SELECT max(e.place) FROM ${log} e WHERE e.subscription_id = ${caller.subscription}
          AND e.resource_key = (SELECT ${told.key} ${from}))
      AND ${log.type} = ${typeof type === 'string' ? inline(type) : sql`(SELECT ${type} ${from})`} AND ${log.createdAt} = ${caller.now}
      AND ${log.actorKey} IS ${caller.key}`,
  )
}
