import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { type Guard, guard } from '../../db/client/refuse'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { type AnyRecord, type Key, type KeyColumns, type RecordOf, record } from '../../db/records/record'
import type { Shape } from '../../db/sql/field'
import { columnOf } from '../../db/sql/record-scope'
import { caller, inline, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { createPeopleNotice, namedPeople } from '../../people/notices/statements'
import type { ResourceName } from '../../resources'
import { type CommentTable, commentDeclarationOf, type commentFieldsOf, isTombstone, valueOfComment } from './fields'
import { createPrivacyStatements } from './privacy/statements'
import type { SanitizedComment } from './sanitize'
import { AddComment, ListComments, ModifyComment, ReplyToComment } from './schema'

type CommentBodyFields = Pick<ReturnType<typeof commentFieldsOf>, 'text' | 'isPrivate' | 'mentions'>

interface GuardsAndStatements {
  guards: Guard[]
  statements: Statement<never>[]
}

interface CommentQueriesOptions<N extends string, H extends KeyColumns, F extends Shape> {
  table: CommentTable
  parameter: N
  commented: RecordOf<ResourceName, H, Shape, Shape>
  commentedIdName: 'workItemId' | 'feedbackId'
  /** Column of a notice with the id of the comment. */
  noticeIdName: 'commentId' | 'itemCommentId'
  listParent?: AnyRecord
  fields: F
  onAdd?(key: Key<H>, body: z.output<typeof AddComment>): GuardsAndStatements
  onReply?(key: Values, body: z.output<typeof ReplyToComment>): GuardsAndStatements
  changeGuards?(key: Values): Guard[]
}

export function createCommentQueries<
  R extends 'comment' | 'work_item_comment',
  N extends string,
  H extends KeyColumns,
  F extends Shape & CommentBodyFields,
>(
  resource: R,
  {
    table,
    parameter,
    commented,
    commentedIdName,
    noticeIdName,
    listParent = commented,
    fields,
    onAdd,
    onReply,
    changeGuards = () => [],
  }: CommentQueriesOptions<N, H, F>,
) {
  type CommentKey = { readonly [P in N]: number }
  const commentedIdColumn = columnOf(getTableColumns(table), commentedIdName)
  const declaration = { ...commentDeclarationOf(table), table, fields }
  const thread = record(resource, {
    ...declaration,
    scope: { parent: listParent, by: commentedIdColumn },
    key: {},
    // The index of changes needs the condition, which keeps the index from statements about a single comment.
    discriminator: sql`${declaration.discriminator} AND ${table.version} > 0`,
    listsDeleted: isTombstone(table),
  })
  const comment = record(resource, {
    ...declaration,
    scope: { below: commented, by: commentedIdColumn },
    key: { [parameter]: table.id },
  })
  const bodyRecord: RecordOf<R, KeyColumns, CommentBodyFields, Record<never, never>> = comment
  const insertComment = insertStatement(bodyRecord, AddComment, {
    values: { [commentedIdName]: commented.id, userId: caller.user },
  })
  const insertReply = insertStatement(bodyRecord, ReplyToComment, {
    values: {
      [commentedIdName]: valueOfComment(table, parameter, commentedIdColumn),
      parentId: param(parameter),
      isPrivate: valueOfComment(table, parameter, table.isPrivate),
      userId: caller.user,
    },
  })
  const repliesArePrivate = guard<Values>(
    'validation_failed:/isPrivate:This comment is private, so replies to it are private. Leave out isPrivate, or make the comment public first.',
    sql`${valueOfComment(table, parameter, table.isPrivate)} = 1`,
  )
  const emitCreated = comment.emit('created')
  const mention = (people: SQL, where: SQL) =>
    createPeopleNotice({
      kind: 'mention',
      values: { [noticeIdName]: table.id },
      people,
      from: sql`FROM ${table} WHERE ${where}`,
    })
  const mentionPeople = mention(namedPeople(sql`${table.mentions}`, inline('[]')), comment.justInserted)
  const mentionFurtherPeople = mention(namedPeople(sql`${param('named')}`, sql`${table.mentions}`), comment.byKey)
  const listMentions = ({ mentions = [] }: { mentions?: readonly number[] | undefined }) =>
    mentions.length ? [mentionPeople({})] : []
  const updateComment = updateStatement(bodyRecord, ModifyComment)
  const changePrivacy = createPrivacyStatements(comment, { table, commentedIdColumn, id: sql`${param(parameter)}` })
  const { removal, restoration } = makeLifecycle(comment)
  const { afterRemoval, beforeRestore } = createTombstoneStatements(table, parameter, commentedIdColumn)
  return {
    list: makeListReader(thread, ListComments, { sorts: { createdAt: table.createdAt } }).page,
    add(db: Database, key: Key<H>, { body, references }: SanitizedComment<z.output<typeof AddComment>>) {
      const { guards = [], statements = [] } = onAdd?.(key, body) ?? {}
      return comment.save(db, {
        guards: [...commented.writeGuards(key), ...guards],
        references,
        statements: [insertComment(body, key), emitCreated({}), ...listMentions(body), ...statements],
        returning: comment.inserted(),
      })
    },
    reply(db: Database, key: CommentKey, { body, references }: SanitizedComment<z.output<typeof ReplyToComment>>) {
      const { guards = [], statements = [] } = onReply?.(key, body) ?? {}
      return comment.save(db, {
        guards: [...comment.writeGuards(key), ...(body.isPrivate === false ? [repliesArePrivate(key)] : []), ...guards],
        references,
        statements: [insertReply(body, key), emitCreated({}), ...listMentions(body), ...statements],
        returning: comment.inserted(),
      })
    },
    get: (db: Database, key: CommentKey) => comment.get(db, key),
    modify: (
      db: Database,
      key: CommentKey,
      { body, references }: SanitizedComment<z.output<typeof ModifyComment>>,
      ifMatch: string | null,
    ) => {
      const { guards, personGuards, before, after } = changePrivacy(key, body.isPrivate)
      return comment.save(db, {
        guards: [...comment.writeGuards(key, ifMatch), ...changeGuards(key), ...personGuards, ...guards],
        references,
        // Compares with the mentions before the change.
        statements: [
          ...before,
          ...(body.mentions?.length ? [mentionFurtherPeople({ ...key, named: JSON.stringify(body.mentions) })] : []),
          ...updateComment(key, body),
          ...after,
        ],
        returning: comment.returningByKey(key),
      })
    },
    remove(db: Database, key: CommentKey, ifMatch: string | null) {
      const { guards, statements, ...rest } = removal(key, ifMatch)
      return db.write({
        ...rest,
        guards: [...guards, ...changeGuards(key)],
        statements: [...statements, ...afterRemoval(key)],
      })
    },
    restore(db: Database, key: CommentKey) {
      const { guards, statements, ...rest } = restoration(key)
      return comment.save(db, {
        ...rest,
        guards: [...guards, ...changeGuards(key)],
        statements: [...beforeRestore(key), ...statements],
      })
    },
  }
}

/** A removed comment with replies becomes a tombstone. A restored reply turns removed ancestors into tombstones. */
function createTombstoneStatements(t: CommentTable, key: string, commentedIdColumn: SQLiteColumn) {
  const tenant = sql`${t.subscriptionId} = ${caller.subscription}`
  const tombstoneValues = sql`tombstone = 1, removed_text = ${t.text}, text = ''`
  const buryComment = statement<never, Values>(sql`UPDATE ${t} SET ${tombstoneValues}
    WHERE ${t.id} = ${param(key)} AND ${tenant} AND ${t.deletedAt} = ${caller.now} AND ${t.tombstone} = 0
      AND EXISTS (SELECT 1 FROM ${t} r WHERE r.subscription_id = ${caller.subscription} AND r.parent_id = ${t.id}
        AND +r.${sql.identifier(commentedIdColumn.name)} = ${commentedIdColumn}
        AND (r.deleted_at IS NULL OR r.tombstone > 0))`)
  const reviveComment = statement<
    never,
    Values
  >(sql`UPDATE ${t} SET tombstone = 0, text = ${t.removedText}, removed_text = NULL
    WHERE ${t.id} = ${param(key)} AND ${tenant} AND ${t.deletedAt} IS NOT NULL AND ${t.tombstone} = 1`)
  const ancestorIds = sql`WITH RECURSIVE above (id) AS (
    SELECT c.parent_id FROM ${t} c WHERE c.id = ${param(key)} AND c.subscription_id = ${caller.subscription}
    UNION SELECT c.parent_id FROM above CROSS JOIN ${t} c ON c.id = above.id AND c.subscription_id = ${caller.subscription}
      AND c.${sql.identifier(commentedIdColumn.name)} = ${valueOfComment(t, key, commentedIdColumn)})
    SELECT id FROM above`
  const buryAncestors = statement<never, Values>(sql`UPDATE ${t} SET ${tombstoneValues}
    WHERE ${t.id} IN (${ancestorIds}) AND +${tenant} AND +${commentedIdColumn} = ${valueOfComment(t, key, commentedIdColumn)} AND ${t.deletedAt} IS NOT NULL AND ${t.tombstone} = 0`)
  return {
    /** Runs after the removal, because the statement finds the comment by the removal time. */
    afterRemoval: (values: Values) => [buryComment(values)],
    /** Runs before the restore, because the event contains the text. */
    beforeRestore: (values: Values) => [reviveComment(values), buryAncestors(values)],
  }
}
