import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { makeListReader } from '../../../db/records/list'
import { log } from '../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../db/schema/webhooks'
import { makeEventStatement } from '../../../db/sql/events'
import { equalsAny, unindexed } from '../../../db/sql/filter'
import { EVENT_TIME_SLACK_MS, idOfFirstEventSince, lastEventId, logPlaceOf } from '../../../db/sql/log'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { ListDeliveries } from '../schema'
import { type WebhookKey, webhookKeyIsActive } from '../statements'
import { callerCannotReadEvents } from './allowed-patterns'
import { insertWebhookFeed } from './feed'
import { AREA_BINDINGS, deliveryValuesOfEvent, eventIsForEndpoint, joinEndpointKey } from './matching'
import { type DeliveryKey, delivery, endpoint } from './record'

export const listDeliveries = makeListReader(delivery, ListDeliveries, {
  sorts: { id: webhookDeliveries.eventId },
  filters: { status: unindexed(equalsAny(webhookDeliveries.status)) },
}).page

export const getDelivery = delivery.get

const reasonForStatus = (status: string) =>
  `conflict:This webhook is ${status}. Set the status to active with a key that can read the events of the webhook.` as const
const webhookDisabled = endpoint.refuseIf(reasonForStatus('disabled'), sql`${webhooks.status} = 'disabled'`)
const webhookPaused = endpoint.refuseIf(
  reasonForStatus('paused'),
  sql`(${webhooks.status} = 'paused' OR NOT ${webhookKeyIsActive})`,
)

const markEndpointDue = statement<never, Values>(
  sql`UPDATE ${webhooks} SET due_at = ${caller.now} WHERE ${endpoint.byKey}`,
)

const emitWebhookTested = endpoint.emit('tested', endpoint.byKey)
const endpointId = endpoint.id
const insertTestDelivery = statement<never, Values>(
  insertInto(
    webhookDeliveries,
    {
      subscriptionId: caller.subscription,
      webhookId: endpointId,
      eventId: log.id,
      ...deliveryValuesOfEvent,
      nextAttemptAt: caller.now,
      createdAt: caller.now,
    },
    sql`FROM ${log} WHERE ${log.place} = ${logPlaceOf(lastEventId)}`,
  ),
)
const returningTestDelivery = delivery.returningWhere(sql`${webhookDeliveries.subscriptionId} = ${caller.subscription}
  AND ${webhookDeliveries.webhookId} = ${endpointId} AND ${webhookDeliveries.eventId} = ${lastEventId}`)

export const testWebhook = (db: Database, key: WebhookKey) =>
  delivery.save(db, {
    guards: [...endpoint.writeGuards(key), webhookDisabled(key), webhookPaused(key)],
    statements: [emitWebhookTested(key), insertTestDelivery(key), markEndpointDue(key), insertWebhookFeed({})],
    returning: returningTestDelivery(key),
  })

const emitWebhookReplayed = makeEventStatement<Values>({
  type: 'webhook.replayed',
  key: endpoint.eventSource.key,
  data: sql`json_object('id', ${webhooks.id}, 'from', ${param('fromIso')}, 'to', ${param('toIso')},
    'eventId', CAST(${param('deliveryId')} AS INTEGER))`,
  from: sql`FROM ${webhooks} WHERE ${endpoint.byKey}`,
})

const pendingDeliveryAssignments = sql`status = 'pending', tries = 0, next_attempt_at = ${caller.now}, version = version + 1`
const resetDelivery = statement<never, Values>(
  sql`UPDATE ${webhookDeliveries} SET ${pendingDeliveryAssignments}, claim = NULL WHERE ${delivery.byKey}`,
)

/** `allowed`: patterns readable by the caller's key, as JSON. */
export const replayDelivery = (db: Database, key: DeliveryKey, allowed: string) =>
  delivery.save(db, {
    guards: [...delivery.writeGuards(key), callerCannotReadEvents({ ...key, allowed }), webhookDisabled(key)],
    statements: [
      resetDelivery(key),
      emitWebhookReplayed({}, { ...key, fromIso: null, toIso: null }),
      markEndpointDue(key),
      insertWebhookFeed({}),
    ],
    returning: delivery.returningByKey(key),
  })

