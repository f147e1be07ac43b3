import { sql } from 'drizzle-orm'
import { atOrBelow } from '../../backlog/work-items/fields'
import type { Store } from '../../db/client'
import {
  feedbackItems,
  feedbackNotices,
  feedbackStatuses,
  feedbackSubscriptions,
  feedbackVotes,
} from '../../db/schema/feedback'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { caller, inline, param, statement } from '../../db/statement'
import { mails, type NewMailing } from '../../people/mail/statements'

/** Notices per message: a notice takes eight statements, and an invocation may run 1,000 statements on D1. */
export const NOTICES_PER_RUN = 50
export interface Notice {
  id: number
  kind: 'status' | 'release'
}

const pending = statement<Notice>(sql`SELECT ${feedbackNotices.id} AS "id",
    CASE WHEN ${feedbackNotices.solutionVersionId} IS NULL THEN 'status' ELSE 'release' END AS "kind"
  FROM ${feedbackNotices} WHERE ${feedbackNotices.subscriptionId} = ${caller.subscription}
  ORDER BY ${feedbackNotices.id} LIMIT ${inline(NOTICES_PER_RUN)}`)

export async function listNotices(store: Store, subscriptionId: number): Promise<Notice[]> {
  return (await store.batch(subscriptionId, pending({})))[0]
}

const notice = sql`${feedbackNotices} n WHERE n.id = ${param('notice')} AND n.subscription_id = ${caller.subscription}`

// Excludes an anonymous author, because a mailing shows the recipients.
const changed = sql`(SELECT n.feedback_id, n.status_id FROM ${notice}) n
  CROSS JOIN ${feedbackItems} i ON i.id = n.feedback_id AND i.deleted_at IS NULL
  CROSS JOIN ${feedbackStatuses} st ON st.id = n.status_id`
const subscribers = sql`SELECT s.user_id AS "userId", NULL AS "variables" FROM ${changed}
  CROSS JOIN ${feedbackSubscriptions} s ON s.subscription_id = ${caller.subscription} AND s.feedback_id = i.id
    AND s.reason <> 'left' AND NOT (i.is_anonymous IS 1 AND s.user_id = i.user_id)`

// Maximum characters of a single title, and maximum bytes of all titles as JSON. A character takes at most six bytes.
const MAX_TITLE = 140
const MAX_TITLES = 900
/** Ids of the work items in the version, with all descendants. */
const brought = sql`WITH ${atOrBelow(sql`SELECT b.work_item_id FROM ${solutionVersionItems} b
  WHERE b.subscription_id = ${caller.subscription}
    AND b.solution_version_id = (SELECT n.solution_version_id FROM ${notice})`)} SELECT below.id FROM below`
const released = sql`(SELECT n.solution_version_id AS id FROM ${notice}) n
  CROSS JOIN ${solutionVersions} sv ON sv.id = n.id AND sv.deleted_at IS NULL`
const shortTitle = sql`iif(length(i.title) > ${inline(MAX_TITLE)}, substr(i.title, 1, ${inline(MAX_TITLE - 1)}) || '…', i.title)`
/** Ideas with voters; `upto` adds up the bytes of the titles for each voter. */
const voted = sql`SELECT *, sum(octet_length(json_quote(title))) OVER (PARTITION BY user_id ORDER BY id) AS upto
  FROM (SELECT v.user_id, i.id, ${shortTitle} AS title FROM ${released}
    CROSS JOIN ${feedbackItems} i ON i.subscription_id = ${caller.subscription} AND i.deleted_at IS NULL
      AND i.merged_into IS NULL AND i.work_item_id IN (${brought})
    CROSS JOIN ${feedbackVotes} v ON v.subscription_id = ${caller.subscription} AND v.feedback_id = i.id AND v.type = 'up')`
const fits = sql`FILTER (WHERE upto <= ${inline(MAX_TITLES)})`
const voters = sql`SELECT user_id AS "userId", json_object('ideas', group_concat(title, ', ' ORDER BY id) ${fits}
    || iif(count(*) > count(*) ${fits}, ' and ' || (count(*) - count(*) ${fits}) || ' more', '')) AS "variables"
  FROM (${voted}) GROUP BY user_id`

type Of = { notice: number }
const tells = {
  status: mails<Of>('feedback', subscribers, {
    everyone: sql`(SELECT json_object('title', i.title, 'status', st.name, 'productId', i.product_id) FROM ${changed})`,
  }),
  release: mails<Of>('release', voters, {
    everyone: sql`(SELECT json_object('version', sv.name, 'productId', sv.product_id) FROM ${released})`,
  }),
}
const forget = statement<never, Of>(sql`DELETE FROM ${feedbackNotices} WHERE ${feedbackNotices.id} = ${param('notice')}
  AND ${feedbackNotices.subscriptionId} = ${caller.subscription}`)

/** Accepts the mailing of a notice and deletes the notice; a concurrent run inserts nothing. */
export async function acceptNotice(store: Store, subscriptionId: number, { id, kind }: Notice, mailing: NewMailing) {
  const given = { notice: id }
  await store.batch(subscriptionId, ...tells[kind](mailing, given), forget(given))
}

// Milliseconds for the message of the causing request to arrive before the cron steps in.
const GRACE = 30_000
const WORKSPACES_PER_RUN = 100

const due = statement<{ subscriptionId: number }>(sql`SELECT DISTINCT subscription_id AS "subscriptionId" FROM (
  SELECT ${feedbackNotices.subscriptionId} FROM ${feedbackNotices}
  WHERE ${feedbackNotices.createdAt} <= ${caller.now} - ${inline(GRACE)}
  ORDER BY ${feedbackNotices.createdAt}, ${feedbackNotices.id} LIMIT ${inline(WORKSPACES_PER_RUN)})`)

export async function listWaiting(store: Store): Promise<number[]> {
  return (await store.batch(null, due({})))[0].map(({ subscriptionId }) => subscriptionId)
}
