import { sql } from 'drizzle-orm'
import { apiKeys, log } from '../../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../../db/schema/webhooks'
import { logPlaceOf } from '../../../../db/sql/log'
import { caller, inline, param, type Statement, statement, type Values } from '../../../../db/sql/statement'
import type { EventSourceRow } from '../../../events/actor'
import type { EventPerson } from '../../../events/people'
import { eventKeyColumns, eventPersonColumns, joinEventKey, joinEventPerson } from '../../../events/statements'
import { AREA_BINDINGS, eventIsReadableByKey, joinEndpointKey } from '../../queries/matching'
import { webhookKeyIsActive } from '../../statements'

export const DELIVERY_LEASE_MS = 120_000
// A failing endpoint gets a few deliveries, as a test for recovery.
const DELIVERIES_PER_CLAIM = 200
const DELIVERIES_PER_PROBE = 5
// The Worker holds a claim in memory, and D1 limits a response.
const MAX_CLAIM_BYTES = 4_000_000

export const isBoundEndpoint = sql`${webhooks.subscriptionId} = ${caller.subscription} AND ${webhooks.id} = ${param('webhookId')}`
export const isDeliveryOfBoundEndpoint = sql`${webhookDeliveries.subscriptionId} = ${caller.subscription}
  AND ${webhookDeliveries.webhookId} = ${param('webhookId')}`
export const endpointIsDelivering = sql`${webhooks.status} = 'active' AND ${webhooks.deletedAt} IS NULL`

const selectDueDeliveries = sql`SELECT event_id, bytes, next_attempt_at FROM ${webhookDeliveries}
  WHERE ${isDeliveryOfBoundEndpoint} AND ${webhookDeliveries.status} = 'pending' AND ${webhookDeliveries.nextAttemptAt} <= ${caller.now}
  ORDER BY ${webhookDeliveries.nextAttemptAt}, ${webhookDeliveries.eventId}
  LIMIT (SELECT iif(${webhooks.failures} > 0, ${inline(DELIVERIES_PER_PROBE)}, ${inline(DELIVERIES_PER_CLAIM)}) FROM ${webhooks} WHERE ${isBoundEndpoint})`

const claimDeliveries = statement<never, Values>(sql`UPDATE ${webhookDeliveries}
  SET claim = ${param('claim')}, next_attempt_at = ${caller.now} + ${inline(DELIVERY_LEASE_MS)}
  WHERE ${isDeliveryOfBoundEndpoint} AND ${webhookDeliveries.eventId} IN (
    SELECT event_id FROM (SELECT event_id, sum(bytes) OVER (ORDER BY next_attempt_at, event_id ROWS UNBOUNDED PRECEDING)
      - bytes AS before FROM (${selectDueDeliveries})) WHERE before <= ${inline(MAX_CLAIM_BYTES)})
    AND EXISTS (SELECT 1 FROM ${webhooks} ${joinEndpointKey} WHERE ${isBoundEndpoint} AND ${endpointIsDelivering})`)

export interface ClaimedEndpoint {
  url: string
  /** The URL with the token of an incoming webhook, encrypted; null for other URLs. */
  sealedUrl: string | null
  secret: string
  previousSecret: string | null
  failures: number
  failingSince: number | null
  scopes: string
  /** Product ids of the key's limit, as JSON; null for all products. */
  products: string | null
}

const selectClaimedEndpoint = statement<
  ClaimedEndpoint,
  Values
>(sql`SELECT ${webhooks.url} AS "url", ${webhooks.sealedUrl} AS "sealedUrl", ${webhooks.secret} AS "secret",
    iif(${webhooks.previousUntil} > ${caller.now}, ${webhooks.previousSecret}, NULL) AS "previousSecret",
    ${webhooks.failures} AS "failures", ${webhooks.failingSince} AS "failingSince", ${apiKeys.scopes} AS "scopes",
    ${apiKeys.products} AS "products"
  FROM ${webhooks} ${joinEndpointKey} WHERE ${isBoundEndpoint} AND ${endpointIsDelivering}`)

