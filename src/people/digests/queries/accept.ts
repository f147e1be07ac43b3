import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { feedbackComments, feedbackItems, feedbackSubscriptions } from '../../../db/schema/feedback'
import { noticeDigests, noticePeople, notices } from '../../../db/schema/notices'
import { workItemComments, workItems } from '../../../db/schema/work-items'
import { caller, inline, param, statements } from '../../../db/sql/statement'
import { createMailStatements, type NewMailing } from '../../mail/statements'
import { digestDueAt, joinPreferences, kindIsStopped } from '../../preferences/statements'
import { finalIdeaId } from './due'
import { entryIsPublished, hasLeftChangelog, markAnnounced } from './publication'
import { endRevocableReleases, versionIsReleased } from './release'

/** Notices of a mail; the variables of a recipient hold their ids. */
export const MAX_NOTICES_PER_MAIL = 50

// A digest that another batch has sent is no longer due.
const digestIsDue = sql`d.subscription_id = ${caller.subscription} AND d.due_at <= ${caller.now}`
const fromDuePeople = sql`FROM json_each(${param('people')}) person CROSS JOIN ${noticeDigests} d ON ${digestIsDue} AND d.user_id = person.value`
const isOfPerson = sql`p.subscription_id = ${caller.subscription} AND p.user_id = d.user_id`
const isRead = sql`IN (SELECT value FROM json_each(${param('read')}))`

/** The id finds the row, and the row is of the workspace. */
const isOfTenant = (alias: string) => sql`+${sql.raw(alias)}.subscription_id = ${caller.subscription}`
const ideaOfNotice = sql`coalesce(n.feedback_id, (SELECT c.feedback_id FROM ${feedbackComments} c WHERE c.id = n.comment_id AND ${isOfTenant('c')}))`
const finalIdeaOfNotice = sql`(SELECT iif(i.merged_into IS NULL, i.id, ${finalIdeaId(sql`i.id`)}) FROM ${feedbackItems} i WHERE i.id = ${ideaOfNotice} AND ${isOfTenant('i')})`
const hasLeft = sql`(n.kind IN ('status', 'release', 'reply') AND EXISTS (SELECT 1 FROM ${feedbackSubscriptions} s
  WHERE s.subscription_id = ${caller.subscription} AND s.user_id = d.user_id AND s.reason = 'left'
    AND s.feedback_id IN (${ideaOfNotice}, ${finalIdeaOfNotice})))`
const names = (list: string) => sql`EXISTS (SELECT 1 FROM json_each(${sql.raw(list)}) WHERE value = d.user_id)`
const isStillNamed = sql`(n.people IS NULL OR ${names('n.people')}) AND CASE n.kind WHEN 'assignment' THEN (SELECT ${names('w.user_ids')} FROM ${workItems} w WHERE w.id = n.work_item_id AND ${isOfTenant('w')})
  WHEN 'mention' THEN coalesce((SELECT ${names('c.mentions')} FROM ${feedbackComments} c WHERE c.id = n.comment_id AND ${isOfTenant('c')}),
    (SELECT ${names('c.mentions')} FROM ${workItemComments} c WHERE c.id = n.item_comment_id AND ${isOfTenant('c')})) ELSE 1 END`

const isShown = sql`n.id IN (SELECT value FROM json_each(${param('shown')}))`
const isFurther = sql`n.id NOT IN (SELECT value FROM json_each(${param('chosen')}))`
const selectRecipients = sql`SELECT user_id AS "userId",
    json_object('notices', json_group_array(id), 'more', max(count) - count(*)) AS "variables"
  FROM (SELECT d.user_id, n.id, ${isShown} AS shown, count(*) OVER (PARTITION BY d.user_id) AS count,
      row_number() OVER (PARTITION BY d.user_id ORDER BY ${isShown} DESC, n.id DESC) AS place
    ${fromDuePeople} CROSS JOIN ${noticePeople} p ON ${isOfPerson}
      CROSS JOIN ${notices} n ON n.id = p.notice_id AND ${isOfTenant('n')} AND n.withdrawn_at IS NULL ${joinPreferences(sql`d.user_id`)}
    WHERE (${isShown} OR ${isFurther}) AND NOT ${kindIsStopped(sql`n.kind`)} AND ${isStillNamed} AND NOT ${hasLeft}
      AND NOT ${hasLeftChangelog} AND ${versionIsReleased} AND ${entryIsPublished})
  WHERE shown AND place <= ${inline(MAX_NOTICES_PER_MAIL)} GROUP BY user_id`

const acceptMailing = createMailStatements<DigestValues>('digest', selectRecipients, {
  sharedVariables: sql`${param('shared')}`,
})

/** JSON arrays of ids, and the shared variables. */
type DigestValues = {
  people: string
  /** All notices of the people. */
  read: string
  /** The newest notices of each person, and the notices among them that still say something. */
  chosen: string
  shown: string
  shared: string
}

const dueAtOfRest = sql`(SELECT min(${digestDueAt(sql`coalesce(n.due_at, n.created_at)`)}) FROM ${noticePeople} p
    CROSS JOIN ${notices} n ON n.id = p.notice_id AND ${isOfTenant('n')} ${joinPreferences(sql`p.user_id`)}
  WHERE p.subscription_id = ${caller.subscription} AND p.user_id = ${noticeDigests.userId})`
const endDigests = statements([
  sql`DELETE FROM ${noticePeople} WHERE ${noticePeople.subscriptionId} = ${caller.subscription}
    AND ${noticePeople.userId} IN (SELECT d.user_id ${fromDuePeople}) AND ${noticePeople.noticeId} ${isRead}`,
  sql`DELETE FROM ${noticeDigests} WHERE ${noticeDigests.subscriptionId} = ${caller.subscription}
    AND ${noticeDigests.dueAt} <= ${caller.now} AND ${noticeDigests.userId} IN (SELECT value FROM json_each(${param('people')}))
    AND NOT EXISTS (SELECT 1 FROM ${noticePeople} p WHERE p.subscription_id = ${caller.subscription} AND p.user_id = ${noticeDigests.userId})`,
  // Notices that arrived after the batch was prepared.
  sql`UPDATE ${noticeDigests} SET due_at = coalesce(${dueAtOfRest}, due_at), waiting = (SELECT count(*) FROM ${noticePeople} p
      WHERE p.subscription_id = ${caller.subscription} AND p.user_id = ${noticeDigests.userId})
    WHERE ${noticeDigests.subscriptionId} = ${caller.subscription} AND ${noticeDigests.dueAt} <= ${caller.now}
      AND ${noticeDigests.userId} IN (SELECT value FROM json_each(${param('people')}))`,
])

/** Accepts the mail of people whose digest is due, and ends the digests. A repeated batch does nothing. */
export async function acceptDigests(
  store: Store,
  subscriptionId: number,
  values: DigestValues,
  mailing: NewMailing,
): Promise<void> {
  await store.batch(
    subscriptionId,
    ...acceptMailing(mailing, values),
    endRevocableReleases(values),
    markAnnounced(values),
    ...endDigests(values),
  )
}
