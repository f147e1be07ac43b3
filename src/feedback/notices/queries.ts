import { sql } from 'drizzle-orm'
import { withItemsAtOrBelow } from '../../backlog/work-items/fields'
import type { Store } from '../../db/client/client'
import { feedbackItems, feedbackStatuses, feedbackSubscriptions, feedbackVotes } from '../../db/schema/feedback'
import { feedbackNotices } from '../../db/schema/notices'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { caller, inline, param, statement } from '../../db/sql/statement'
import { createMailStatements, type NewMailing } from '../../people/mail/statements'

/** Notices per message: a notice takes eight statements, and an invocation may run 1,000 statements on D1. */
export const NOTICES_PER_MESSAGE = 50
export interface Notice {
  id: number
  kind: 'status' | 'release'
}

const selectNotices = statement<Notice>(sql`SELECT ${feedbackNotices.id} AS "id",
    CASE WHEN ${feedbackNotices.solutionVersionId} IS NULL THEN 'status' ELSE 'release' END AS "kind"
  FROM ${feedbackNotices} WHERE ${feedbackNotices.subscriptionId} = ${caller.subscription}
  ORDER BY ${feedbackNotices.id} LIMIT ${inline(NOTICES_PER_MESSAGE)}`)

export async function listNotices(store: Store, subscriptionId: number): Promise<Notice[]> {
  return (await store.batch(subscriptionId, selectNotices({})))[0]
}

const fromNotice = sql`${feedbackNotices} n WHERE n.id = ${param('notice')} AND n.subscription_id = ${caller.subscription}`

// Excludes an anonymous author, because a mailing shows the recipients.
const fromChangedItem = sql`(SELECT n.feedback_id, n.status_id FROM ${fromNotice}) n
  CROSS JOIN ${feedbackItems} i ON i.id = n.feedback_id AND i.deleted_at IS NULL
  CROSS JOIN ${feedbackStatuses} st ON st.id = n.status_id`
const selectSubscribers = sql`SELECT s.user_id AS "userId", NULL AS "variables" FROM ${fromChangedItem}
  CROSS JOIN ${feedbackSubscriptions} s ON s.subscription_id = ${caller.subscription} AND s.feedback_id = i.id
    AND s.reason <> 'left' AND NOT (i.is_anonymous IS 1 AND s.user_id = i.user_id)`

// Bytes of all titles as JSON; a character takes at most six bytes.
const MAX_TITLE_CHARACTERS = 140
const MAX_TITLES_BYTES = 900
const selectVersionItemIds = sql`WITH ${withItemsAtOrBelow(sql`SELECT b.work_item_id FROM ${solutionVersionItems} b
  WHERE b.subscription_id = ${caller.subscription}
    AND b.solution_version_id = (SELECT n.solution_version_id FROM ${fromNotice})`)} SELECT below.id FROM below`
const fromReleasedVersion = sql`(SELECT n.solution_version_id AS id FROM ${fromNotice}) n
  CROSS JOIN ${solutionVersions} sv ON sv.id = n.id AND sv.deleted_at IS NULL`
const shortenedTitle = sql`iif(length(i.title) > ${inline(MAX_TITLE_CHARACTERS)}, substr(i.title, 1, ${inline(MAX_TITLE_CHARACTERS - 1)}) || '…', i.title)`
/** Ideas with voters; `upto` adds up the bytes of the titles for each voter. */
const selectVotedIdeas = sql`SELECT *, sum(octet_length(json_quote(title))) OVER (PARTITION BY user_id ORDER BY id) AS upto
  FROM (SELECT v.user_id, i.id, ${shortenedTitle} AS title FROM ${fromReleasedVersion}
    CROSS JOIN ${feedbackItems} i ON i.subscription_id = ${caller.subscription} AND i.deleted_at IS NULL
      AND i.merged_into IS NULL AND i.work_item_id IN (${selectVersionItemIds})
    CROSS JOIN ${feedbackVotes} v ON v.subscription_id = ${caller.subscription} AND v.feedback_id = i.id AND v.type = 'up')`
const fittingTitlesFilter = sql`FILTER (WHERE upto <= ${inline(MAX_TITLES_BYTES)})`
const selectVoters = sql`SELECT user_id AS "userId", json_object('ideas', group_concat(title, ', ' ORDER BY id) ${fittingTitlesFilter}
    || iif(count(*) > count(*) ${fittingTitlesFilter}, ' and ' || (count(*) - count(*) ${fittingTitlesFilter}) || ' more', '')) AS "variables"
  FROM (${selectVotedIdeas}) GROUP BY user_id`

type NoticeValues = { notice: number }
const MAILING_STATEMENTS_BY_KIND = {
  status: createMailStatements<NoticeValues>('feedback', selectSubscribers, {
    sharedVariables: sql`(SELECT json_object('title', i.title, 'status', st.name, 'productId', i.product_id) FROM ${fromChangedItem})`,
  }),
  release: createMailStatements<NoticeValues>('release', selectVoters, {
    sharedVariables: sql`(SELECT json_object('version', sv.name, 'productId', sv.product_id) FROM ${fromReleasedVersion})`,
  }),
}
const deleteNotice = statement<
  never,
  NoticeValues
>(sql`DELETE FROM ${feedbackNotices} WHERE ${feedbackNotices.id} = ${param('notice')}
  AND ${feedbackNotices.subscriptionId} = ${caller.subscription}`)

export async function acceptNoticeMailing(
  store: Store,
  subscriptionId: number,
  { id, kind }: Notice,
  mailing: NewMailing,
) {
  const values = { notice: id }
  await store.batch(subscriptionId, ...MAILING_STATEMENTS_BY_KIND[kind](mailing, values), deleteNotice(values))
}

// Milliseconds for the message of the causing request to arrive before the cron steps in.
const NOTICE_GRACE_MS = 30_000
const MAX_WORKSPACES_PER_CRON_RUN = 100

const selectDueWorkspaces = statement<{
  subscriptionId: number
}>(sql`SELECT DISTINCT subscription_id AS "subscriptionId" FROM (
  SELECT ${feedbackNotices.subscriptionId} FROM ${feedbackNotices}
  WHERE ${feedbackNotices.createdAt} <= ${caller.now} - ${inline(NOTICE_GRACE_MS)}
  ORDER BY ${feedbackNotices.createdAt}, ${feedbackNotices.id} LIMIT ${inline(MAX_WORKSPACES_PER_CRON_RUN)})`)

export async function listDueWorkspaces(store: Store): Promise<number[]> {
  return (await store.batch(null, selectDueWorkspaces({})))[0].map(({ subscriptionId }) => subscriptionId)
}
