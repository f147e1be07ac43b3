import { type SQL, sql } from 'drizzle-orm'
import { feedbackNotices } from '../../db/schema/notices'
import { caller, insertInto, type Statement, statement, type Values } from '../../db/sql/statement'
import type { NOTIFY_CHOICES } from './schema'

/** Stands after a change of the status in the same batch, because a trigger inserts the notices. */
export const createNoticeDeletion = (isItem: SQL) =>
  statement<never, Values>(sql`DELETE FROM ${feedbackNotices}
    WHERE ${feedbackNotices.subscriptionId} = ${caller.subscription} AND ${feedbackNotices.feedbackId} ${isItem}
      AND ${feedbackNotices.createdAt} = ${caller.now}`)

export function createNoticeChoice(item: SQL) {
  const deleteNotice = createNoticeDeletion(sql`= ${item}`)
  return (notify: (typeof NOTIFY_CHOICES)[number], values: Values): Statement<never>[] =>
    notify === 'none' ? [deleteNotice(values)] : []
}

export const createReleaseNoticeInsert = (version: SQL) =>
  statement<never, Values>(
    insertInto(feedbackNotices, {
      subscriptionId: caller.subscription,
      solutionVersionId: version,
      createdAt: caller.now,
    }),
  )
