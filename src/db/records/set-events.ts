import { type SQL, sql } from 'drizzle-orm'
import type { EventType } from '../../resources'
import { log } from '../schema/tenancy'
import { cascadeOf, eventSql, eventTypeOf } from '../sql/events'
import { columnOf } from '../sql/record-scope'
import { caller, inline } from '../sql/statement'
import type { AnyRecord } from './record'

export type EmittingRecord = Pick<AnyRecord, 'resource' | 'eventSource' | 'table' | 'columns' | 'idColumn'>

type Happening = 'created' | 'updated' | 'deleted'

// LIMIT keeps SQLite from flattening the subquery, and so keeps the order of the ids.
const fromRecords = ({ table, columns, idColumn, eventSource }: EmittingRecord, ids: SQL) =>
  sql`FROM (${ids} LIMIT -1) touched CROSS JOIN ${table} ON ${idColumn} = touched.id
    AND +${columnOf(columns, 'subscriptionId')} = ${caller.subscription} ${eventSource.joins}`

const typeOf = ({ resource, eventSource }: EmittingRecord, happening: Happening): SQL<EventType> => {
  const type = eventTypeOf(eventSource, `${resource}.${happening}` as EventType)
  return typeof type === 'string' ? sql`${inline(type)}` : type
}

/** Emits an event for each record whose id `ids` selects as `id`, in that order. */
export const emitEventsOf = (happening: Happening, record: EmittingRecord, ids: SQL, where: SQL = sql`true`): SQL =>
  eventSql({
    ...record.eventSource,
    type: typeOf(record, happening),
    cascade: cascadeOf(record.eventSource, `${record.resource}.${happening}` as EventType),
    from: sql`${fromRecords(record, ids)} WHERE ${where}`,
    many: true,
  })

/** Members of an event about many records (docs/api-conventions.md). */
const MAX_MEMBERS_PER_EVENT = inline(1_000)

interface EventOfMany {
  type: EventType
  /** SQL of the key and the product of `owner`. */
  key: SQL
  product?: SQL
  /** SQL of further members of the event: names and values, each after a comma. */
  more?: SQL
  /** A join of the owner's table, for `key` and `product`. */
  from?: SQL
}

/**
 * Emits events that list the members of each owner, in the order of the members. `members` selects `owner` and `member`;
 * a member is a number or JSON.
 */
export const emitEventsOfMany = (
  { type, key, product, more = sql``, from = sql`` }: EventOfMany,
  name: string,
  members: SQL,
  member: SQL = sql`member`,
): SQL =>
  eventSql({
    type,
    key,
    ...(product && { product }),
    data: sql`json_object('count', count, ${inline(name)}, json(list) ${more})`,
    from: sql`FROM (SELECT owner, part, count(*) AS count, json_group_array(${member}) AS list FROM (
        SELECT *, (row_number() OVER (PARTITION BY owner ORDER BY member) - 1) / ${MAX_MEMBERS_PER_EVENT} AS part
        FROM (${members})) GROUP BY owner, part) ${from}`,
    many: true,
  })

const UNCOMPARED_MEMBERS = sql.raw(`'updatedAt', 'updated_at', 'truncated'`)

const selectChangedMembers = (
  before: SQL,
  after: SQL,
) => sql`(SELECT json_group_object(member.key, json(${before} -> member.fullkey))
  FROM json_each(${before}) member WHERE (${before} -> member.fullkey) IS NOT (${after} -> member.fullkey)
    AND member.key NOT IN (${UNCOMPARED_MEMBERS})
    AND (${before} ->> '$.truncated' IS NULL OR member.type NOT IN ('text', 'array')))`

/** Replaces the record in each `updated` event that the batch emitted before its changes, and adds `previous`. */
export const completeUpdatedEvents = (
  record: EmittingRecord,
  ids: SQL,
): SQL => sql`UPDATE ${log} SET data = changed.data,
    previous = ${selectChangedMembers(sql`${log.data}`, sql`changed.data`)}
  FROM (SELECT ${record.eventSource.data} AS data, (SELECT emitted.place FROM ${log} emitted INDEXED BY log_resource
        WHERE emitted.subscription_id = ${caller.subscription} AND emitted.resource_key = ${record.eventSource.key}
          AND emitted.type = ${typeOf(record, 'updated')} ORDER BY emitted.place DESC LIMIT 1) AS place
      ${fromRecords(record, ids)} LIMIT -1) changed
  WHERE ${log.place} = changed.place AND ${log.createdAt} = ${caller.now} AND ${log.previous} IS NULL`
