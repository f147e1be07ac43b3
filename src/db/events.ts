import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { EventType } from '../resources'
import { events } from './schema/tenancy'
import { caller, insertInto, param, type Statement, statement, type Values } from './statement'

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
  /** Whether the record may be too long for the log. */
  readonly long: boolean
  /** The record as its GET answers it, as SQL of JSON. */
  readonly data: SQL
}

interface EventShape {
  type: EventType
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
      type: sql.raw(`'${type}'`),
      actorUserId: actor(sql`${caller.user}`),
      actorKey: actor(sql`${caller.key}`),
      resourceKey: key,
      data: data ?? param('@data'),
      previous: previous ?? sql`NULL`,
      createdAt: caller.now,
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

// Of an event's data, and of what was there before, in bytes (api.md, section 4).
const MAX_BYTES = 250_000
// Characters that the texts and lists of a record which is longer may have: the first of these with which it fits.
const CAPS = sql.raw('(VALUES (20000), (2000), (200))')

const cutText = sql.raw("json_quote(CASE WHEN length(atom) > cap THEN substr(atom, 1, cap) || '…' ELSE atom END)")
const firstItems = sql.raw(`(SELECT json_group_array(json(item)) FROM (
  SELECT item, sum(length(item)) OVER (ORDER BY place) AS upto FROM (
    SELECT i.key AS place, CASE WHEN i.type IN ('object', 'array') THEN i.value ELSE json_quote(i.value) END AS item
    FROM json_each(m.value) i)) WHERE upto <= cap)`)
const shorter = sql`(SELECT json_group_object(key, json(member)) FROM (SELECT m.key, CASE m.type
    WHEN 'text' THEN ${cutText}
    WHEN 'array' THEN CASE WHEN length(m.value) > cap THEN ${firstItems} ELSE m.value END
    WHEN 'object' THEN m.value WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE json_quote(m.atom) END AS member
  FROM json_each(document) m))`
const cut = sql`(SELECT json_set(shorter, '$.truncated', json('true')) FROM (
    SELECT ${shorter} AS shorter FROM (SELECT column1 AS cap FROM ${CAPS}) LIMIT 3)
  WHERE octet_length(shorter) < ${sql.raw(String(MAX_BYTES - 20))} LIMIT 1)`

/** JSON of a record, whose long texts and lists are cut until it fits the log, with `truncated` beside them. */
export function bounded(document: SQL): SQL {
  // Its LIMIT keeps the inner query from being merged with the outer one, which would make the document twice.
  return sql`(SELECT CASE WHEN octet_length(document) <= ${sql.raw(String(MAX_BYTES))} THEN document ELSE ${cut} END
    FROM (SELECT ${document} AS document LIMIT 1))`
}

/** The record as JSON that fits the log. */
export const dataOf = ({ long, data }: Told): SQL => (long ? bounded(data) : data)

/** The statement with which a write tells, in its own batch, of the records of `from`. */
export function tells(
  type: EventType,
  told: Told,
  from: SQL,
  { many = false }: { many?: boolean } = {},
): (values: Values) => Statement<never> {
  const { key, product, person, unnamed } = told
  return statement<never, Values>(() =>
    eventSql({ type, key, product, person, unnamed, data: dataOf(told), many, from }),
  )
}

/**
 * Makes the statement that tells a batch's own event anew, with the record as the batch leaves it: for what is changed
 * elsewhere after the event. Where the batch told none of the record in `where`, nothing is written.
 */
export function retells(type: EventType, told: Told, where: SQL): (values: Values) => Statement<never> {
  const from = sql`FROM ${told.table} ${told.joins} WHERE ${where}`
  return statement<never, Values>(
    () => sql`UPDATE ${events} SET data = (SELECT ${dataOf(told)} ${from})
    WHERE ${events.subscriptionId} = ${caller.subscription} AND ${events.id} = (
        SELECT max(e.id) FROM ${events} e WHERE e.subscription_id = ${caller.subscription}
          AND e.resource_key = (SELECT ${told.key} ${from}))
      AND ${events.type} = ${sql.raw(`'${type}'`)} AND ${events.createdAt} = ${caller.now}
      AND ${events.actorKey} IS ${caller.key}`,
  )
}
