import { type SQLWrapper, sql } from 'drizzle-orm'
import { IDEMPOTENCY_TTL } from '../../db/answer'
import type { Store } from '../../db/client'
import { forgets } from '../../db/forget'
import { lastEvent, ofWorkspace, placeOf } from '../../db/log'
import { idempotencyKeys, log, logKeeping } from '../../db/schema/tenancy'
import { incomingReceipts, webhookDeliveries, webhooks } from '../../db/schema/webhooks'
import { caller, columns, inline, param, type Selected, statement } from '../../db/statement'

const answers = forgets(idempotencyKeys.createdAt)
// Pending deliveries of a paused webhook stay.
const deliveries = forgets(webhookDeliveries.createdAt, {
  only: sql`${webhookDeliveries.status} <> 'pending'`,
  by: 'webhook_deliveries_old',
})
const receipts = forgets(incomingReceipts.createdAt)

export async function forgetRows(store: Store, delivered: number | undefined): Promise<void> {
  const webhooks = delivered === undefined ? [] : [deliveries({ kept: delivered }), receipts({ kept: delivered })]
  await store.batch(null, answers({ kept: IDEMPOTENCY_TTL }), ...webhooks)
}

// Limits of a minute: 20,000 events.
const WORKSPACES_PER_RUN = 20
const EVENTS_PER_PAGE = 1_000
// Bytes of event data per page, because the Worker holds a page in memory and D1 limits a response.
const MAX_BYTES = 4_000_000
// A lease outlasts an invocation, because two invocations must never archive the same workspace.
const LEASE = 20 * 60_000
const NEXT_LOOK = 86_400_000

const claim = statement<{
  subscriptionId: number
}>(sql`UPDATE ${logKeeping} SET next_look_at = ${caller.now} + ${inline(LEASE)}
  WHERE ${logKeeping.subscriptionId} IN (SELECT ${logKeeping.subscriptionId} FROM ${logKeeping}
    WHERE ${logKeeping.nextLookAt} <= ${caller.now} ORDER BY ${logKeeping.nextLookAt} LIMIT ${inline(WORKSPACES_PER_RUN)})
  RETURNING ${logKeeping.subscriptionId} AS "subscriptionId"`)

export const claimLogs = async (store: Store): Promise<number[]> =>
  (await store.batch(null, claim({})))[0].map(({ subscriptionId }) => subscriptionId)

const WHAT = ['id', 'type', 'productId', 'resourceKey', 'data', 'previous', 'createdAt'] as const
const ARCHIVED = [...WHAT, 'actorUserId', 'actorKey'] as const
export type OldEvent = Selected<typeof log, (typeof ARCHIVED)[number]>

const firstPlace = sql`(SELECT min(${log.place}) FROM ${log} WHERE ${ofWorkspace})`
const firstId = sql`(${firstPlace} & 4294967295)`
const firstMoment = sql`(SELECT ${log.createdAt} FROM ${log} WHERE ${log.place} = ${firstPlace})`

// A disabled webhook resumes at the end of the log, and needs no old events.
const endpoints = sql`${webhooks.subscriptionId} = ${caller.subscription} AND ${webhooks.deletedAt} IS NULL
  AND ${webhooks.status} <> 'disabled'`
/** The first undelivered event. The newest event always stays, because the next id is counted from the newest event. */
const notGiven = sql`coalesce((SELECT min(${webhooks.position}) + 1 FROM ${webhooks} WHERE ${endpoints}), ${lastEvent})`
/** Selects pending deliveries with event ids from `from` (included) to `to` (excluded). */
const waiting = (from: SQLWrapper, to: SQLWrapper) => sql`FROM ${webhooks}
  CROSS JOIN ${webhookDeliveries} ON ${webhookDeliveries.subscriptionId} = ${caller.subscription}
    AND ${webhookDeliveries.webhookId} = ${webhooks.id} AND ${webhookDeliveries.eventId} >= ${from}
    AND ${webhookDeliveries.eventId} < ${to} AND ${webhookDeliveries.status} = 'pending'
  WHERE ${endpoints}`
const notDelivered = sql`coalesce((SELECT min(${webhookDeliveries.eventId})
  ${waiting(firstId, sql`${firstId} + ${inline(EVENTS_PER_PAGE)}`)}), ${lastEvent})`

const cutoff = sql`${caller.now} - ${param('kept')}`

/** The workspace is a parameter, because the batch belongs to no workspace and uses no quota. */
type Own = { '@subscription': number }

const oldest = statement<OldEvent, Own & { kept: number }>(sql`SELECT ${columns(log, ARCHIVED)}
  FROM (SELECT place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (
    SELECT ${log.place} AS place, octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0) AS bytes
    FROM ${log} WHERE ${ofWorkspace} AND ${firstMoment} <= ${cutoff}
      AND ${log.place} < ${placeOf(notGiven)} AND ${log.place} < ${placeOf(notDelivered)} AND ${log.createdAt} <= ${cutoff}
    ORDER BY ${log.place} LIMIT ${inline(EVENTS_PER_PAGE)})) page
  CROSS JOIN ${log} ON ${log.place} = page.place
  WHERE page.before <= ${inline(MAX_BYTES)} ORDER BY ${log.place}`)

/** Lists the oldest expired events of a workspace, up to the first event with a pending delivery. */
export const listOldest = async (store: Store, subscriptionId: number, kept: number): Promise<OldEvent[]> =>
  (await store.batch(null, oldest({ '@subscription': subscriptionId, kept })))[0]

const drop = statement<never, Own & { first: number; last: number }>(sql`DELETE FROM ${log}
  WHERE ${log.place} >= ${placeOf(param('first'))} AND ${log.place} <= ${placeOf(param('last'))}
  AND NOT EXISTS (SELECT 1 ${waiting(param('first'), sql`${param('last')} + 1`)})`)

const lookAgain = statement<never, Own & { after: number }>(sql`UPDATE ${logKeeping}
  SET next_look_at = ${caller.now} + ${param('after')} WHERE ${logKeeping.subscriptionId} = ${caller.subscription}`)

/** Deletes archived events, unless a replay needs an event again, and makes the next page due at once. */
export async function dropEvents(store: Store, subscriptionId: number, first: number, last: number): Promise<void> {
  const own = { '@subscription': subscriptionId }
  await store.batch(null, drop({ ...own, first, last }), lookAgain({ ...own, after: 0 }))
}

export const rest = (store: Store, subscriptionId: number) =>
  store.batch(null, lookAgain({ '@subscription': subscriptionId, after: NEXT_LOOK }))
