import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { computed } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { type Key, record } from '../../db/record'
import { feedbackComments, feedbackItems } from '../../db/schema/feedback'
import { caller, param } from '../../db/statement'
import type { Read } from '../../workspace/comments/read'
import { AddComment, ListComments, ModifyComment, ReplyToComment } from '../../workspace/comments/schema'
import { declaredOf, fieldsOf, staysOf, tombstones } from '../../workspace/comments/statements'
import { type FeedbackKey, feedback, rejected, rejecting, standingFeedback, subscribes } from '../ideas/statements'

const key = { commentId: feedbackComments.id }
export type CommentKey = Key<typeof key>

const declared = {
  ...declaredOf(feedbackComments),
  table: feedbackComments,
  fields: {
    id: feedbackComments.id,
    feedbackKey: computed<string>(
      sql`(SELECT ${feedbackItems.externalKey} FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${feedbackComments.feedbackId})`,
    ),
    ...fieldsOf(feedbackComments),
    // What was answered may have gone elsewhere with an item that is merged no more.
    parentId: computed<number | null>(sql`CASE WHEN ${feedbackComments.parentId} IS NOT NULL
      AND ${feedbackComments.feedbackId} = (SELECT p.feedback_id FROM ${feedbackComments} p WHERE p.id = ${feedbackComments.parentId})
      THEN ${feedbackComments.parentId} END`),
  },
}

/** The comments of the item in the path, those among them that were removed and answered. */
const thread = record('comment', {
  ...declared,
  within: { parent: standingFeedback, by: feedbackComments.feedbackId },
  key: {},
  stays: staysOf(feedbackComments),
})

const ofItemInPath = record('comment', {
  ...declared,
  within: { parent: feedback, by: feedbackComments.feedbackId },
  key: {},
})

const comment = record('comment', { ...declared, within: { below: feedback, by: feedbackComments.feedbackId }, key })

export const listComments = list(thread, ListComments, { sorts: { createdAt: feedbackComments.createdAt } }).page

const inserted = inserts(ofItemInPath, AddComment, { values: { feedbackId: feedback.id, userId: caller.user } })
const created = ofItemInPath.event('created')
// Of what is private, the item tells nobody.
const subscribe = subscribes(feedback.id, caller.user, 'comment')

export const addComment = (db: Database, key: FeedbackKey, { body, references }: Read<z.output<typeof AddComment>>) =>
  ofItemInPath.save(db, {
    guards: [...feedback.writable(key), rejected(key)],
    references,
    statements: [inserted(body, key), created(key), ...(body.isPrivate ? [] : [subscribe(key)])],
    answer: ofItemInPath.created(key),
  })

const answered = (column: string) => sql`(SELECT ${sql.raw(`c.${column}`)} FROM ${feedbackComments} c
  WHERE c.id = ${param('commentId')} AND c.subscription_id = ${caller.subscription})`
const ofItem = answered('feedback_id')
const replied = inserts(comment, ReplyToComment, {
  values: {
    feedbackId: ofItem,
    parentId: param('commentId'),
    isPrivate: answered('is_private'),
    userId: caller.user,
  },
})
const replyTold = comment.event('created')
const subscribeTo = subscribes(ofItem, caller.user, 'comment')
const ofRejected = rejecting(sql`${feedbackItems.id} = ${ofItem}`)

export const replyToComment = (
  db: Database,
  key: CommentKey,
  { body, references }: Read<z.output<typeof ReplyToComment>>,
) =>
  comment.save(db, {
    guards: [...comment.writable(key), ofRejected(key)],
    references,
    statements: [replied(body, key), replyTold({}), subscribeTo(key)],
    answer: comment.created(),
  })

export const getComment = comment.get

const modified = modifies(comment, ModifyComment)

export const modifyComment = (
  db: Database,
  key: CommentKey,
  { body, references }: Read<z.output<typeof ModifyComment>>,
  ifMatch: string | null,
) =>
  comment.save(db, {
    guards: comment.writable(key, ifMatch),
    references,
    statements: modified(key, body),
    answer: comment.reply(key),
  })

const { removal, restoration } = lifecycle(comment)
const { buries, revives } = tombstones(feedbackComments, 'commentId', feedbackComments.feedbackId)

export function removeComment(db: Database, key: CommentKey, ifMatch: string | null) {
  const { statements, ...rest } = removal(key, ifMatch)
  return db.write({ ...rest, statements: [...statements, ...buries(key)] })
}

export function restoreComment(db: Database, key: CommentKey) {
  const { statements, ...rest } = restoration(key)
  return comment.save(db, { ...rest, statements: [...revives(key), ...statements] })
}
