import { type SQL, sql } from 'drizzle-orm'
import { type SQLiteTable, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { EventType, ResourceName } from '../../resources'
import { imports } from '../schema/imports'
import { EVENT_COLUMNS, log } from '../schema/tenancy'
import { cascadeJson, type RecordContent } from './content'
import { lastEventId, logPlaceOf } from './log'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from './statement'

/** View for inserting events: an INSTEAD OF trigger leaves `last_insert_rowid()` unchanged, and `changes()` is 0. */
const eventInsertView = sqliteTable('append_event', EVENT_COLUMNS)

export interface EventSource {
  readonly table: SQLiteTable
  readonly joins: SQL
  readonly key: SQL
  readonly product: SQL
  readonly person: SQL
  readonly hidesActor: SQL | undefined
  /** The record as returned by GET, as JSON. The log truncates long values (0003_log.sql). */
  readonly data: SQL
  readonly resourceName?: SQL | undefined
  readonly content?: RecordContent | undefined
}

/** Replaces the resource in an event type by the row's own resource: `work_item.updated` becomes `epic.updated`. */
export const eventTypeOf = ({ resourceName }: EventSource, type: EventType): EventType | SQL<EventType> =>
  resourceName ? sql<EventType>`${resourceName} || ${inline(type.slice(type.indexOf('.')))}` : type

/** Only the events of a removal and a restore count the content. */
export const cascadeOf = ({ content }: Pick<EventSource, 'content'>, type: EventType): SQL | undefined =>
  content && /\.(deleted|restored)$/.test(type) ? cascadeJson(content) : undefined

interface EventShape {
  type: EventType | SQL<EventType>
  key: SQL
  product?: SQL
  person?: SQL
  hidesActor?: SQL | undefined
  /** JSON. Without this SQL, `@data` is bound. */
  data?: SQL
  previous?: SQL
  cascade?: SQL | undefined
  many?: boolean
  /** True if a later statement reads `changes()`, and no later statement reads `last_insert_rowid()`. */
  keepsChanges?: boolean
  /** Source rows of the event, usable in `key` and the rest. Without a source, the event is always written. */
  from?: SQL
}

// The id of a run is unknown before the batch that inserts the run.
const originOfEvent = sql`coalesce((SELECT 'import:' || i.id FROM ${imports} i
  WHERE i.subscription_id = ${caller.subscription} AND i.reference = ${caller.importRun}), ${caller.origin})`

export function eventSql({
  type,
  key,
  product,
  person,
  hidesActor,
  data,
  previous,
  cascade,
  from,
  many = false,
  keepsChanges,
}: EventShape): SQL {
  const actor = (who: SQL) => (hidesActor ? sql`CASE WHEN ${hidesActor} THEN NULL ELSE ${who} END` : who)
  const id = many ? sql`${lastEventId} + row_number() OVER ()` : sql`${lastEventId} + 1`
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
    origin: originOfEvent,
    hops: caller.hops,
    cascade: cascade ?? sql`NULL`,
  }
  return keepsChanges
    ? insertInto(log, { place: logPlaceOf(id), ...row }, from)
    : insertInto(eventInsertView, { id, ...row }, from)
}

export function makeEventStatement<V extends Values = Record<never, never>>(
  shape: EventShape,
): (data: object, values: V) => Statement<never> {
  const make = statement<never, Values>(eventSql(shape))
  return (data, values) => make({ ...values, '@data': JSON.stringify(data) })
}

/** The index is forced, because SQLite would otherwise scan the workspace's whole log. */
export const anonymizeEvents = (
  resource: ResourceName,
  key: SQL,
  member: string,
): ((values: Values) => Statement<never>) =>
  statement<never, Values>(sql`UPDATE ${log} INDEXED BY log_resource
    SET person_id = NULL, actor_user_id = NULL, actor_key = NULL,
      data = json_set(data, ${inline(`$.${member}`)}, 0)
    WHERE ${log.subscriptionId} = ${caller.subscription} AND ${log.resourceKey} = ${key}
      AND ${log.type} GLOB ${inline(`${resource}.*`)}
      AND (${log.personId} IS NOT NULL OR ${log.actorKey} IS NOT NULL)`)

export interface EmitOptions {
  many?: boolean
  previous?: SQL
  /** True if the record gets another key, and its content stays. */
  keepsContent?: boolean
}

export function emitEvents(
  type: EventType,
  source: EventSource,
  from: SQL,
  { many = false, previous = sql`NULL`, keepsContent = false }: EmitOptions = {},
): (values: Values) => Statement<never> {
  const { key, product, person, hidesActor, data } = source
  const cascade = keepsContent ? undefined : cascadeOf(source, type)
  return statement<never, Values>(() =>
    eventSql({
      ...{ key, product, person, hidesActor, data, previous, cascade, many, from },
      type: eventTypeOf(source, type),
    }),
  )
}

/** Updates the data of the batch's own event, for changes made after the event. */
export function reemitEvent(
  type: EventType | SQL<EventType>,
  source: EventSource,
  where: SQL,
): (values: Values) => Statement<never> {
  const from = sql`FROM ${source.table} ${source.joins} WHERE ${where}`
  return statement<never, Values>(
    () => sql`UPDATE ${log} SET data = (SELECT ${source.data} ${from})
    WHERE ${log.place} = (
        SELECT max(e.place) FROM ${log} e WHERE e.subscription_id = ${caller.subscription}
          AND e.resource_key = (SELECT ${source.key} ${from}))
      AND ${log.type} = ${typeof type === 'string' ? inline(type) : sql`(SELECT ${type} ${from})`} AND ${log.createdAt} = ${caller.now}
      AND ${log.actorKey} IS ${caller.key}`,
  )
}
