import { type SQL, sql } from 'drizzle-orm'
import { withItemsAtOrBelow } from '../../../backlog/work-items/fields'
import { changelogFollowers } from '../../../db/schema/changelog'
import { feedbackComments } from '../../../db/schema/feedback'
import { noticeDigests, noticePeople, notices } from '../../../db/schema/notices'
import { solutionVersionItems } from '../../../db/schema/solution-versions'
import { caller, inline, insertInto, param, type Statement, statements } from '../../../db/sql/statement'
import { digestDueAt, kindIsStopped } from '../../preferences/statements'
import { fromFollowersOf, joinUser, selectPossibleFollowers, selectReleasedIdeas } from '../statements'
import type { WaitingNotice } from './inbox'
import { entryIsPublished } from './publication'
import { versionIsReleased } from './release'

/** People, or ideas of a release, per batch. */
const ROWS_PER_SLICE = 2_000
const sliceSize = inline(ROWS_PER_SLICE)

/** Further notices of a person are counted only. */
export const MAX_WAITING_PER_PERSON = 1_000

/** The notice that the batch was made for; a repeated batch does nothing. */
const noticeMatchesParams = sql`n.id = ${param('notice')} AND n.subscription_id = ${caller.subscription}
  AND n.expanded_at IS NULL AND n.position = ${param('position')}`
const fromNotice = sql`(SELECT * FROM ${notices} n WHERE ${noticeMatchesParams}) n`

const setDueAt = sql`UPDATE ${notices} SET due_at = created_at + iif(notify = 'now', 0, ${param('delay')})
  WHERE ${notices.id} = ${param('notice')} AND ${notices.subscriptionId} = ${caller.subscription} AND ${notices.dueAt} IS NULL`

const endOfSlice = (table: typeof changelogFollowers) =>
  sql`AND ${table.userId} > ${param('position')} ORDER BY ${table.userId} LIMIT ${sliceSize}`

const withFollowers = sql`WITH slice AS MATERIALIZED (${selectPossibleFollowers({
  ...{ idea: sql`${param('feedback')}`, after: sql`${param('position')}`, limit: sliceSize },
})})`

const isNew = sql`NOT EXISTS (SELECT 1 FROM ${noticePeople} p WHERE p.subscription_id = ${caller.subscription}
  AND p.user_id = u.id AND p.notice_id = n.id)`
const getsMail = sql`u.id IS NOT n.actor_user_id AND n.withdrawn_at IS NULL AND NOT ${kindIsStopped(sql`n.kind`)} AND ${isNew}`

const fromFollowers = fromFollowersOf(
  sql`${fromNotice} CROSS JOIN slice`,
  sql`slice.user_id`,
  sql`${getsMail} AND ${versionIsReleased}`,
)

/** Notices about the backlog and about private comments are for colleagues. */
const isForColleagues = sql`(n.kind = 'assignment' OR n.item_comment_id IS NOT NULL
  OR EXISTS (SELECT 1 FROM ${feedbackComments} c WHERE c.id = n.comment_id
    AND +c.subscription_id = ${caller.subscription} AND c.is_private = 1))`
const fromNamedPeople = sql`FROM ${fromNotice} CROSS JOIN json_each(n.people) named ${joinUser(sql`named.value`)}
  WHERE ${getsMail} AND (u.role <> 'idm_member' OR NOT ${isForColleagues})`

/** Counts before the people are inserted. */
const upsertDigests = (people: SQL, withSlice: SQL) =>
  sql`${withSlice} ${insertInto(
    noticeDigests,
    { subscriptionId: caller.subscription, userId: sql`u.id`, dueAt: digestDueAt(sql`n.due_at`), waiting: sql`1` },
    people,
  )} ON CONFLICT DO UPDATE SET due_at = min(due_at, excluded.due_at), waiting = waiting + 1`
