import { type SQLWrapper, sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { idempotencyKeys, log, logKeeping } from '../../db/schema/tenancy'
import { incomingReceipts, webhookDeliveries, webhooks } from '../../db/schema/webhooks'
import { isEventOfWorkspace, lastEventId, logPlaceOf } from '../../db/sql/log'
import { deleteExpired } from '../../db/sql/retention'
import { IDEMPOTENCY_TTL_MS } from '../../db/sql/returning'
import { caller, columns, inline, param, type SelectedRow, statement } from '../../db/sql/statement'

const deleteReplies = deleteExpired(idempotencyKeys.createdAt)
// Pending deliveries of a paused webhook stay.
const deleteDeliveries = deleteExpired(webhookDeliveries.createdAt, {
  condition: sql`${webhookDeliveries.status} <> 'pending'`,
  index: 'webhook_deliveries_old',
})
const deleteReceipts = deleteExpired(incomingReceipts.createdAt)

export async function deleteExpiredRows(store: Store, delivered: number | undefined): Promise<void> {
  const webhooks =
    delivered === undefined ? [] : [deleteDeliveries({ kept: delivered }), deleteReceipts({ kept: delivered })]
  await store.batch(null, deleteReplies({ kept: IDEMPOTENCY_TTL_MS }), ...webhooks)
}

const WORKSPACES_PER_RUN = 20
const EVENTS_PER_PAGE = 1_000
// The Worker holds a page in memory, and D1 limits a response.
const MAX_BYTES = 4_000_000
// A lease outlasts an invocation, because two invocations must never archive the same workspace.
const LEASE = 20 * 60_000
const LOOK_INTERVAL = 86_400_000

const leaseLogs = statement<{
  subscriptionId: number
}>(sql`UPDATE ${logKeeping} SET next_look_at = ${caller.now} + ${inline(LEASE)}
  WHERE ${logKeeping.subscriptionId} IN (SELECT ${logKeeping.subscriptionId} FROM ${logKeeping}
    WHERE ${logKeeping.nextLookAt} <= ${caller.now} ORDER BY ${logKeeping.nextLookAt} LIMIT ${inline(WORKSPACES_PER_RUN)})
  RETURNING ${logKeeping.subscriptionId} AS "subscriptionId"`)

export const claimLogs = async (store: Store): Promise<number[]> =>
  (await store.batch(null, leaseLogs({})))[0].map(({ subscriptionId }) => subscriptionId)

const EVENT_COLUMNS = ['id', 'type', 'productId', 'resourceKey', 'data', 'previous', 'createdAt'] as const
const ARCHIVED_COLUMNS = [...EVENT_COLUMNS, 'actorUserId', 'actorKey'] as const
export type OldEvent = SelectedRow<typeof log, (typeof ARCHIVED_COLUMNS)[number]>

const firstPlace = sql`(SELECT min(${log.place}) FROM ${log} WHERE ${isEventOfWorkspace})`
const firstId = sql`(${firstPlace} & 4294967295)`
const firstCreatedAt = sql`(SELECT ${log.createdAt} FROM ${log} WHERE ${log.place} = ${firstPlace})`

// A disabled webhook resumes at the end of the log, and needs no old events.
const isFollowing = sql`${webhooks.subscriptionId} = ${caller.subscription} AND ${webhooks.deletedAt} IS NULL
  AND ${webhooks.status} <> 'disabled'`
/** The newest event always stays, because the next id is counted from it. */
const firstUndeliveredId = sql`coalesce((SELECT min(${webhooks.position}) + 1 FROM ${webhooks} WHERE ${isFollowing}), ${lastEventId})`
const pendingDeliveries = (from: SQLWrapper, to: SQLWrapper) => sql`FROM ${webhooks}
  CROSS JOIN ${webhookDeliveries} ON ${webhookDeliveries.subscriptionId} = ${caller.subscription}
    AND ${webhookDeliveries.webhookId} = ${webhooks.id} AND ${webhookDeliveries.eventId} >= ${from}
    AND ${webhookDeliveries.eventId} < ${to} AND ${webhookDeliveries.status} = 'pending'
  WHERE ${isFollowing}`
const firstPendingId = sql`coalesce((SELECT min(${webhookDeliveries.eventId})
  ${pendingDeliveries(firstId, sql`${firstId} + ${inline(EVENTS_PER_PAGE)}`)}), ${lastEventId})`

const cutoff = sql`${caller.now} - ${param('kept')}`

/** The workspace is a parameter, because the batch belongs to no workspace and uses no quota. */
type WorkspaceValue = { '@subscription': number }

const selectOldest = statement<OldEvent, WorkspaceValue & { kept: number }>(sql`SELECT ${columns(log, ARCHIVED_COLUMNS)}
  FROM (SELECT place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (
    SELECT ${log.place} AS place, octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0) AS bytes
    FROM ${log} WHERE ${isEventOfWorkspace} AND ${firstCreatedAt} <= ${cutoff}
      AND ${log.place} < ${logPlaceOf(firstUndeliveredId)} AND ${log.place} < ${logPlaceOf(firstPendingId)} AND ${log.createdAt} <= ${cutoff}
    ORDER BY ${log.place} LIMIT ${inline(EVENTS_PER_PAGE)})) page
  CROSS JOIN ${log} ON ${log.place} = page.place
  WHERE page.before <= ${inline(MAX_BYTES)} ORDER BY ${log.place}`)

export const listOldest = async (store: Store, subscriptionId: number, kept: number): Promise<OldEvent[]> =>
  (await store.batch(null, selectOldest({ '@subscription': subscriptionId, kept })))[0]

const deleteEvents = statement<never, WorkspaceValue & { first: number; last: number }>(sql`DELETE FROM ${log}
  WHERE ${log.place} >= ${logPlaceOf(param('first'))} AND ${log.place} <= ${logPlaceOf(param('last'))}
  AND NOT EXISTS (SELECT 1 ${pendingDeliveries(param('first'), sql`${param('last')} + 1`)})`)

const scheduleLook = statement<never, WorkspaceValue & { after: number }>(sql`UPDATE ${logKeeping}
  SET next_look_at = ${caller.now} + ${param('after')} WHERE ${logKeeping.subscriptionId} = ${caller.subscription}`)

export async function deleteArchived(store: Store, subscriptionId: number, first: number, last: number): Promise<void> {
  const own = { '@subscription': subscriptionId }
  await store.batch(null, deleteEvents({ ...own, first, last }), scheduleLook({ ...own, after: 0 }))
}

export const lookTomorrow = (store: Store, subscriptionId: number) =>
  store.batch(null, scheduleLook({ '@subscription': subscriptionId, after: LOOK_INTERVAL }))
