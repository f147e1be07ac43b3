import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { type Guard, guard } from '../../../db/client/refuse'
import { updateStatement } from '../../../db/records/change'
import { type ExternalIdKey, hasInserted, makeUpsertParts } from '../../../db/records/external-id'
import { bindPerson, createBehalfStatements, idOfPersonOrCaller } from '../../../db/records/members'
import { type Key, type KeyColumns, type RecordOf, type RecordReply, record } from '../../../db/records/record'
import type { Shape, ShownData } from '../../../db/sql/field'
import { columnOf } from '../../../db/sql/record-scope'
import { insertReturningStatement } from '../../../db/sql/returning'
import { caller, directlyAfter, insertInto, param, type Statement, type Values } from '../../../db/sql/statement'
import { emitUnknownMember } from '../../../people/members/statements'
import type { ResourceName } from '../../../resources'
import { type CommentTable, commentDeclarationOf, type commentFieldsOf } from '../fields'
import { createPrivacyStatements, isBelowPrivate } from '../privacy/statements'
import type { SanitizedComment } from '../sanitize'
import type { UpsertComment } from '../schema'

type CommentBodyFields = Pick<ReturnType<typeof commentFieldsOf>, 'text' | 'isPrivate'>

interface CommentUpsertOptions<H extends KeyColumns, F extends Shape> {
  table: CommentTable
  commented: RecordOf<ResourceName, H, Shape, Shape>
  commentedIdName: 'workItemId' | 'feedbackId'
  fields: F
  /** `id`: the id of the comment, null for a new comment. `hasAuthor`: the request names the author. */
  more?(id: SQL): (key: Values, comment: { hasAuthor: boolean }) => { guards: Guard[]; statements: Statement<never>[] }
}

const ChangedComment = z.object({ text: z.string(), isPrivate: z.boolean().optional() })

const REMOVED_REASON = 'conflict:The comment was removed. Restore the comment first.'

/** Creates or modifies the comment with an id in another system, among the comments of one record. */
export function createCommentUpsert<
  R extends 'comment' | 'work_item_comment',
  H extends KeyColumns,
  F extends Shape & CommentBodyFields,
>(
  resource: R,
  { table, commented, commentedIdName, fields, more }: CommentUpsertOptions<H, F>,
): (
  db: Database,
  key: Key<H> & ExternalIdKey,
  comment: SanitizedComment<z.output<typeof UpsertComment>>,
) => Promise<RecordReply<ShownData<F>> & { isNew: boolean }> {
  const commentedIdColumn = columnOf(getTableColumns(table), commentedIdName)
  const setIsPrivate = (value: SQL) =>
    sql`max(${value}, ${isBelowPrivate(table, commentedIdColumn, sql`${table.parentId}`, sql`${commentedIdColumn}`)})`
  const ownFields: F = { ...fields, isPrivate: { ...fields.isPrivate, setSql: setIsPrivate } }
  const comment = record(resource, {
    ...commentDeclarationOf(table),
    discriminator: sql``,
    table,
    fields: ownFields,
    scope: { parent: commented, by: commentedIdColumn },
    key: { source: table.source, externalId: table.externalId },
  })
  const bodyRecord: RecordOf<R, KeyColumns, CommentBodyFields, Record<never, never>> = comment
  const changePrivacy = createPrivacyStatements(comment, { table, commentedIdColumn, id: comment.id })
  const parts = makeUpsertParts(comment)
  const behalfOfAuthor = createBehalfStatements('/author/email', {
    emitCreated: emitUnknownMember,
    when: parts.isMissing,
  })
  const removed = guard<Values>(
    REMOVED_REASON,
    sql`${parts.isMissing} AND EXISTS (SELECT 1 FROM ${table} WHERE ${comment.deletedByKey})`,
  )
  const updateComment = updateStatement(bodyRecord, ChangedComment)
  const fromParent = selectFromParent(table, commentedIdColumn, commented.id)
  // A reply to a private comment that was removed stands alone, and stays private. Without the plus, SQLite walks the
  // comments in the order of privacy.
  const parentIsPrivate = sql`(SELECT max(+c.is_private) ${fromParent})`
  const insertComment = insertReturningStatement(
    insertInto(
      table,
      {
        subscriptionId: caller.subscription,
        [commentedIdName]: commented.id,
        parentId: sql`(SELECT c.id ${fromParent} AND c.deleted_at IS NULL LIMIT 1)`,
        userId: idOfPersonOrCaller,
        text: param('text'),
        isPrivate: sql`max(${param('isPrivate')}, coalesce(${parentIsPrivate}, 0))`,
        source: param('source'),
        externalId: param('externalId'),
        createdAt: sql`min(coalesce(${param('createdAt')}, ${caller.now}), ${caller.now})`,
        updatedAt: caller.now,
      },
      parts.whereMissing,
    ),
    parts.returningId,
  )
  const emitCreated = parts.emitCreated()
  const addMore = more?.(comment.id)
  return async (db, key, { body, references }) => {
    const { text, isPrivate, author, parentExternalId = null, createdAt = null } = body
    const person = author?.email === undefined ? undefined : { ...author, email: author.email }
    const values = { ...key, ...bindPerson(person), text, isPrivate: isPrivate ?? false, parentExternalId, createdAt }
    const insertion = insertComment(values)
    const { guards = [], statements: added = [] } = addMore?.(values, { hasAuthor: person !== undefined }) ?? {}
    const privacy = changePrivacy(values, isPrivate)
    const statements: Statement[] = [
      ...privacy.before,
      ...updateComment(values, { text, isPrivate }),
      ...privacy.after,
      ...behalfOfAuthor.insertUnknown(person, { ...key, unseen: false }),
      insertion,
      directlyAfter(insertion, emitCreated(values)),
      ...added,
    ]
    const { rows, results } = await db.write({
      guards: [
        ...commented.writeGuards(key),
        removed(key),
        ...behalfOfAuthor.guards(person, key),
        ...guards,
        ...privacy.guards,
      ],
      references,
      growth: parts.growth,
      statements,
      returning: comment.returningByKey(key),
    })
    return { ...comment.toReply(rows), isNew: hasInserted(results, statements, insertion) }
  }
}

/** The comment that a new comment replies to, removed or not. */
const selectFromParent = (table: CommentTable, commentedIdColumn: SQLiteColumn, commentedId: SQL) =>
  sql`FROM ${table} c WHERE c.subscription_id = ${caller.subscription}
    AND c.${sql.identifier(commentedIdColumn.name)} = ${commentedId} AND c.source = ${param('source')}
    AND c.external_id = ${param('parentExternalId')}`
