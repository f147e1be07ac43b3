import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { EventType, ResourceName } from '../resources'
import { events } from './schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from './statement'

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
  /** Rows the event is about; `key` and the others may name their columns. None: the event is written always. */
  from?: SQL
}

const lastId = sql`(SELECT coalesce(max(id), 0) FROM ${events} WHERE ${events.subscriptionId} = ${caller.subscription})`

/** SQL of an event; for what needs a text of its own. */
export function eventSql({ type, key, product, person, unnamed, data, previous, from, many = false }: EventShape): SQL {
  const actor = (who: SQL) => (unnamed ? sql`CASE WHEN ${unnamed} THEN NULL ELSE ${who} END` : who)
  return insertInto(
    events,
    {
      subscriptionId: caller.subscription,
      id: many ? sql`${lastId} + row_number() OVER ()` : sql`${lastId} + 1`,
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
    },
    from,
  )
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
  statement<never, Values>(sql`UPDATE ${events} INDEXED BY events_resource
    SET person_id = NULL, actor_user_id = NULL, actor_key = NULL,
      data = json_set(data, ${inline(`$.${member}`)}, 0)
    WHERE ${events.subscriptionId} = ${caller.subscription} AND ${events.resourceKey} = ${key}
      AND ${events.type} GLOB ${inline(`${resource}.*`)}
      AND (${events.personId} IS NOT NULL OR ${events.actorKey} IS NOT NULL)`)

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
    () => sql`UPDATE ${events} SET data = (SELECT ${told.data} ${from})
    WHERE ${events.subscriptionId} = ${caller.subscription} AND ${events.id} = (
        SELECT max(e.id) FROM ${events} e WHERE e.subscription_id = ${caller.subscription}
          AND e.resource_key = (SELECT ${told.key} ${from}))
      AND ${events.type} = ${typeof type === 'string' ? inline(type) : sql`(SELECT ${type} ${from})`} AND ${events.createdAt} = ${caller.now}
      AND ${events.actorKey} IS ${caller.key}`,
  )
}
