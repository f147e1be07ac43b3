import { type SQL, sql } from 'drizzle-orm'
import { events } from './schema/tenancy'
import { caller, insertInto, param, type Statement, statement, type Values } from './statement'

/** What the log can hold (api.md, section 4). */
export const EVENT_TYPES = [
  'product.created',
  'epic.created',
  'epic.updated',
  'feature.created',
  'feature.updated',
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
  'asset.updated',
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
  /** Whether `from` may have several rows, each with an event of its own. */
  many?: boolean
  /** Rows the event is about; `key` and the others may name their columns. None: the event is written always. */
  from?: SQL
}

const lastId = sql`(SELECT coalesce(max(id), 0) FROM ${events} WHERE ${events.subscriptionId} = ${caller.subscription})`

/** SQL of an event; for what needs a text per variant. `@data` is JSON. */
export function eventSql({ type, key, product, data, previous, from, many = false }: EventShape): SQL {
  return insertInto(
    events,
    {
      subscriptionId: caller.subscription,
      id: many ? sql`${lastId} + row_number() OVER ()` : sql`${lastId} + 1`,
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
  return (data, values) => make({ ...values, '@data': eventData(data) })
}

// What a record holds may fill a row by itself; its event holds the like twice, and is read a page at a time.
const LONG_TEXT = 20_000
const MAX_DATA = 500_000

/** An event's data as JSON: long texts are cut short, and what is still too long is left out. */
export function eventData(data: object): string {
  const whole = JSON.stringify(data)
  if (whole.length <= LONG_TEXT) return whole
  const short = JSON.stringify(data, (_, value) =>
    typeof value === 'string' && value.length > LONG_TEXT ? `${value.slice(0, LONG_TEXT).toWellFormed()}…` : value,
  )
  return short.length <= MAX_DATA ? short : JSON.stringify({ omitted: 'too long' })
}
