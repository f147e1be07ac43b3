import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { log } from '../../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../../db/schema/webhooks'
import { caller, insertInto, param, statement, type Values } from '../../../../db/sql/statement'
import type { EventKey } from '../../../events/actor'
import type { EventPerson } from '../../../events/people'
import {
  type ArchivedEvent,
  eventKeyColumns,
  eventPersonColumns,
  joinEventKey,
  joinEventPerson,
} from '../../../events/statements'
import { AREA_BINDINGS, deliveryValuesOfEvent, eventIsForEndpoint, joinEndpointKey } from '../../queries/matching'
import { webhookKeyIsActive } from '../../statements'
import { eventIsReadableByEndpoint } from './claim'
import { dueAtAfterFanOut, endpointIsActive } from './fan-out'

const encoder = new TextEncoder()
const countBytes = ({ data, previous }: ArchivedEvent) => encoder.encode(data + (previous ?? '')).length

/** Conditions read only `kind` of the data, of import events. */
const encodeEvents = (events: readonly ArchivedEvent[]): string =>
  JSON.stringify(
    events.map((event) => {
      const data = event.type.startsWith('import.') ? { kind: JSON.parse(event.data).kind } : {}
      const { id, type, productId, personId, actorKey, origin, hops } = event
      return { id, type, productId, personId, actorKey, origin, hops, data, bytes: countBytes(event) }
    }),
  )

// The conditions about events of the log apply to archived events too, because the list has the name of the table.
const withArchivedLog = sql`WITH log(id, type, product_id, person_id, actor_key, origin, hops, data, bytes) AS MATERIALIZED (
  SELECT value ->> 'id', value ->> 'type', value ->> 'productId', value ->> 'personId', value ->> 'actorKey', value ->> 'origin',
    value ->> 'hops', value ->> 'data', value ->> 'bytes' FROM json_each(${param('events')}))`

// Another invocation may have read the same events.
const positionIsUnchanged = sql`${endpointIsActive} AND ${webhooks.id} = ${param('webhookId')} AND ${webhooks.position} = ${param('from')}`

const insertArchivedDeliveries = statement<never, Values>(
  sql`${withArchivedLog} ${insertInto(
    webhookDeliveries,
    {
      subscriptionId: caller.subscription,
      webhookId: webhooks.id,
      eventId: log.id,
      ...deliveryValuesOfEvent,
      bytes: sql`log.bytes`,
      nextAttemptAt: caller.now,
      createdAt: caller.now,
    },
    sql`FROM ${webhooks} ${joinEndpointKey} CROSS JOIN ${log}
    WHERE ${positionIsUnchanged} AND ${eventIsForEndpoint} ON CONFLICT DO NOTHING`,
  )}`,
)

const moveEndpoint = statement<
  never,
  Values
>(sql`UPDATE ${webhooks} SET position = ${param('to')}, due_at = ${dueAtAfterFanOut}
  WHERE ${positionIsUnchanged} AND ${webhookKeyIsActive}`)

interface ArchivedRange {
  webhookId: number
  from: number
  to: number
}

export async function fanOutArchivedPage(
  store: Store,
  subscriptionId: number,
  range: ArchivedRange,
  events: readonly ArchivedEvent[],
): Promise<void> {
  const values = { ...range, ...AREA_BINDINGS, events: encodeEvents(events) }
  await store.batch(subscriptionId, insertArchivedDeliveries(values), moveEndpoint(values))
}

interface ArchivedEventAccess extends EventPerson, EventKey {
  id: number
  isReadable: number
}

const selectEventAccess = statement<ArchivedEventAccess, Values>(sql`${withArchivedLog}
  SELECT ${log.id} AS "id", ${eventIsReadableByEndpoint} AS "isReadable", ${eventPersonColumns}, ${eventKeyColumns}
  FROM ${log} ${joinEventPerson} ${joinEventKey}`)

/** Current names of the people and keys of archived events, and whether the key of the endpoint can read the events. */
export async function listEventAccess(
  store: Store,
  subscriptionId: number,
  webhookId: number,
  events: readonly ArchivedEvent[],
): Promise<ArchivedEventAccess[]> {
  const values = { webhookId, ...AREA_BINDINGS, events: encodeEvents(events) }
  return (await store.batch(subscriptionId, selectEventAccess(values)))[0]
}
