import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { event } from '../../../db/events'
import { list } from '../../../db/list'
import { eventsAfter, lastEvent, placeOf } from '../../../db/log'
import { guard } from '../../../db/refuse'
import { log } from '../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../db/schema/webhooks'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/statement'
import { ListDeliveries } from '../schema'
import { keyWorks, type WebhookKey } from '../statements'
import { feed } from './feed'
import { AREAS, matches, told, withKey } from './matching'
import { asksForMore } from './reading'
import { type DeliveryKey, delivery, endpoint } from './record'

export const listDeliveries = list(delivery, ListDeliveries, {
  sorts: { id: webhookDeliveries.eventId },
}).page

export const getDelivery = delivery.get

const isNot = (what: string) =>
  inline(`conflict:This webhook is ${what}. Set its status to active with a key that may read its events.`)
const disabled = endpoint.refusing(isNot('disabled'), sql`${webhooks.status} = 'disabled'`)
const paused = endpoint.refusing(isNot('paused'), sql`(${webhooks.status} = 'paused' OR NOT ${keyWorks})`)

const due = statement<never, Values>(sql`UPDATE ${webhooks} SET due_at = ${caller.now} WHERE ${endpoint.addressed}`)

const tested = endpoint.event('tested', endpoint.addressed)
const addressedId = endpoint.id
const insertTest = statement<never, Values>(
  insertInto(
    webhookDeliveries,
    {
      subscriptionId: caller.subscription,
      webhookId: addressedId,
      eventId: log.id,
      ...told,
      nextAttemptAt: caller.now,
      createdAt: caller.now,
    },
    sql`FROM ${log} WHERE ${log.place} = ${placeOf(lastEvent)}`,
  ),
)
const testDelivery = delivery.answering(sql`${webhookDeliveries.subscriptionId} = ${caller.subscription}
  AND ${webhookDeliveries.webhookId} = ${addressedId} AND ${webhookDeliveries.eventId} = ${lastEvent}`)

export const testWebhook = (db: Database, key: WebhookKey) =>
  delivery.save(db, {
    guards: [...endpoint.writable(key), disabled(key), paused(key)],
    statements: [tested(key), insertTest(key), due(key), feed({})],
    answer: testDelivery(key),
  })

const replayed = event<Values>({
  type: 'webhook.replayed',
  key: endpoint.told.key,
  data: sql`json_object('id', ${webhooks.id}, 'from', ${param('fromIso')}, 'to', ${param('toIso')},
    'eventId', CAST(${param('deliveryId')} AS INTEGER))`,
  from: sql`FROM ${webhooks} WHERE ${endpoint.addressed}`,
})

const renewal = sql`status = 'pending', tries = 0, next_attempt_at = ${caller.now}, version = version + 1`
const again = statement<never, Values>(
  sql`UPDATE ${webhookDeliveries} SET ${renewal}, claim = NULL WHERE ${delivery.addressed}`,
)

/** `allowed`, here and below: patterns readable by the caller's key, as JSON. */
export const replayDelivery = (db: Database, key: DeliveryKey, allowed: string) =>
  delivery.save(db, {
    guards: [...delivery.writable(key), asksForMore({ ...key, allowed }), disabled(key)],
    statements: [again(key), replayed({}, { ...key, fromIso: null, toIso: null }), due(key), feed({})],
    answer: delivery.reply(key),
  })

/** A larger replay would exceed the time limit of a batch. */
export const MAX_REPLAYED = 10_000
// Milliseconds. Events carry the arrival time of the request, and neighbors can be out of order by up to two minutes.
const SLACK = 120_000

/** Finds the first event at or after a time by binary search, because ids and times rise together. */
const firstSince = (moment: ReturnType<typeof sql>) => sql`(WITH RECURSIVE half(lo, hi) AS (
    SELECT 0, ${lastEvent} + 1 UNION ALL SELECT
      CASE WHEN (${momentBehind}) < ${moment} THEN (lo + hi) / 2 + 1 ELSE lo END,
      CASE WHEN (${momentBehind}) < ${moment} THEN hi ELSE (lo + hi) / 2 END
    FROM half WHERE lo < hi)
  SELECT lo FROM half WHERE lo >= hi LIMIT 1)`
const momentBehind = sql`SELECT ${log.createdAt} FROM ${log} WHERE ${eventsAfter(sql`(lo + hi) / 2 - 1`)} ORDER BY ${log.place} LIMIT 1`

const inRange = sql`${log.place} >= ${placeOf(firstSince(sql`${param('from')} - ${inline(SLACK)}`))}
  AND ${log.place} < ${placeOf(firstSince(sql`${param('to')} + ${inline(SLACK)}`))}
  AND ${log.createdAt} >= ${param('from')} AND ${log.createdAt} < ${param('to')}`

const tooMany = guard<Values>(
  inline(`validation_failed:/from:More than ${MAX_REPLAYED} events happened in this range. Replay shorter ones.`),
  sql`EXISTS (SELECT 1 FROM ${log} WHERE ${inRange} LIMIT 1 OFFSET ${inline(MAX_REPLAYED)})`,
)

const insertRange = statement<never, Values>(
  insertInto(
    webhookDeliveries,
    {
      subscriptionId: caller.subscription,
      webhookId: webhooks.id,
      eventId: log.id,
      ...told,
      claim: param('replay'),
      nextAttemptAt: caller.now,
      createdAt: caller.now,
    },
    sql`FROM ${webhooks} ${withKey} CROSS JOIN ${log} ON ${inRange}
      WHERE ${endpoint.addressed} AND ${log.id} <= ${webhooks.position} AND ${matches}
      ON CONFLICT DO UPDATE SET ${renewal}, claim = excluded.claim`,
  ),
)

const ofThisReplay = sql`(SELECT count(*) FROM ${webhookDeliveries} INDEXED BY webhook_deliveries_due
  WHERE ${webhookDeliveries.subscriptionId} = ${caller.subscription} AND ${webhookDeliveries.webhookId} = ${webhooks.id}
    AND ${webhookDeliveries.status} = 'pending' AND ${webhookDeliveries.nextAttemptAt} = ${caller.now}
    AND ${webhookDeliveries.claim} = ${param('replay')})`
const counted = endpoint.answering<{ count: number }>(endpoint.addressed, { count: ofThisReplay })

/** Delivers the events of a time range again, and returns the number of events. */
export async function replayRange(
  db: Database,
  key: WebhookKey,
  { from, to, allowed }: { from: number; to: number; allowed: string },
) {
  const range = { ...key, from, to, ...AREAS, replay: crypto.randomUUID() }
  const iso = (at: number) => new Date(at).toISOString()
  const { answer } = await db.write({
    guards: [...endpoint.writable(key), asksForMore({ ...key, allowed }), disabled(key), tooMany(range)],
    statements: [
      insertRange(range),
      replayed({}, { ...key, fromIso: iso(from), toIso: iso(to), deliveryId: null }),
      due(key),
      feed({}),
    ],
    answer: counted(range),
  })
  const [{ count, ...row }] = answer
  return { reply: endpoint.replied([row]), count }
}
