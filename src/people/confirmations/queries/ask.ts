import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { segmentConfirmations, segments, suppressions } from '../../../db/schema/segments-and-mail'
import { subscriptions, users } from '../../../db/schema/tenancy'
import { isInThisHome } from '../../../db/sql/fence'
import { caller, inline, param, statement, type Values } from '../../../db/sql/statement'
import { withWaitingGroups } from '../../../db/sql/turns'
import { createMailStatements, type NewMailing } from '../../mail/statements'
import { joinAskingSegment } from '../statements'

// Ten calls to the queue. The workspaces that wait longest come first.
const MAX_WORKSPACES_PER_CRON_RUN = 1_000
// Rows of a batch that accepts a mailing stay below 30 seconds of D1.
const MAX_PEOPLE_PER_MAILING = 10_000
// A removed segment can be restored.
const REMOVED_SEGMENT_DELAY_MS = 86_400_000

const isWaiting = sql`${segmentConfirmations.dueAt} IS NOT NULL`
const selectDueWorkspaces = statement<{ id: number }>(
  sql`${withWaitingGroups({ group: segmentConfirmations.subscriptionId, isWaiting })}
    SELECT id AS "id" FROM (SELECT id, (SELECT min(${segmentConfirmations.dueAt}) FROM ${segmentConfirmations}
        WHERE ${isWaiting} AND ${segmentConfirmations.subscriptionId} = waiting_groups.id) AS since FROM waiting_groups)
    WHERE since <= ${caller.now} AND ${isInThisHome(sql.raw('id'))} ORDER BY since LIMIT ${inline(MAX_WORKSPACES_PER_CRON_RUN)}`,
)

export const listDueWorkspaces = async (store: Store): Promise<number[]> =>
  (await store.batch(null, selectDueWorkspaces({})))[0].map(({ id }) => id)

const isDue = sql`${segmentConfirmations.subscriptionId} = ${caller.subscription} AND ${segmentConfirmations.dueAt} <= ${caller.now}`

const selectDueSegment = statement<{ segmentId: number }>(
  sql`SELECT ${segmentConfirmations.segmentId} AS "segmentId" FROM ${segmentConfirmations} INDEXED BY segment_confirmations_due
    WHERE ${isDue} ORDER BY ${segmentConfirmations.dueAt}, ${segmentConfirmations.segmentId} LIMIT 1`,
)

export async function findDueSegment(store: Store, subscriptionId: number): Promise<number | undefined> {
  const [[row]] = await store.batch(subscriptionId, selectDueSegment({}))
  return row?.segmentId
}

const dueUserIds = sql`SELECT ${segmentConfirmations.userId} FROM ${segmentConfirmations} INDEXED BY segment_confirmations_due
  WHERE ${isDue} AND ${segmentConfirmations.segmentId} = ${param('segmentId')}
  ORDER BY ${segmentConfirmations.dueAt}, ${segmentConfirmations.userId} LIMIT ${inline(MAX_PEOPLE_PER_MAILING)}`
const isChosen = sql`${segmentConfirmations.subscriptionId} = ${caller.subscription}
  AND ${segmentConfirmations.segmentId} = ${param('segmentId')} AND ${segmentConfirmations.userId} IN (${dueUserIds})`

const segmentName = sql`(SELECT ${segments.name} FROM ${segments} WHERE ${segments.id} = ${param('segmentId')}
  AND +${segments.subscriptionId} = ${caller.subscription})`
const workspaceName = sql`(SELECT ${subscriptions.name} FROM ${subscriptions} WHERE ${subscriptions.id} = ${caller.subscription})`

const acceptMailing = createMailStatements<{ segmentId: number }>(
  'confirmation',
  sql`SELECT ${segmentConfirmations.userId} AS "userId",
      json_object('confirmation', ${segmentConfirmations.segmentId} || '-' || ${segmentConfirmations.userId}) AS "variables"
    FROM ${segmentConfirmations} ${joinAskingSegment} WHERE ${isChosen} AND ${segmentConfirmations.status} = 'pending'`,
  { sharedVariables: sql`json_object('workspace', ${workspaceName}, 'segment', ${segmentName})` },
)

const isAsked = sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segments.id} = ${param('segmentId')}
    AND +${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL AND ${segments.doubleOptIn} = 1)
  AND EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${segmentConfirmations.userId}
    AND +${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL
    AND NOT EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
      AND ${suppressions.email} = ${users.email} AND ${suppressions.segmentId} IN (0, ${param('segmentId')})))`
const segmentIsRemoved = sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segments.id} = ${param('segmentId')}
  AND +${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NOT NULL)`
const endDue = statement<never, Values>(sql`UPDATE ${segmentConfirmations} SET
    asked_at = iif(${isAsked}, ${caller.now}, asked_at),
    due_at = iif(${segmentIsRemoved}, ${caller.now} + ${inline(REMOVED_SEGMENT_DELAY_MS)}, NULL) WHERE ${isChosen}`)

/** Accepts the mail to the next people of a segment who are due. A repeated batch does nothing. */
export async function acceptConfirmationMail(
  store: Store,
  subscriptionId: number,
  segmentId: number,
  mailing: NewMailing,
): Promise<void> {
  const values = { segmentId }
  await store.batch(subscriptionId, ...acceptMailing({ ...mailing, segmentId }, values), endDue(values))
}