const insertPeople = (people: SQL, withSlice: SQL) => sql`${withSlice} ${insertInto(
  noticePeople,
  { subscriptionId: caller.subscription, userId: sql`u.id`, noticeId: sql`n.id` },
  people,
)} AND (SELECT d.waiting FROM ${noticeDigests} d WHERE d.subscription_id = ${caller.subscription} AND d.user_id = u.id)
  <= ${inline(MAX_WAITING_PER_PERSON)}`

const endNotice = sql`UPDATE ${notices} AS n SET expanded_at = ${caller.now} WHERE ${noticeMatchesParams}`
const advanceNotice = (column: 'user_id' | 'id', withSlice: SQL) => sql`${withSlice} UPDATE ${notices} AS n
  SET position = coalesce((SELECT max(${sql.raw(column)}) FROM slice), position),
    expanded_at = iif((SELECT count(*) FROM slice) < ${sliceSize}, ${caller.now}, NULL)
  WHERE ${noticeMatchesParams}`

const expandToFollowers = statements([
  setDueAt,
  upsertDigests(fromFollowers, withFollowers),
  insertPeople(fromFollowers, withFollowers),
  advanceNotice('user_id', withFollowers),
])
const expandToNamedPeople = statements([
  setDueAt,
  upsertDigests(fromNamedPeople, sql``),
  insertPeople(fromNamedPeople, sql``),
  endNotice,
])

const withChangelogFollowers = sql`WITH slice AS MATERIALIZED (SELECT ${changelogFollowers.userId} FROM ${changelogFollowers}
  WHERE ${changelogFollowers.subscriptionId} = ${caller.subscription} ${endOfSlice(changelogFollowers)})`
const fromChangelogFollowers = sql`FROM ${fromNotice} CROSS JOIN slice
    CROSS JOIN ${changelogFollowers} f ON f.subscription_id = ${caller.subscription} AND f.user_id = slice.user_id
      AND f.left_at IS NULL AND f.created_at <= n.created_at ${joinUser(sql`slice.user_id`)}
  WHERE ${getsMail} AND ${entryIsPublished}`
const expandToChangelogFollowers = statements([
  setDueAt,
  upsertDigests(fromChangelogFollowers, withChangelogFollowers),
  insertPeople(fromChangelogFollowers, withChangelogFollowers),
  advanceNotice('user_id', withChangelogFollowers),
])

const selectVersionItemIds = sql`SELECT b.work_item_id FROM ${fromNotice} CROSS JOIN ${solutionVersionItems} b
  ON b.subscription_id = ${caller.subscription} AND b.solution_version_id = n.solution_version_id`
const withReleasedIdeas = sql`WITH ${withItemsAtOrBelow(selectVersionItemIds)},
  slice AS MATERIALIZED (${selectReleasedIdeas(sql`${param('position')}`, sliceSize)})`
/** A notice for each idea of the release. */
const expandToIdeas = statements([
  sql`${withReleasedIdeas} ${insertInto(
    notices,
    {
      subscriptionId: caller.subscription,
      kind: inline('release'),
      feedbackId: sql`slice.id`,
      solutionVersionId: sql`n.solution_version_id`,
      notify: sql`n.notify`,
      actorUserId: sql`n.actor_user_id`,
      createdAt: sql`n.created_at`,
    },
    sql`FROM ${fromNotice} CROSS JOIN slice WHERE n.withdrawn_at IS NULL AND ${versionIsReleased} ORDER BY slice.id`,
  )}`,
  advanceNotice('id', withReleasedIdeas),
])

/** Looks up the next recipients of a notice. */
export function expandNotice(
  { id, kind, feedbackId, people, position }: WaitingNotice,
  delayMs: number,
): Statement<never>[] {
  const values = { notice: id, feedback: feedbackId, position, delay: delayMs }
  if (kind === 'changelog') return expandToChangelogFollowers(values)
  if (people !== null) return expandToNamedPeople(values)
  return feedbackId === null ? expandToIdeas(values) : expandToFollowers(values)
}
