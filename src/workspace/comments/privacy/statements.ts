import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Guard, guard } from '../../../db/client/refuse'
import { updateWhere } from '../../../db/records/change'
import type { KeyColumns, RecordOf } from '../../../db/records/record'
import { notices } from '../../../db/schema/notices'
import type { Shape } from '../../../db/sql/field'
import { caller, inline, type Statement, statement, type Values } from '../../../db/sql/statement'
import { takeBackNoticesOfComments } from '../../../people/notices/statements'
import { type CommentTable, callerReadsWorkspace, type commentFieldsOf } from '../fields'

type PrivacyField = Pick<ReturnType<typeof commentFieldsOf>, 'isPrivate'>

/** The batch changes a reply, and appends an event, for each. */
const MAX_REPLIES_PER_CHANGE = 1_000

interface PrivacyOptions {
  table: CommentTable
  /** Column of the table with the id of the record that the comments are on. */
  commentedIdColumn: SQLiteColumn
  /** Id of the comment. */
  id: SQL
}

export interface PrivacyChange {
  guards: Guard[]
  /** For a person; a sync hides comments that it cannot read, and cannot know the comment above. */
  personGuards: Guard[]
  /** Before the change of the comment. */
  before: Statement<never>[]
  /** After the change of the comment. */
  after: Statement<never>[]
}

const NO_CHANGE: PrivacyChange = { guards: [], personGuards: [], before: [], after: [] }

/**
 * Comments below a private comment are private. A comment that becomes private takes the replies below along, and the
 * notices for people outside the team back; a comment that becomes public mails nobody.
 */
export function createPrivacyStatements<R extends 'comment' | 'work_item_comment', F extends Shape & PrivacyField>(
  record: RecordOf<R, KeyColumns, F, Record<never, never>>,
  { table, commentedIdColumn, id }: PrivacyOptions,
): (values: Values, isPrivate: boolean | undefined) => PrivacyChange {
  const t = table
  const commentedId = sql.identifier(commentedIdColumn.name)
  const isOfTenant = (alias: string) => sql`${sql.raw(alias)}.subscription_id = ${caller.subscription}`
  const fromComment = sql`FROM ${t} c WHERE c.id = ${id} AND +${isOfTenant('c')}`
  const selectThread = sql`WITH RECURSIVE below (id) AS (
    SELECT c.id ${fromComment}
    UNION SELECT answer.id FROM below CROSS JOIN ${t} answer ON ${isOfTenant('answer')} AND answer.parent_id = below.id
      AND +answer.${commentedId} = (SELECT c.${commentedId} ${fromComment})
    LIMIT ${inline(MAX_REPLIES_PER_CHANGE + 2)}) SELECT id FROM below`
  const tooManyReplies = guard<Values>(
    `conflict:More than ${MAX_REPLIES_PER_CHANGE} comments reply to this comment. Make replies private first, and then this comment.`,
    sql`(SELECT c.is_private ${fromComment}) = 0 AND (SELECT count(*) FROM (${selectThread})) > ${inline(MAX_REPLIES_PER_CHANGE + 1)}`,
  )
  const commentIsOfOthers = guard<Values>(
    'insufficient_scope:This key could not read the comment any more. To make a comment of somebody else private, use a key with products:read.',
    sql`(SELECT c.is_private = 0 AND c.user_id <> ${caller.user} ${fromComment}) AND NOT ${callerReadsWorkspace}`,
  )
  const parentIsPrivate = guard<Values>(
    'validation_failed:/isPrivate:This comment replies to a private comment, so it is private. Make the other comment public first.',
    sql`(SELECT c.is_private ${fromComment}) = 1 AND ${isBelowPrivate(t, commentedIdColumn, sql`(SELECT c.parent_id ${fromComment})`, sql`(SELECT c.${commentedId} ${fromComment})`)}`,
  )
  const noticeColumn = commentedIdColumn.name === 'feedback_id' ? notices.commentId : notices.itemCommentId
  const takeBackOfThread = takeBackNoticesOfComments(
    noticeColumn,
    sql`SELECT id FROM (${selectThread}) WHERE (SELECT c.is_private ${fromComment}) = 0`,
  )
  const takeBackOfComment = takeBackNoticesOfComments(
    noticeColumn,
    sql`SELECT c.id ${fromComment} AND c.is_private = 1`,
  )
  const isPublicReply = sql`${t.id} IN (${selectThread}) AND +${t.subscriptionId} = ${caller.subscription}
    AND ${t.isPrivate} = 0 AND (SELECT c.is_private ${fromComment}) = 1`
  const hideReplies = updateWhere(record, sql`${isPublicReply} AND ${t.deletedAt} IS NULL`, { isPrivate: sql`1` } as {
    readonly [N in keyof F]?: SQL
  })
  // The event of a removal contained the comment, and a restore contains the comment as it is then.
  const hideRemovedReplies = statement<never, Values>(sql`UPDATE ${t} SET is_private = 1, version = version + 1,
      updated_at = ${caller.now} WHERE ${isPublicReply}`)
  return (values, isPrivate) => {
    if (isPrivate === undefined) return NO_CHANGE
    return isPrivate
      ? {
          guards: [tooManyReplies(values)],
          personGuards: [commentIsOfOthers(values)],
          before: [takeBackOfThread(values)],
          after: [...hideReplies(values), hideRemovedReplies(values)],
        }
      : {
          ...{ guards: [], personGuards: [parentIsPrivate(values)] },
          ...{ before: [takeBackOfComment(values)], after: [] },
        }
  }
}

/** Whether the comment `parent`, on the same record, is private. */
export const isBelowPrivate = (t: CommentTable, commentedIdColumn: SQLiteColumn, parent: SQL, commented: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${t} above WHERE above.id = ${parent} AND +above.subscription_id = ${caller.subscription}
    AND +above.${sql.identifier(commentedIdColumn.name)} = ${commented} AND above.is_private = 1)`