/** A larger replay would exceed the time limit of a batch. */
export const MAX_REPLAYED_EVENTS = 10_000
const eventIsInReplayRange = sql`${log.place} >= ${logPlaceOf(idOfFirstEventSince(sql`${param('from')} - ${inline(EVENT_TIME_SLACK_MS)}`))}
  AND ${log.place} < ${logPlaceOf(idOfFirstEventSince(sql`${param('to')} + ${inline(EVENT_TIME_SLACK_MS)}`))}
  AND ${log.createdAt} >= ${param('from')} AND ${log.createdAt} < ${param('to')}`

const tooManyEventsToReplay = guard<Values>(
  `validation_failed:/from:The range has more than ${MAX_REPLAYED_EVENTS} events. Replay shorter ranges.`,
  sql`EXISTS (SELECT 1 FROM ${log} WHERE ${eventIsInReplayRange} LIMIT 1 OFFSET ${inline(MAX_REPLAYED_EVENTS)})`,
)

const eventHasDeliveryWithStatus = sql`(${param('status')} IS NULL OR EXISTS (SELECT 1 FROM ${webhookDeliveries} d
  WHERE d.subscription_id = ${caller.subscription} AND d.webhook_id = ${webhooks.id} AND d.event_id = ${log.id}
    AND d.status = ${param('status')}))`

const insertReplayedDeliveries = statement<never, Values>(
  insertInto(
    webhookDeliveries,
    {
      subscriptionId: caller.subscription,
      webhookId: webhooks.id,
      eventId: log.id,
      ...deliveryValuesOfEvent,
      claim: param('replay'),
      nextAttemptAt: caller.now,
      createdAt: caller.now,
    },
    sql`FROM ${webhooks} ${joinEndpointKey} CROSS JOIN ${log} ON ${eventIsInReplayRange}
      WHERE ${endpoint.byKey} AND ${log.id} <= ${webhooks.position} AND ${eventIsForEndpoint} AND ${eventHasDeliveryWithStatus}
      ON CONFLICT DO UPDATE SET ${pendingDeliveryAssignments}, claim = excluded.claim`,
  ),
)

const countOfReplayed = sql`(SELECT count(*) FROM ${webhookDeliveries} INDEXED BY webhook_deliveries_due
  WHERE ${webhookDeliveries.subscriptionId} = ${caller.subscription} AND ${webhookDeliveries.webhookId} = ${webhooks.id}
    AND ${webhookDeliveries.status} = 'pending' AND ${webhookDeliveries.nextAttemptAt} = ${caller.now}
    AND ${webhookDeliveries.claim} = ${param('replay')})`
const returningReplayedCount = endpoint.returningWhere<{ count: number }>(endpoint.byKey, { count: countOfReplayed })

export async function replayEventRange(
  db: Database,
  key: WebhookKey,
  { from, to, status, allowed }: { from: number; to: number; status: string | null; allowed: string },
) {
  const range = { ...key, from, to, status, ...AREA_BINDINGS, replay: crypto.randomUUID() }
  const iso = (at: number) => new Date(at).toISOString()
  const { rows } = await db.write({
    guards: [
      ...endpoint.writeGuards(key),
      callerCannotReadEvents({ ...key, allowed }),
      webhookDisabled(key),
      tooManyEventsToReplay(range),
    ],
    statements: [
      insertReplayedDeliveries(range),
      emitWebhookReplayed({}, { ...key, fromIso: iso(from), toIso: iso(to), deliveryId: null }),
      markEndpointDue(key),
      insertWebhookFeed({}),
    ],
    returning: returningReplayedCount(range),
  })
  const [{ count, ...row }] = rows
  return { reply: endpoint.toReply([row]), count }
}
