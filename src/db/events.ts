import { type SQL, sql } from 'drizzle-orm'
import { type SQLiteTable, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { EventType, ResourceName } from '../resources'
import { lastEvent, placeOf } from './log'
import { EVENT, log } from './schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from './statement'

/** The view through which a batch tells the log: `last_insert_rowid()` stays what it was, and `changes()` is 0. */
const view = sqliteTable('told', EVENT)

/** How the log tells of a record. */
export interface Told {
  readonly table: SQLiteTable
  readonly joins: SQL
  /** The external key (or id) of what it is about. */
  readonly key: SQL
  readonly product: SQL
  /** Id of the person whose names or address the record shows, or NULL. */
  readonly person: SQL
  /** Where true, the log does not say who acted. */
  readonly unnamed: SQL | undefined
  /** The record as its GET answers it, as SQL of JSON. What is too long for the log, the log itself cuts (0014_log_bound.sql). */
  readonly data: SQL
  /** Where its rows are of several resources: the name of each. */
  readonly resourceName?: SQL | undefined
}

/** `work_item.updated` as what each of its rows is: `epic.updated`. */
export const typeOf = ({ resourceName }: Told, type: EventType): EventType | SQL<EventType> =>
  resourceName ? sql<EventType>`${resourceName} || ${inline(type.slice(type.indexOf('.')))}` : type

interface EventShape {
  type: EventType | SQL<EventType>
  key: SQL
  product?: SQL
  person?: SQL
  /** Where true, who acted is not told. */
  unnamed?: SQL | undefined
  /** JSON; without it `@data` is bound. */
  data?: SQL
  /** Changed fields as they were, as JSON. */
  previous?: SQL
  /** Whether `from` may have several rows, each with an event of its own. */
  many?: boolean
  /** A statement behind it asks `changes()`, and none `last_insert_rowid()`. */
  counted?: boolean
  /** Rows the event is about; `key` and the others may name their columns. None: the event is written always. */
  from?: SQL
}

/** SQL of an event; for what needs a text of its own. */
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

/** An event that says what happened rather than what there is now, with data that is bound or computed. */
export function event<V extends Values = Record<never, never>>(
  shape: EventShape,
): (data: object, values: V) => Statement<never> {
  const make = statement<never, Values>(eventSql(shape))
  return (data, values) => make({ ...values, '@data': JSON.stringify(data) })
}

/**
 * Makes the statement that takes out of the log who a record's person is, and who acted on it. `member` of its data is
 * the person's id, which becomes 0. Left to itself, SQLite walks the workspace's whole log for it.
 */
export const unnames = (resource: ResourceName, key: SQL, member: string): ((values: Values) => Statement<never>) =>
  statement<never, Values>(sql`UPDATE ${log} INDEXED BY log_resource
    SET person_id = NULL, actor_user_id = NULL, actor_key = NULL,
      data = json_set(data, ${inline(`$.${member}`)}, 0)
    WHERE ${log.subscriptionId} = ${caller.subscription} AND ${log.resourceKey} = ${key}
      AND ${log.type} GLOB ${inline(`${resource}.*`)}
      AND (${log.personId} IS NOT NULL OR ${log.actorKey} IS NOT NULL)`)

export interface Telling {
  /** Of several records. */
  many?: boolean
  /** Changed fields as they were, as JSON. */
  previous?: SQL
}

/** The statement with which a write tells, in its own batch, of the records of `from`. */
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
 * Makes the statement that tells a batch's own event anew, with the record as the batch leaves it: for what is changed
 * elsewhere after the event. Where the batch told none of the record in `where`, nothing is written.
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
