import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { apiKeys, log } from '../../../../db/schema/tenancy'
import { webhookDeliveries, webhookFeeds, webhooks } from '../../../../db/schema/webhooks'
import { isInThisHome } from '../../../../db/sql/fence'
import { firstEventId, lastEventId, logPlaceOf } from '../../../../db/sql/log'
import { caller, inline, insertInto, param, statement, type Values } from '../../../../db/sql/statement'
import { FEED_LOOK_INTERVAL_MS } from '../../queries/feed'
import { AREA_BINDINGS, deliveryValuesOfEvent, eventIsForEndpoint, joinEndpointKey } from '../../queries/matching'

// The endpoints with new events share this number of deliveries per batch.
const MAX_FAN_OUT_DELIVERIES = 5_000
const MAX_FAN_OUT_ENDPOINTS = 100
export const MAX_EVENTS_PER_ENDPOINT = 500

export const endpointIsActive = sql`${webhooks.subscriptionId} = ${caller.subscription} AND ${webhooks.status} = 'active'
  AND ${webhooks.deletedAt} IS NULL`

const selectIdsOfEndpointsBehind = sql`SELECT ${webhooks.id} AS id FROM ${webhooks} ${joinEndpointKey}
  WHERE ${endpointIsActive} AND ${webhooks.position} < ${lastEventId} AND ${webhooks.position} >= ${firstEventId} - 1 ORDER BY ${webhooks.position} LIMIT ${inline(MAX_FAN_OUT_ENDPOINTS)}`

const maxEventsPerEndpoint = sql`min(${inline(MAX_EVENTS_PER_ENDPOINT)}, ${inline(MAX_FAN_OUT_DELIVERIES)} / (SELECT max(count(*), 1) FROM (${selectIdsOfEndpointsBehind})))`

const insertDeliveries = statement<never, Values>(
  insertInto(
    webhookDeliveries,
    {
      subscriptionId: caller.subscription,
      webhookId: webhooks.id,
      eventId: log.id,
      ...deliveryValuesOfEvent,
      nextAttemptAt: caller.now,
      createdAt: caller.now,
    },
    sql`FROM (${selectIdsOfEndpointsBehind}) b CROSS JOIN ${webhooks} ON ${webhooks.id} = b.id
      CROSS JOIN ${apiKeys} ON ${apiKeys.id} = ${webhooks.keyId} AND ${apiKeys.subscriptionId} = ${caller.subscription}
      CROSS JOIN ${log} ON ${log.place} > ${logPlaceOf(webhooks.position)}
        AND ${log.place} <= ${logPlaceOf(sql`${webhooks.position} + ${maxEventsPerEndpoint}`)}
      WHERE ${eventIsForEndpoint} ON CONFLICT DO NOTHING`,
  ),
)

// `retry.ts` computes the same.
const pauseEndOfEndpoint = sql`${caller.now} + min(300000, 5000 << min(${webhooks.failures} - 1, 6))`
export const dueAtAfterFanOut = sql`CASE WHEN EXISTS (SELECT 1 FROM ${webhookDeliveries} d WHERE d.subscription_id = ${caller.subscription}
        AND d.webhook_id = ${webhooks.id} AND d.status = 'pending' AND d.next_attempt_at <= ${caller.now})
      THEN CASE WHEN ${webhooks.failures} > 0 THEN min(coalesce(${webhooks.dueAt}, ${pauseEndOfEndpoint}), ${pauseEndOfEndpoint}) ELSE ${caller.now} END
      ELSE ${webhooks.dueAt} END`

const advanceEndpointPositions = statement<
  never,
  Values
>(sql`UPDATE ${webhooks} SET position = min(${webhooks.position} + ${maxEventsPerEndpoint}, ${lastEventId}), due_at = ${dueAtAfterFanOut}
  WHERE ${webhooks.id} IN (${selectIdsOfEndpointsBehind})`)

const scheduleFeedLook =
  statement<never>(sql`UPDATE ${webhookFeeds} SET next_look_at = ${caller.now} + ${inline(FEED_LOOK_INTERVAL_MS)}
  WHERE ${webhookFeeds.subscriptionId} = ${caller.subscription}`)
