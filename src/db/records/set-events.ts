import { type SQL, sql } from 'drizzle-orm'
import type { EventType } from '../../resources'
import { log } from '../schema/tenancy'
import { eventSql, eventTypeOf } from '../sql/events'
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
    from: sql`${fromRecords(record, ids)} WHERE ${where}`,
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
