import { type SQL, sql } from 'drizzle-orm'
import { events } from './schema/tenancy'
import { caller, insertInto, param, type Statement, statement, type Values } from './statement'

/** What the log can hold (api.md, section 4). */
export const EVENT_TYPES = [
  'product.created',
  'epic.created',
  'epic.updated',
  'feature.created',
  'userstory.created',
  'userstory.updated',
  'kpi.created',
  'kpi.records_inserted',
  'kpi.target_reached',
  'feedback.created',
  'segment.created',
  'segment.users_added',
  'member.unsubscribed',
  'persona.created',
  'persona.updated',
  'summary.created',
  'opportunity.created',
  'asset.created',
  'email.accepted',
  'email.completed',
  'api_key.created',
  'api_key.revoked',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

interface EventShape {
  type: EventType
  /** The external key (or id) of what it is about. */
  key: SQL
  product?: SQL
  /** JSON that only the database can tell; without it `@data` is bound. */
  data?: SQL
  /** Changed fields as they were, as JSON. */
  previous?: SQL
  /** Rows the event is about; `key` and the others may name their columns. None: the event is written always. */
  from?: SQL
}

const nextId = sql`(SELECT coalesce(max(id), 0) + 1 FROM ${events} WHERE ${events.subscriptionId} = ${caller.subscription})`

/** SQL of an event; for what needs a text per variant. `@data` is JSON. */
export function eventSql({ type, key, product, data, previous, from }: EventShape): SQL {
  return insertInto(
    events,
    {
      subscriptionId: caller.subscription,
      id: nextId,
      productId: product ?? sql`NULL`,
      type: sql.raw(`'${type}'`),
      actorUserId: caller.user,
      actorKey: caller.key,
      resourceKey: key,
      data: data ?? param('@data'),
      previous: previous ?? sql`NULL`,
      createdAt: caller.now,
    },
    from,
  )
}

/** The statement with which a write appends its event, in its own batch. */
export function event<V extends Values = Record<never, never>>(
  shape: EventShape,
): (data: object, values: V) => Statement<never> {
  const make = statement<never, Values>(eventSql(shape))
  return (data, values) => make({ ...values, '@data': JSON.stringify(data) })
}
