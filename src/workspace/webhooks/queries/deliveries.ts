import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { listReader } from '../../../db/records/list'
import { log } from '../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../db/schema/webhooks'
import { makeEventStatement } from '../../../db/sql/events'
import { isEventAfter, lastEventId, logPlaceOf } from '../../../db/sql/log'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { ListDeliveries } from '../schema'
import { isKeyActive, type WebhookKey } from '../statements'
import { cannotReadEvents } from './allowed-patterns'
import { insertFeed } from './feed'
import { AREA_VALUES, eventValues, isForEndpoint, keyJoin } from './matching'
import { type DeliveryKey, delivery, endpoint } from './record'

export const listDeliveries = listReader(delivery, ListDeliveries, {
  sorts: { id: webhookDeliveries.eventId },
}).page

export const getDelivery = delivery.get

const reasonFor = (what: string) =>
  inline(
    `conflict:This webhook is ${what}. Set the status to active with a key that can read the events of the webhook.`,
  )
const webhookDisabled = endpoint.refuseIf(reasonFor('disabled'), sql`${webhooks.status} = 'disabled'`)
const webhookPaused = endpoint.refuseIf(reasonFor('paused'), sql`(${webhooks.status} = 'paused' OR NOT ${isKeyActive})`)

const makeDue = statement<never, Values>(sql`UPDATE ${webhooks} SET due_at = ${caller.now} WHERE ${endpoint.byKey}`)

const emitTested = endpoint.emit('tested', endpoint.byKey)
const endpointId = endpoint.id
const insertTestDelivery = statement<never, Values>(
  insertInto(
    webhookDeliveries,
    {
      subscriptionId: caller.subscription,
      webhookId: endpointId,
      eventId: log.id,
      ...eventValues,
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
    statements: [emitTested(key), insertTestDelivery(key), makeDue(key), insertFeed({})],
    returning: returningTestDelivery(key),
  })

const emitReplayed = makeEventStatement<Values>({
  type: 'webhook.replayed',
  key: endpoint.eventSource.key,
  data: sql`json_object('id', ${webhooks.id}, 'from', ${param('fromIso')}, 'to', ${param('toIso')},
    'eventId', CAST(${param('deliveryId')} AS INTEGER))`,
  from: sql`FROM ${webhooks} WHERE ${endpoint.byKey}`,
})

const pendingAssignments = sql`status = 'pending', tries = 0, next_attempt_at = ${caller.now}, version = version + 1`
const resetDelivery = statement<never, Values>(
  sql`UPDATE ${webhookDeliveries} SET ${pendingAssignments}, claim = NULL WHERE ${delivery.byKey}`,
)

/** `allowed`: patterns readable by the caller's key, as JSON. */
export const replayDelivery = (db: Database, key: DeliveryKey, allowed: string) =>
  delivery.save(db, {
    guards: [...delivery.writeGuards(key), cannotReadEvents({ ...key, allowed }), webhookDisabled(key)],
    statements: [
      resetDelivery(key),
      emitReplayed({}, { ...key, fromIso: null, toIso: null }),
      makeDue(key),
      insertFeed({}),
    ],
    returning: delivery.returningByKey(key),
  })

/** A larger replay would exceed the time limit of a batch. */
export const MAX_REPLAYED = 10_000
// Events carry the arrival time of the request, and neighbors can be out of order by up to two minutes.
const TIME_SLACK = 120_000

const firstEventSince = (moment: ReturnType<typeof sql>) => sql`(WITH RECURSIVE half(lo, hi) AS (
    SELECT 0, ${lastEventId} + 1 UNION ALL SELECT
      CASE WHEN (${momentAtHalf}) < ${moment} THEN (lo + hi) / 2 + 1 ELSE lo END,
      CASE WHEN (${momentAtHalf}) < ${moment} THEN hi ELSE (lo + hi) / 2 END
    FROM half WHERE lo < hi)
  SELECT lo FROM half WHERE lo >= hi LIMIT 1)`
const momentAtHalf = sql`SELECT ${log.createdAt} FROM ${log} WHERE ${isEventAfter(sql`(lo + hi) / 2 - 1`)} ORDER BY ${log.place} LIMIT 1`

const isInRange = sql`${log.place} >= ${logPlaceOf(firstEventSince(sql`${param('from')} - ${inline(TIME_SLACK)}`))}
  AND ${log.place} < ${logPlaceOf(firstEventSince(sql`${param('to')} + ${inline(TIME_SLACK)}`))}
  AND ${log.createdAt} >= ${param('from')} AND ${log.createdAt} < ${param('to')}`

const tooManyEvents = guard<Values>(
  inline(`validation_failed:/from:The range has more than ${MAX_REPLAYED} events. Replay shorter ranges.`),
  sql`EXISTS (SELECT 1 FROM ${log} WHERE ${isInRange} LIMIT 1 OFFSET ${inline(MAX_REPLAYED)})`,
)

const insertReplayed = statement<never, Values>(
  insertInto(
    webhookDeliveries,
    {
      subscriptionId: caller.subscription,
      webhookId: webhooks.id,
      eventId: log.id,
      ...eventValues,
      claim: param('replay'),
      nextAttemptAt: caller.now,
      createdAt: caller.now,
    },
    sql`FROM ${webhooks} ${keyJoin} CROSS JOIN ${log} ON ${isInRange}
      WHERE ${endpoint.byKey} AND ${log.id} <= ${webhooks.position} AND ${isForEndpoint}
      ON CONFLICT DO UPDATE SET ${pendingAssignments}, claim = excluded.claim`,
  ),
)

const replayedCount = sql`(SELECT count(*) FROM ${webhookDeliveries} INDEXED BY webhook_deliveries_due
  WHERE ${webhookDeliveries.subscriptionId} = ${caller.subscription} AND ${webhookDeliveries.webhookId} = ${webhooks.id}
    AND ${webhookDeliveries.status} = 'pending' AND ${webhookDeliveries.nextAttemptAt} = ${caller.now}
    AND ${webhookDeliveries.claim} = ${param('replay')})`
const returningCount = endpoint.returningWhere<{ count: number }>(endpoint.byKey, { count: replayedCount })

export async function replayRange(
  db: Database,
  key: WebhookKey,
  { from, to, allowed }: { from: number; to: number; allowed: string },
) {
  const range = { ...key, from, to, ...AREA_VALUES, replay: crypto.randomUUID() }
  const iso = (at: number) => new Date(at).toISOString()
  const { rows } = await db.write({
    guards: [
      ...endpoint.writeGuards(key),
      cannotReadEvents({ ...key, allowed }),
      webhookDisabled(key),
      tooManyEvents(range),
    ],
    statements: [
      insertReplayed(range),
      emitReplayed({}, { ...key, fromIso: iso(from), toIso: iso(to), deliveryId: null }),
      makeDue(key),
      insertFeed({}),
    ],
    returning: returningCount(range),
  })
  const [{ count, ...row }] = rows
  return { reply: endpoint.toReply([row]), count }
}
