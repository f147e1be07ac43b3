import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { feedbackComments } from '../../db/schema/feedback'
import { users } from '../../db/schema/tenancy'
import type { workItemComments } from '../../db/schema/work-items'
import {
  computedLongList,
  computedValue,
  type Field,
  flag,
  json,
  longText,
  moment,
  momentJson,
  personalField,
  plainField,
} from '../../db/sql/field'
import { caller, inline, param } from '../../db/sql/statement'
import type { ExportedComment } from './schema'

export type CommentTable = typeof feedbackComments | typeof workItemComments

const emptyTextIfNull = (value: SQL) => sql`coalesce(${value}, '')`

/** Events omit the text of a private comment. */
const commentTextField = (t: CommentTable): Field<string, string, string> => {
  const field = longText(t.text)
  return { ...field, json: () => sql`CASE WHEN ${t.isPrivate} THEN '' ELSE ${field.json()} END` }
}

const commentDeletedField = (t: CommentTable): Field<number, boolean, never> => ({
  sql: sql`${t.deletedAt} IS NOT NULL`,
  show: (stored) => stored === 1,
  // An event never describes a removed comment: a removal's event contains the comment before the removal.
  json: () => sql`json('false')`,
})

export const commentFieldsOf = (t: CommentTable) => ({
  parentId: t.parentId,
  text: commentTextField(t),
  isPrivate: flag(t.isPrivate),
  mentions: json<number[]>(t.mentions),
  user: {
    id: plainField(t.userId),
    firstName: personalField(computedValue<string>(emptyTextIfNull(sql`${users.firstName}`)), 'firstName'),
    lastName: personalField(computedValue<string>(emptyTextIfNull(sql`${users.lastName}`)), 'lastName'),
  },
  createdAt: moment(t.createdAt),
  updatedAt: moment(t.updatedAt),
  deleted: commentDeletedField(t),
  source: t.source,
  externalId: t.externalId,
})

export const callerReadsWorkspace = sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value IN ('*', 'products:read'))`

export const commentIsShownToCaller = (t: CommentTable) =>
  sql`(${t.isPrivate} = 0 OR ${t.userId} = ${caller.user} OR ${callerReadsWorkspace})`

const maxExportedCommentBytes = inline(500_000)

// Removed users are not joined: an export does not name removed users.
export const joinLiveUser = (
  id: SQL,
) => sql`LEFT JOIN ${users} u ON u.id = ${id} AND u.subscription_id = ${caller.subscription}
  AND u.deleted_at IS NULL`

/** Comments of the record that meets `isOfRecord`, oldest first. A removed comment with replies keeps its place. */
export const createExportedCommentsField = (t: CommentTable, isOfRecord: SQL) =>
  computedLongList<ExportedComment>(sql`(SELECT json_group_array(json_object('id', id, 'parentId', parent, 'email', email,
    'text', said, 'isPrivate', json(iif(hidden, 'true', 'false')), 'createdAt', ${momentJson(sql`at`)},
    'deleted', json(iif(removed, 'true', 'false')), 'source', source, 'externalId', external_id)) FROM (
  SELECT *, sum(octet_length(said)) OVER (ROWS UNBOUNDED PRECEDING) AS upto FROM (
    SELECT ${t.id} AS id, ${t.parentId} AS parent, iif(${t.deletedAt} IS NULL, coalesce(u.email, ''), '') AS email,
      ${t.text} AS said, ${t.isPrivate} AS hidden, ${t.createdAt} AS at, ${t.deletedAt} IS NOT NULL AS removed,
      ${t.source} AS source, ${t.externalId} AS external_id
    FROM ${t} ${joinLiveUser(sql`${t.userId}`)}
    WHERE ${t.subscriptionId} = ${caller.subscription} AND ${isOfRecord} AND (${t.deletedAt} IS NULL OR ${t.tombstone} > 0) AND ${commentIsShownToCaller(t)}
    ORDER BY ${t.createdAt}, ${t.id})) WHERE upto <= ${maxExportedCommentBytes})`)

/** Whether the export leaves out the newest comments. */
export const exportedCommentsAreCut = (t: CommentTable, isOfRecord: SQL) =>
  sql`coalesce((SELECT sum(octet_length(${t.text})) FROM ${t} WHERE ${t.subscriptionId} = ${caller.subscription} AND ${isOfRecord}
    AND (${t.deletedAt} IS NULL OR ${t.tombstone} > 0) AND ${commentIsShownToCaller(t)}), 0) > ${maxExportedCommentBytes}`

export const commentDeclarationOf = (t: CommentTable) => ({
  joins: sql`LEFT JOIN ${users} ON ${users.id} = ${t.userId} AND ${users.subscriptionId} = ${t.subscriptionId}
    AND ${users.deletedAt} IS NULL`,
  person: t.userId,
  discriminator: sql`AND ${commentIsShownToCaller(t)}`,
})

export const isTombstone = (t: CommentTable) => sql`${t.tombstone} > 0`

export const valueOfComment = (t: CommentTable, parameter: string, column: SQLiteColumn) =>
  sql`(SELECT c.${sql.identifier(column.name)} FROM ${t} c
    WHERE c.id = ${param(parameter)} AND c.subscription_id = ${caller.subscription})`
