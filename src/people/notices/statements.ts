import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type SQLiteColumn, sqliteTable } from 'drizzle-orm/sqlite-core'
import { feedbackNotices, NOTICE_INSERT_COLUMNS, notices } from '../../db/schema/notices'
import { users } from '../../db/schema/tenancy'
import {
  caller,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
  statements,
  type Values,
} from '../../db/sql/statement'
import type { NoticeKind, NotifyChoice } from './schema'

/** View for inserting notices: an INSTEAD OF trigger leaves `last_insert_rowid()` unchanged, and `changes()` is 0. */
const noticeInsertView = sqliteTable('append_notice', NOTICE_INSERT_COLUMNS)

type NoticeValues = Partial<Record<Exclude<keyof typeof NOTICE_INSERT_COLUMNS, 'kind' | 'subscriptionId'>, SQLWrapper>>

export const insertNotice = (kind: NoticeKind, values: NoticeValues, from: SQL): SQL =>
  insertInto(
    noticeInsertView,
    {
      subscriptionId: caller.subscription,
      kind: inline(kind),
      notify: inline('later'),
      actorUserId: caller.user,
      createdAt: caller.now,
      ...values,
    },
    from,
  )

/** The notice that the trigger inserted in this batch for each idea that meets `isItem`. */
const changedNow = (isItem: SQL) => sql`${feedbackNotices.subscriptionId} = ${caller.subscription}
  AND ${feedbackNotices.createdAt} = ${caller.now} AND ${feedbackNotices.feedbackId} ${isItem}`

const deleteTriggered = (isItem: SQL) => sql`DELETE FROM ${feedbackNotices} WHERE ${changedNow(isItem)}`

/** Nobody gets mail about the changes of this batch, and the news that waits is no longer right. */
export const silenceChanges = (isItem: SQL): SQL[] => [
  sql`UPDATE ${notices} SET withdrawn_at = ${caller.now}
    WHERE ${notices.subscriptionId} = ${caller.subscription} AND ${notices.kind} = 'status' AND ${notices.withdrawnAt} IS NULL
      AND ${notices.feedbackId} IN (SELECT ${feedbackNotices.feedbackId} FROM ${feedbackNotices} WHERE ${changedNow(isItem)})`,
  deleteTriggered(isItem),
]

/** Stands after the change of the status. */
export const createNoticeSilencer = (isItem: SQL): ((values: Values) => Statement<never>[]) =>
  statements(silenceChanges(isItem))

/** Takes the notices over from the trigger, with the caller as the actor. Stands after the change of the status. */
export function createNoticeTakeover(isItem: SQL, notify: SQL): (values: Values) => Statement<never>[] {
  return statements([
    insertNotice(
      'status',
      { feedbackId: feedbackNotices.feedbackId, notify },
      sql`FROM ${feedbackNotices} WHERE ${changedNow(isItem)}`,
    ),
    deleteTriggered(isItem),
  ])
}

/** `notify` decides about the mail of a change of the status of one item. Stands after the change. */
export function createNoticeChoice(item: SQL) {
  const silence = createNoticeSilencer(sql`= ${item}`)
  const take = createNoticeTakeover(sql`= ${item}`, sql`${param('notify')}`)
  return (notify: NotifyChoice, values: Values): Statement<never>[] =>
    notify === 'none' ? silence(values) : take({ ...values, notify })
}

/** For an update about an item, also without a change of the status. Stands after the change. */
export function createNoticeOfUpdate(item: SQL, fromItem: SQL) {
  const silence = createNoticeSilencer(sql`= ${item}`)
  const insertUpdate = statements([
    insertNotice('status', { feedbackId: item, message: param('message'), notify: param('notify') }, fromItem),
    deleteTriggered(sql`= ${item}`),
  ])
  return (notify: NotifyChoice, values: Values): Statement<never>[] =>
    notify === 'none' ? silence(values) : insertUpdate(values)
}

export const createReleaseNotice = (version: SQL, fromVersion: SQL) =>
  statement<never, Values>(
    insertNotice('release', { solutionVersionId: version, notify: param('notify') }, fromVersion),
  )

/** A notice for the followers of the changelog. */
export const createChangelogNotice = (entry: SQL, notify: SQL, fromEntries: SQL) =>
  statement<never, Values>(insertNotice('changelog', { changelogEntryId: entry, notify }, fromEntries))

/** People of the list `named` as a JSON array, without the caller and without the people of `others`. */
export const namedPeople = (
  named: SQL,
  others: SQL,
) => sql`(SELECT json_group_array(DISTINCT named.value) FROM json_each(${named}) named
  WHERE named.value <> ${caller.user} AND named.value NOT IN (SELECT value FROM json_each(${others})))`

interface PeopleNotice {
  kind: NoticeKind
  values: NoticeValues
  people: SQL
  /** Rows to take the values from, with a condition. */
  from: SQL
}

/** A notice for people by name, unless nobody is named. */
export const createPeopleNotice = ({
  kind,
  values,
  people,
  from,
}: PeopleNotice): ((values: Values) => Statement<never>) =>
  statement<never, Values>(insertNotice(kind, { ...values, people }, sql`${from} AND ${people} <> '[]'`))

const colleagues = sql`(SELECT json_group_array(named.value) FROM json_each(${notices.people}) named
  CROSS JOIN ${users} u ON u.id = named.value AND +u.subscription_id = ${caller.subscription} AND u.role <> 'idm_member')`

/**
 * Takes back the notices of comments that are for people outside the team: replies, and mentions of members. `ids` selects
 * the comments. A notice keeps its place, because a mail that has been accepted names the notice.
 */
export const takeBackNoticesOfComments = (commentId: SQLiteColumn, ids: SQL): ((values: Values) => Statement<never>) =>
  statement<never, Values>(sql`UPDATE ${notices}
    SET withdrawn_at = iif(${notices.kind} = 'reply', ${caller.now}, withdrawn_at), people = ${colleagues}
    WHERE ${notices.subscriptionId} = ${caller.subscription} AND ${commentId} IN (${ids}) AND ${notices.withdrawnAt} IS NULL
      AND (${notices.kind} = 'reply' OR ${notices.people} <> ${colleagues})`)
