import { type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../db/client/client'
import { deadLetters } from '../../db/schema/operating'
import { signIns } from '../../db/schema/sign-ins'
import { apiKeys, idempotencyKeys, log, logKeeping } from '../../db/schema/tenancy'
import {
  incomingReceipts,
  incomingRecords,
  incomingWebhooks,
  webhookDeliveries,
  webhooks,
} from '../../db/schema/webhooks'
import { isInThisHome, refuseMovingWorkspace } from '../../db/sql/fence'
import { firstEventId, isEventOfWorkspace, lastEventId, logPlaceOf } from '../../db/sql/log'
import { deleteExpired, isBelowHighestId } from '../../db/sql/retention'
import { IDEMPOTENCY_TTL_MS } from '../../db/sql/returning'
import { caller, inline, param, statement, statements } from '../../db/sql/statement'
import { type ArchivedEvent, archivedEventColumns } from '../events/statements'
import { webhookKeyIsActive } from '../webhooks/statements'

const deleteExpiredReplies = deleteExpired(idempotencyKeys.createdAt)
// Pending deliveries of a paused webhook stay.
const deleteExpiredDeliveries = deleteExpired(webhookDeliveries.createdAt, {
  condition: sql`${webhookDeliveries.status} <> 'pending'`,
  index: 'webhook_deliveries_old',
})
const deleteExpiredDeadLetters = deleteExpired(deadLetters.failedAt, { index: 'dead_letters_failed' })
const DEAD_LETTER_TTL_MS = 30 * 86_400_000
// The row counts the mails of the last hour.
const SIGN_IN_KEPT_MS = 3_600_000
const deleteExpiredSignIns = deleteExpired(signIns.expiresAt, { index: 'sign_ins_expired' })
const deleteExpiredReceipts = deleteExpired(incomingReceipts.createdAt)
const deleteExpiredRecords = deleteExpired(incomingRecords.seenAt, { index: 'incoming_records_old' })

const SESSION_KEPT_MS = 30 * 86_400_000
const SESSIONS_PER_RUN = 5_000
const selectEndedSessions = sql`SELECT id FROM ${apiKeys} INDEXED BY api_keys_ended WHERE kind = 'session' AND retained = 0
  AND min(expires_at, coalesce(revoked_at, expires_at)) <= ${caller.now} - ${inline(SESSION_KEPT_MS)}
    AND ${isInThisHome(apiKeys.subscriptionId)}
  ORDER BY min(expires_at, coalesce(revoked_at, expires_at)) LIMIT ${inline(SESSIONS_PER_RUN)}`
const namesSession = (column: SQLiteColumn) => sql`EXISTS (SELECT 1 FROM ${column.table} other
  WHERE other.subscription_id = ${apiKeys.subscriptionId} AND other.${sql.identifier(column.name)} = ${apiKeys.id})`
const SESSION_REFERENCES = [
  ...[apiKeys.issuedBy, apiKeys.rotatedBy, apiKeys.firstIssuedBy],
  ...[webhooks.keyId, webhooks.firstKeyId, incomingWebhooks.keyId, incomingWebhooks.firstKeyId],
]
/** A new role of the person ends the keys that were created in a session, so these sessions stay. */
const deleteEndedSessions = statements([
  sql`UPDATE ${apiKeys} SET retained = 1 WHERE ${apiKeys.id} IN (${selectEndedSessions})
    AND (${sql.join(
      SESSION_REFERENCES.map((column) => namesSession(column)),
      sql` OR `,
    )})`,
  sql`DELETE FROM ${apiKeys} WHERE ${apiKeys.id} IN (${selectEndedSessions}) AND ${isBelowHighestId(apiKeys)}`,
])

export async function deleteExpiredRows(store: Store, delivered: number | undefined): Promise<void> {
  const webhooks =
    delivered === undefined
      ? []
      : [deleteExpiredDeliveries, deleteExpiredReceipts, deleteExpiredRecords].map((make) => make({ kept: delivered }))
  await store.batch(
    null,
    deleteExpiredReplies({ kept: IDEMPOTENCY_TTL_MS }),
    deleteExpiredDeadLetters({ kept: DEAD_LETTER_TTL_MS }),
    deleteExpiredSignIns({ kept: SIGN_IN_KEPT_MS }),
    ...deleteEndedSessions({}),
    ...webhooks,
  )
}

const ARCHIVED_WORKSPACES_PER_RUN = 20
const ARCHIVED_EVENTS_PER_PAGE = 1_000
// The Worker holds a page in memory, and D1 limits a response.
const MAX_ARCHIVE_PAGE_BYTES = 4_000_000
// A lease outlasts an invocation, because two invocations must never archive the same workspace.
const ARCHIVE_LEASE_MS = 20 * 60_000
const ARCHIVE_INTERVAL_MS = 86_400_000

const updateLogLeases = statement<{
  subscriptionId: number
}>(sql`UPDATE ${logKeeping} SET next_look_at = ${caller.now} + ${inline(ARCHIVE_LEASE_MS)}
  WHERE ${logKeeping.subscriptionId} IN (SELECT ${logKeeping.subscriptionId} FROM ${logKeeping}
    WHERE ${logKeeping.nextLookAt} <= ${caller.now} AND ${isInThisHome(logKeeping.subscriptionId)} ORDER BY ${logKeeping.nextLookAt} LIMIT ${inline(ARCHIVED_WORKSPACES_PER_RUN)})
  RETURNING ${logKeeping.subscriptionId} AS "subscriptionId"`)

export const claimDueLogs = async (store: Store): Promise<number[]> =>
  (await store.batch(null, updateLogLeases({})))[0].map(({ subscriptionId }) => subscriptionId)

const placeOfFirstEvent = sql`(SELECT min(${log.place}) FROM ${log} WHERE ${isEventOfWorkspace})`
const timeOfFirstEvent = sql`(SELECT ${log.createdAt} FROM ${log} WHERE ${log.place} = ${placeOfFirstEvent})`

// A paused webhook continues from the archive, and a disabled webhook resumes at the end of the log.
const webhookIsFollowing = sql`${webhooks.subscriptionId} = ${caller.subscription} AND ${webhooks.deletedAt} IS NULL
  AND ${webhooks.status} = 'active' AND ${webhookKeyIsActive}`
/** The newest event always stays, because the next id is counted from it. */
const idOfFirstUndeliveredEvent = sql`coalesce((SELECT min(${webhooks.position}) + 1 FROM ${webhooks} WHERE ${webhookIsFollowing}), ${lastEventId})`
const fromPendingDeliveries = (from: SQLWrapper, to: SQLWrapper) => sql`FROM ${webhooks}
  CROSS JOIN ${webhookDeliveries} ON ${webhookDeliveries.subscriptionId} = ${caller.subscription}
    AND ${webhookDeliveries.webhookId} = ${webhooks.id} AND ${webhookDeliveries.eventId} >= ${from}
    AND ${webhookDeliveries.eventId} < ${to} AND ${webhookDeliveries.status} = 'pending'
  WHERE ${webhookIsFollowing}`
const idOfFirstPendingDelivery = sql`coalesce((SELECT min(${webhookDeliveries.eventId})
  ${fromPendingDeliveries(firstEventId, sql`${firstEventId} + ${inline(ARCHIVED_EVENTS_PER_PAGE)}`)}), ${lastEventId})`

const retentionCutoff = sql`${caller.now} - ${param('kept')}`

/** The workspace is a parameter, because the batch belongs to no workspace and uses no quota. */
type WorkspaceBinding = { '@subscription': number }

const selectExpiredEvents = statement<
  ArchivedEvent,
  WorkspaceBinding & { kept: number }
>(sql`SELECT ${archivedEventColumns}
  FROM (SELECT place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (
    SELECT ${log.place} AS place, octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0) AS bytes
    FROM ${log} WHERE ${isEventOfWorkspace} AND ${timeOfFirstEvent} <= ${retentionCutoff}
      AND ${log.place} < ${logPlaceOf(idOfFirstUndeliveredEvent)} AND ${log.place} < ${logPlaceOf(idOfFirstPendingDelivery)} AND ${log.createdAt} <= ${retentionCutoff}
    ORDER BY ${log.place} LIMIT ${inline(ARCHIVED_EVENTS_PER_PAGE)})) page
  CROSS JOIN ${log} ON ${log.place} = page.place
  WHERE page.before <= ${inline(MAX_ARCHIVE_PAGE_BYTES)} ORDER BY ${log.place}`)

export const listExpiredEvents = async (store: Store, subscriptionId: number, kept: number): Promise<ArchivedEvent[]> =>
  (await store.batch(null, selectExpiredEvents({ '@subscription': subscriptionId, kept })))[0]

const deleteEventRange = statement<never, WorkspaceBinding & { first: number; last: number }>(sql`DELETE FROM ${log}
  WHERE ${log.place} >= ${logPlaceOf(param('first'))} AND ${log.place} <= ${logPlaceOf(param('last'))}
  AND NOT EXISTS (SELECT 1 ${fromPendingDeliveries(param('first'), sql`${param('last')} + 1`)})`)

const scheduleNextArchive = statement<never, WorkspaceBinding & { after: number }>(sql`UPDATE ${logKeeping}
  SET next_look_at = ${caller.now} + ${param('after')} WHERE ${logKeeping.subscriptionId} = ${caller.subscription}`)

export async function deleteArchivedEvents(store: Store, subscriptionId: number, first: number, last: number) {
  const own = { '@subscription': subscriptionId }
  await store.batch(
    null,
    refuseMovingWorkspace(own),
    deleteEventRange({ ...own, first, last }),
    scheduleNextArchive({ ...own, after: 0 }),
  )
}

export const postponeArchive = (store: Store, subscriptionId: number) =>
  store.batch(null, scheduleNextArchive({ '@subscription': subscriptionId, after: ARCHIVE_INTERVAL_MS }))
