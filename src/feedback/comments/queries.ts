import { type SQL, sql } from 'drizzle-orm'
import { guard } from '../../db/client/refuse'
import { makeListReader } from '../../db/records/list'
import { idOfPersonOrCaller } from '../../db/records/members'
import { record } from '../../db/records/record'
import { feedbackComments, feedbackItems, feedbackMergedComments } from '../../db/schema/feedback'
import { users } from '../../db/schema/tenancy'
import { coversProduct } from '../../db/sql/access'
import { equals, namesRecord, unindexed } from '../../db/sql/filter'
import { caller, param, type Values } from '../../db/sql/statement'
import { createPeopleNotice, namedPeople } from '../../people/notices/statements'
import { createCommentUpsert } from '../../workspace/comments/external/statements'
import {
  commentDeclarationOf,
  commentIsShownToCaller,
  isTombstone,
  valueOfComment,
} from '../../workspace/comments/fields'
import { createCommentQueries } from '../../workspace/comments/statements'
import {
  createRejectedItemGuard,
  createSubscribeStatement,
  feedback,
  itemIsShown,
  itemOfKeyFilter,
  itemRejected,
  standingFeedback,
} from '../ideas/statements'
import { comment, commentFields } from './fields'
import { ListAllComments } from './schema'

const subscribeCommenter = createSubscribeStatement(feedback.id, caller.user, 'comment')

const commentedItemId = valueOfComment(feedbackComments, 'commentId', feedbackComments.feedbackId)
const isPublicReply = sql`EXISTS (SELECT 1 FROM ${feedbackComments} WHERE ${comment.justInserted} AND ${feedbackComments.isPrivate} = 0)`
const subscribeReplier = createSubscribeStatement(commentedItemId, caller.user, 'comment', isPublicReply)
const commentedItemRejected = createRejectedItemGuard(sql`${feedbackItems.id} = ${commentedItemId}`)

/** Unmerging returns the comment to the merged item, so a change needs access to the product of that item too. */
const createMergedItemGuard = (commentId: SQL) =>
  guard<Values>(
    'insufficient_scope:This comment belongs to a merged item of another product, and returns to that item. This API key does not cover the other product. Use a key that covers both products.',
    sql`${caller.products} IS NOT NULL AND EXISTS (SELECT 1
      FROM ${feedbackMergedComments} CROSS JOIN ${feedbackItems} s ON s.id = ${feedbackMergedComments.feedbackId}
      WHERE ${feedbackMergedComments.subscriptionId} = ${caller.subscription}
        AND ${feedbackMergedComments.commentId} = ${commentId} AND NOT ${coversProduct(sql`s.product_id`)})`,
  )
const keyExcludesMergedItem = createMergedItemGuard(sql`${param('commentId')}`)

/** People that a public comment of the team answers: the author of the item, unless anonymous, and of the comment replied to. */
const answeredPeople = namedPeople(
  sql`(SELECT json_array(iif(i.is_anonymous IS 1, ${caller.user}, i.user_id),
      coalesce((SELECT p.user_id FROM ${feedbackComments} p WHERE p.id = ${feedbackComments.parentId} AND p.deleted_at IS NULL), ${caller.user}))
    FROM ${feedbackItems} i WHERE i.id = ${feedbackComments.feedbackId})`,
  sql`${feedbackComments.mentions}`,
)
const notifyAnswered = createPeopleNotice({
  kind: 'reply',
  values: { commentId: feedbackComments.id },
  people: answeredPeople,
  from: sql`FROM ${feedbackComments} WHERE ${comment.justInserted} AND ${feedbackComments.isPrivate} = 0
    AND EXISTS (SELECT 1 FROM ${users} u WHERE u.id = ${caller.user} AND u.subscription_id = ${caller.subscription} AND u.role <> 'idm_member')`,
})

const options = {
  table: feedbackComments,
  commented: feedback,
  commentedIdName: 'feedbackId',
  fields: commentFields,
} as const

export const commentQueries = {
  ...createCommentQueries('comment', {
    ...options,
    parameter: 'commentId',
    noticeIdName: 'commentId',
    listParent: standingFeedback,
    // Only public comments subscribe the author to status mails.
    onAdd: (key, { isPrivate }) => ({
      guards: [itemRejected(key)],
      statements: isPrivate ? [] : [subscribeCommenter(key), notifyAnswered({})],
    }),
    onReply: (key, { isPrivate }) => ({
      guards: [commentedItemRejected(key)],
      statements: isPrivate ? [] : [subscribeReplier(key), notifyAnswered({})],
    }),
    changeGuards: (key) => [keyExcludesMergedItem(key)],
  }),
  upsert: createCommentUpsert('comment', {
    ...options,
    more: (commentId) => {
      const keyExcludesItem = createMergedItemGuard(commentId)
      const isPublic = sql`EXISTS (SELECT 1 FROM ${feedbackComments} WHERE ${feedbackComments.id} = ${commentId}
        AND +${feedbackComments.subscriptionId} = ${caller.subscription} AND ${feedbackComments.isPrivate} = 0)`
      const subscribeAuthor = createSubscribeStatement(feedback.id, idOfPersonOrCaller, 'comment', isPublic)
      return (key, { hasAuthor }) => ({
        guards: [itemRejected(key), keyExcludesItem(key)],
        statements: hasAuthor ? [subscribeAuthor(key)] : [],
      })
    },
  }),
}

const { joins, person } = commentDeclarationOf(feedbackComments)
const commentOfWorkspace = record('comment', {
  table: feedbackComments,
  scope: 'workspace',
  key: {},
  joins,
  person,
  listsDeleted: isTombstone(feedbackComments),
  fields: commentFields,
})

export const listAllComments = makeListReader(commentOfWorkspace, ListAllComments, {
  sorts: { createdAt: feedbackComments.createdAt },
  filters: {
    feedback: itemOfKeyFilter(feedbackComments.feedbackId),
    userId: namesRecord('user', unindexed(equals(feedbackComments.userId))),
  },
  shownIf: sql`${itemIsShown(feedbackComments.feedbackId)} AND ${commentIsShownToCaller(feedbackComments)}`,
}).page
