import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { feedbackNotices, noticeDigests, notices } from '../../../db/schema/notices'
import { isInThisHome } from '../../../db/sql/fence'
import { isBelowHighestId } from '../../../db/sql/retention'
import { caller, inline, statement } from '../../../db/sql/statement'
import { withWaitingGroups } from '../../../db/sql/turns'

// Milliseconds for the message of the causing request to arrive before the cron steps in.
const NOTICE_GRACE_MS = 30_000
// Ten calls to the queue. The workspaces that wait longest come first.
const MAX_WORKSPACES_PER_CRON_RUN = 1_000
const MAX_TRIGGERED_PER_CRON_RUN = 1_000
const maxWorkspaces = inline(MAX_WORKSPACES_PER_CRON_RUN)

const graceStart = sql`${caller.now} - ${inline(NOTICE_GRACE_MS)}`

const selectTriggered = sql`SELECT ${feedbackNotices.subscriptionId} AS id, ${feedbackNotices.createdAt} AS since FROM ${feedbackNotices}
  WHERE ${feedbackNotices.createdAt} <= ${graceStart} AND ${isInThisHome(feedbackNotices.subscriptionId)}
  ORDER BY ${feedbackNotices.createdAt}, ${feedbackNotices.id} LIMIT ${inline(MAX_TRIGGERED_PER_CRON_RUN)}`

const isUnexpanded = sql`${notices.expandedAt} IS NULL`
const selectUnexpanded = sql`${withWaitingGroups({ group: notices.subscriptionId, isWaiting: isUnexpanded })}
  SELECT id, (SELECT ${notices.createdAt} FROM ${notices} WHERE ${isUnexpanded} AND ${notices.subscriptionId} = waiting_groups.id
    ORDER BY ${notices.id} LIMIT 1) AS since FROM waiting_groups`

const selectDue = sql`${withWaitingGroups({ group: noticeDigests.subscriptionId, isWaiting: sql`true` })}
  SELECT id, (SELECT min(${noticeDigests.dueAt}) FROM ${noticeDigests} WHERE ${noticeDigests.subscriptionId} = waiting_groups.id) AS since
  FROM waiting_groups`

const selectWorkspaces = [
  statement<{ id: number }>(
    sql`SELECT id AS "id" FROM (${selectTriggered}) GROUP BY id ORDER BY min(since) LIMIT ${maxWorkspaces}`,
  ),
  statement<{
    id: number
  }>(sql`SELECT id AS "id" FROM (${selectUnexpanded}) WHERE since <= ${graceStart} AND ${isInThisHome(sql.raw('id'))}
    ORDER BY since LIMIT ${maxWorkspaces}`),
  statement<{ id: number }>(
    sql`SELECT id AS "id" FROM (${selectDue}) WHERE since <= ${caller.now} AND ${isInThisHome(sql.raw('id'))}
    ORDER BY since LIMIT ${maxWorkspaces}`,
  ),
]

export async function listDueWorkspaces(store: Store): Promise<number[]> {
  const results = await store.batch(null, ...selectWorkspaces.map((make) => make({})))
  return [...new Set(results.flat().map(({ id }) => id))].slice(0, MAX_WORKSPACES_PER_CRON_RUN)
}

// A weekly digest waits for seven days.
const NOTICE_TTL_MS = 14 * 86_400_000
const MAX_DELETED_PER_CRON_RUN = inline(5_000)

/** In the order of the ids, which is the order of time. */
const deleteOldNotices = statement<never>(sql`DELETE FROM ${notices} WHERE ${notices.id} IN (
  SELECT oldest.id FROM (SELECT ${notices.id}, ${notices.createdAt} FROM ${notices} ORDER BY ${notices.id} LIMIT ${MAX_DELETED_PER_CRON_RUN}) oldest
  WHERE oldest.created_at <= ${caller.now} - ${inline(NOTICE_TTL_MS)})
  AND ${isInThisHome(notices.subscriptionId)} AND ${isBelowHighestId(notices)}`)

export async function deleteExpiredNotices(store: Store): Promise<void> {
  await store.batch(null, deleteOldNotices({}))
}
