import { type SQLWrapper, sql } from 'drizzle-orm'
import { IDEMPOTENCY_TTL } from '../../db/answer'
import type { Store } from '../../db/client'
import { forgets } from '../../db/forget'
import { lastEvent, ofWorkspace, placeOf } from '../../db/log'
import { idempotencyKeys, log, logKeeping } from '../../db/schema/tenancy'
import { incomingReceipts, webhookDeliveries, webhooks } from '../../db/schema/webhooks'
import { caller, columns, inline, param, type Selected, statement } from '../../db/statement'

const answers = forgets(idempotencyKeys.createdAt)
// What waits for a paused endpoint stays.
const deliveries = forgets(webhookDeliveries.createdAt, {
  only: sql`${webhookDeliveries.status} <> 'pending'`,
  by: 'webhook_deliveries_old',
})
const receipts = forgets(incomingReceipts.createdAt)

/** Deletes a share of the answers that are too old to be given again, and of what came and went by webhooks. */
export async function forgetRows(store: Store, delivered: number | undefined): Promise<void> {
  const webhooks = delivered === undefined ? [] : [deliveries({ kept: delivered }), receipts({ kept: delivered })]
  await store.batch(null, answers({ kept: IDEMPOTENCY_TTL }), ...webhooks)
}

// A minute's share: 20,000 events.
const WORKSPACES_PER_RUN = 20
const EVENTS_PER_PAGE = 1_000
// Of what the log tells: the worker holds it, and D1 must answer it.
const MAX_BYTES = 4_000_000
// Longer than an invocation lasts: no two have one workspace.
const LEASE = 20 * 60_000
const NEXT_LOOK = 86_400_000

const claim = statement<{
  subscriptionId: number
}>(sql`UPDATE ${logKeeping} SET next_look_at = ${caller.now} + ${inline(LEASE)}
  WHERE ${logKeeping.subscriptionId} IN (SELECT ${logKeeping.subscriptionId} FROM ${logKeeping}
    WHERE ${logKeeping.nextLookAt} <= ${caller.now} ORDER BY ${logKeeping.nextLookAt} LIMIT ${inline(WORKSPACES_PER_RUN)})
  RETURNING ${logKeeping.subscriptionId} AS "subscriptionId"`)

/** Takes the workspaces whose logs are to be looked at, the longest due first. */
export const claimLogs = async (store: Store): Promise<number[]> =>
  (await store.batch(null, claim({})))[0].map(({ subscriptionId }) => subscriptionId)

const WHAT = ['id', 'type', 'productId', 'resourceKey', 'data', 'previous', 'createdAt'] as const
const ARCHIVED = [...WHAT, 'actorUserId', 'actorKey'] as const
export type OldEvent = Selected<typeof log, (typeof ARCHIVED)[number]>

const firstPlace = sql`(SELECT min(${log.place}) FROM ${log} WHERE ${ofWorkspace})`
const firstId = sql`(${firstPlace} & 4294967295)`
const firstMoment = sql`(SELECT ${log.createdAt} FROM ${log} WHERE ${log.place} = ${firstPlace})`

// One that is disabled goes on from where the log stands then.
const endpoints = sql`${webhooks.subscriptionId} = ${caller.subscription} AND ${webhooks.deletedAt} IS NULL
  AND ${webhooks.status} <> 'disabled'`
// Ids go on from the newest, so that stays: it is the least that there is to wait for.
/** The first event that an endpoint was not given yet. */
const notGiven = sql`coalesce((SELECT min(${webhooks.position}) + 1 FROM ${webhooks} WHERE ${endpoints}), ${lastEvent})`
/** Whether events between two ids wait to be delivered. */
const waiting = (from: SQLWrapper, to: SQLWrapper) => sql`FROM ${webhooks}
  CROSS JOIN ${webhookDeliveries} ON ${webhookDeliveries.subscriptionId} = ${caller.subscription}
    AND ${webhookDeliveries.webhookId} = ${webhooks.id} AND ${webhookDeliveries.eventId} >= ${from}
    AND ${webhookDeliveries.eventId} < ${to} AND ${webhookDeliveries.status} = 'pending'
  WHERE ${endpoints}`
const notDelivered = sql`coalesce((SELECT min(${webhookDeliveries.eventId})
  ${waiting(firstId, sql`${firstId} + ${inline(EVENTS_PER_PAGE)}`)}), ${lastEvent})`

const cutoff = sql`${caller.now} - ${param('kept')}`

/** Whose log it is. The batch is nobody's: what keeps the house is not charged to a workspace. */
type Own = { '@subscription': number }

const oldest = statement<OldEvent, Own & { kept: number }>(sql`SELECT ${columns(log, ARCHIVED)}
  FROM (SELECT place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (
    SELECT ${log.place} AS place, octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0) AS bytes
    FROM ${log} WHERE ${ofWorkspace} AND ${firstMoment} <= ${cutoff}
      AND ${log.place} < ${placeOf(notGiven)} AND ${log.place} < ${placeOf(notDelivered)} AND ${log.createdAt} <= ${cutoff}
    ORDER BY ${log.place} LIMIT ${inline(EVENTS_PER_PAGE)})) page
  CROSS JOIN ${log} ON ${log.place} = page.place
  WHERE page.before <= ${inline(MAX_BYTES)} ORDER BY ${log.place}`)

/** A workspace's oldest events, as far as they are too old to be kept and nobody waits for them. */
export const listOldest = async (store: Store, subscriptionId: number, kept: number): Promise<OldEvent[]> =>
  (await store.batch(null, oldest({ '@subscription': subscriptionId, kept })))[0]

const drop = statement<never, Own & { first: number; last: number }>(sql`DELETE FROM ${log}
  WHERE ${log.place} >= ${placeOf(param('first'))} AND ${log.place} <= ${placeOf(param('last'))}
  AND NOT EXISTS (SELECT 1 ${waiting(param('first'), sql`${param('last')} + 1`)})`)

const lookAgain = statement<never, Own & { after: number }>(sql`UPDATE ${logKeeping}
  SET next_look_at = ${caller.now} + ${param('after')} WHERE ${logKeeping.subscriptionId} = ${caller.subscription}`)

/** Deletes events that are in the archive, unless one is to be delivered once more meanwhile; the next follow soon. */
export async function dropEvents(store: Store, subscriptionId: number, first: number, last: number): Promise<void> {
  const own = { '@subscription': subscriptionId }
  await store.batch(null, drop({ ...own, first, last }), lookAgain({ ...own, after: 0 }))
}

/** Has the workspace's log looked at tomorrow. */
export const rest = (store: Store, subscriptionId: number) =>
  store.batch(null, lookAgain({ '@subscription': subscriptionId, after: NEXT_LOOK }))
