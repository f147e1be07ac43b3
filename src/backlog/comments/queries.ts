import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { computed } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { type Key, record } from '../../db/record'
import { workItemComments, workItems } from '../../db/schema/work-items'
import { caller, param } from '../../db/statement'
import type { Read } from '../../workspace/comments/read'
import { AddComment, ListComments, ModifyComment, ReplyToComment } from '../../workspace/comments/schema'
import { declaredOf, fieldsOf, staysOf, tombstones } from '../../workspace/comments/statements'
import { type WorkItemKey, workItem } from '../work-items/queries/any'

const key = { itemCommentId: workItemComments.id }
export type ItemCommentKey = Key<typeof key>

const declared = {
  ...declaredOf(workItemComments),
  table: workItemComments,
  fields: {
    id: workItemComments.id,
    workItemKey: computed<string>(
      sql`(SELECT w.external_key FROM ${workItems} w WHERE w.id = ${workItemComments.workItemId})`,
    ),
    ...fieldsOf(workItemComments),
  },
}

/** The comments of the item in the path, those among them that were removed and answered. */
const thread = record('work_item_comment', {
  ...declared,
  within: { parent: workItem, by: workItemComments.workItemId },
  key: {},
  stays: staysOf(workItemComments),
})

const comment = record('work_item_comment', {
  ...declared,
  within: { below: workItem, by: workItemComments.workItemId },
  key,
})

export const listItemComments = list(thread, ListComments, { sorts: { createdAt: workItemComments.createdAt } }).page

const inserted = inserts(thread, AddComment, { values: { workItemId: workItem.id, userId: caller.user } })
const created = thread.event('created')

export const addItemComment = (
  db: Database,
  key: WorkItemKey,
  { body, references }: Read<z.output<typeof AddComment>>,
) =>
  thread.save(db, {
    guards: workItem.writable(key),
    references,
    statements: [inserted(body, key), created(key)],
    answer: thread.created(key),
  })

const answered = (column: string) =>
  sql`(SELECT ${sql.raw(`c.${column}`)} FROM ${workItemComments} c
    WHERE c.id = ${param('itemCommentId')} AND c.subscription_id = ${caller.subscription})`
const replied = inserts(comment, ReplyToComment, {
  values: {
    workItemId: answered('work_item_id'),
    parentId: param('itemCommentId'),
    isPrivate: answered('is_private'),
    userId: caller.user,
  },
})
const replyTold = comment.event('created')

export const replyToItemComment = (
  db: Database,
  key: ItemCommentKey,
  { body, references }: Read<z.output<typeof ReplyToComment>>,
) =>
  comment.save(db, {
    guards: comment.writable(key),
    references,
    statements: [replied(body, key), replyTold({})],
    answer: comment.created(),
  })

export const getItemComment = comment.get

const modified = modifies(comment, ModifyComment)

export const modifyItemComment = (
  db: Database,
  key: ItemCommentKey,
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
const { buries, revives } = tombstones(workItemComments, 'itemCommentId', workItemComments.workItemId)

export function removeItemComment(db: Database, key: ItemCommentKey, ifMatch: string | null) {
  const { statements, ...rest } = removal(key, ifMatch)
  return db.write({ ...rest, statements: [...statements, ...buries(key)] })
}

export function restoreItemComment(db: Database, key: ItemCommentKey) {
  const { statements, ...rest } = restoration(key)
  return comment.save(db, { ...rest, statements: [...revives(key), ...statements] })
}