const deleteIdleFeed = statement<never>(sql`DELETE FROM ${webhookFeeds}
  WHERE ${webhookFeeds.subscriptionId} = ${caller.subscription} AND NOT EXISTS (SELECT 1 FROM ${webhooks} WHERE ${endpointIsActive})`)

export interface DueEndpoint {
  id: number
  failures: number
}

const selectDueEndpoints = statement<DueEndpoint>(sql`
  SELECT ${webhooks.id} AS "id", ${webhooks.failures} AS "failures" FROM ${webhooks} INDEXED BY webhooks_due
  WHERE ${endpointIsActive} AND ${webhooks.dueAt} <= ${caller.now} ORDER BY ${webhooks.dueAt} LIMIT ${inline(MAX_FAN_OUT_ENDPOINTS)}`)

// Endpoints being served must not be due for a concurrent run.
const postponeDueEndpoints =
  statement<never>(sql`UPDATE ${webhooks} SET due_at = ${caller.now} + ${inline(FEED_LOOK_INTERVAL_MS)}
  WHERE ${webhooks.id} IN (SELECT ${webhooks.id} FROM ${webhooks} INDEXED BY webhooks_due
    WHERE ${endpointIsActive} AND ${webhooks.dueAt} <= ${caller.now} ORDER BY ${webhooks.dueAt} LIMIT ${inline(MAX_FAN_OUT_ENDPOINTS)})`)

/** An endpoint whose next event is in the archive. */
export interface ArchiveReader {
  id: number
  position: number
  firstEventId: number
}

const selectArchiveReader =
  statement<ArchiveReader>(sql`SELECT ${webhooks.id} AS "id", ${webhooks.position} AS "position",
    ${firstEventId} AS "firstEventId" FROM ${webhooks} ${joinEndpointKey}
  WHERE ${endpointIsActive} AND ${webhooks.position} < ${firstEventId} - 1 ORDER BY ${webhooks.position} LIMIT 1`)

const selectEndpointsBehind = statement<{ behind: number }>(
  sql`SELECT EXISTS (${selectIdsOfEndpointsBehind}) AS "behind"`,
)

export async function fanOutEvents(store: Store, subscriptionId: number) {
  const [, , , , due, , [left], [archiveReader]] = await store.batch(
    subscriptionId,
    insertDeliveries(AREA_BINDINGS),
    advanceEndpointPositions({}),
    scheduleFeedLook({}),
    deleteIdleFeed({}),
    selectDueEndpoints({}),
    postponeDueEndpoints({}),
    selectEndpointsBehind({}),
    selectArchiveReader({}),
  )
  return { due, more: left?.behind === 1 || archiveReader !== undefined, archiveReader }
}

// Workspaces per cron run, in ten calls to the queue.
const MAX_FEEDS_PER_CRON = 1_000

const selectDueFeeds = statement<{ subscriptionId: number }>(sql`
  SELECT ${webhookFeeds.subscriptionId} AS "subscriptionId" FROM ${webhookFeeds}
  WHERE ${webhookFeeds.nextLookAt} <= ${caller.now} AND ${isInThisHome(webhookFeeds.subscriptionId)}
  ORDER BY ${webhookFeeds.nextLookAt} LIMIT ${inline(MAX_FEEDS_PER_CRON)}`)

const postponeFeeds = statement<never, { ids: string }>(sql`UPDATE ${webhookFeeds}
  SET next_look_at = ${caller.now} + ${inline(FEED_LOOK_INTERVAL_MS)}
  WHERE ${webhookFeeds.subscriptionId} IN (SELECT value FROM json_each(${param('ids')}))`)

export async function listDueFeeds(store: Store): Promise<number[]> {
  const [rows] = await store.batch(null, selectDueFeeds({}))
  return rows.map(({ subscriptionId }) => subscriptionId)
}

export async function markFeedsEnqueued(store: Store, ids: readonly number[]): Promise<void> {
  await store.batch(null, postponeFeeds({ ids: JSON.stringify(ids) }))
}