export interface DueDelivery extends EventPerson, EventSourceRow {
  eventId: number
  type: string
  tries: number
  /** Data of the event, as JSON; null if the endpoint's key may not read the event. */
  data: string | null
  previous: string | null
  cascade: string | null
  /** Null if neither the log nor the archive contains the event. */
  at: number | null
  hops: number | null
  /** The event, or an earlier event, is in a part of the archive that the next run reads. */
  isUnread?: boolean
}

// The endpoint's key may have changed since the fan-out. A test event needs no scope.
export const eventIsReadableByEndpoint = sql`(${log.type} = 'webhook.tested'
  OR EXISTS (SELECT 1 FROM ${webhooks} ${joinEndpointKey} WHERE ${isBoundEndpoint} AND ${eventIsReadableByKey}))`

const selectClaimedDeliveries = statement<DueDelivery, Values>(sql`SELECT ${webhookDeliveries.eventId} AS "eventId",
    ${webhookDeliveries.type} AS "type", ${webhookDeliveries.tries} AS "tries", iif(${eventIsReadableByEndpoint}, ${log.data}, NULL) AS "data",
    ${log.previous} AS "previous", ${log.cascade} AS "cascade", ${log.createdAt} AS "at", ${log.hops} AS "hops", ${log.actorUserId} AS "actorUserId", ${log.origin} AS "origin",
    ${eventPersonColumns}, ${eventKeyColumns}
  FROM ${webhookDeliveries} LEFT JOIN ${log} ON ${log.place} = ${logPlaceOf(webhookDeliveries.eventId)} ${joinEventPerson} ${joinEventKey}
  WHERE ${isDeliveryOfBoundEndpoint} AND ${webhookDeliveries.status} = 'pending'
    AND ${webhookDeliveries.nextAttemptAt} = ${caller.now} + ${inline(DELIVERY_LEASE_MS)} AND ${webhookDeliveries.claim} = ${param('claim')}
  ORDER BY ${webhookDeliveries.eventId}`)

const MAX_DISCARDED_DELIVERIES = 10_000

const endpointHasEnded = sql`NOT EXISTS (SELECT 1 FROM ${webhooks} WHERE ${isBoundEndpoint} AND ${webhooks.deletedAt} IS NULL
  AND ${webhooks.status} <> 'disabled')`

export const discardPendingDeliveries = statement<never, Values>(sql`UPDATE ${webhookDeliveries}
  SET status = 'discarded', version = version + 1
  WHERE ${isDeliveryOfBoundEndpoint} AND ${webhookDeliveries.eventId} IN (SELECT event_id FROM ${webhookDeliveries}
      INDEXED BY webhook_deliveries_due WHERE ${isDeliveryOfBoundEndpoint} AND ${webhookDeliveries.status} = 'pending'
      LIMIT ${inline(MAX_DISCARDED_DELIVERIES)}) AND ${endpointHasEnded}`)

/** No due time while the key does not work, and at least `notBefore` after a failure. */
const updateEndpointDueAt = statement<never, Values>(sql`UPDATE ${webhooks} SET due_at = (
    SELECT max(next_attempt_at, ${param('notBefore')}) FROM ${webhookDeliveries}
    WHERE ${isDeliveryOfBoundEndpoint} AND ${webhookDeliveries.status} = 'pending' AND ${webhookKeyIsActive}
    ORDER BY ${webhookDeliveries.nextAttemptAt} LIMIT 1)
  WHERE ${isBoundEndpoint}`)
const selectEndpointDueAt = statement<{ dueAt: number | null }, Values>(sql`SELECT ${webhooks.dueAt} AS "dueAt"
  FROM ${webhooks} WHERE ${isBoundEndpoint} AND ${endpointIsDelivering}`)

export const buildClaimStatements = (webhookId: number, name: string) => {
  const values = { webhookId, claim: name, ...AREA_BINDINGS }
  return [claimDeliveries(values), selectClaimedEndpoint(values), selectClaimedDeliveries(values)] as const
}

export const buildRunEndStatements = (
  webhookId: number,
  notBefore: number,
): [Statement<never>, Statement<never>, Statement<{ dueAt: number | null }>] => {
  const values = { webhookId, notBefore }
  return [discardPendingDeliveries(values), updateEndpointDueAt(values), selectEndpointDueAt(values)]
}
