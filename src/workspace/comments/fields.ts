import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { computed, type Field, flag, json, longText, moment, personal, plain } from '../../db/field'
import type { feedbackComments } from '../../db/schema/feedback'
import { users } from '../../db/schema/tenancy'
import type { workItemComments } from '../../db/schema/work-items'
import { caller, param } from '../../db/statement'

export type Comments = typeof feedbackComments | typeof workItemComments

const empty = (value: SQL) => sql`coalesce(${value}, '')`

/** Events omit the text of a private comment. */
const said = (t: Comments): Field<string, string, string> => {
  const field = longText(t.text)
  return { ...field, json: () => sql`CASE WHEN ${t.isPrivate} THEN '' ELSE ${field.json()} END` }
}

const removed = (t: Comments): Field<number, boolean, never> => ({
  sql: sql`${t.deletedAt} IS NOT NULL`,
  show: (stored) => stored === 1,
  // An event never describes a removed comment: a removal's event contains the comment before the removal.
  json: () => sql`json('false')`,
})

export const fieldsOf = (t: Comments) => ({
  parentId: t.parentId,
  text: said(t),
  isPrivate: flag(t.isPrivate),
  mentions: json<number[]>(t.mentions),
  user: {
    id: plain(t.userId),
    firstName: personal(computed<string>(empty(sql`${users.firstName}`)), 'firstName'),
    lastName: personal(computed<string>(empty(sql`${users.lastName}`)), 'lastName'),
  },
  createdAt: moment(t.createdAt),
  updatedAt: moment(t.updatedAt),
  deleted: removed(t),
})

const readsWorkspace = sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value IN ('*', 'products:read'))`

/** Private comments are for their author and for keys that read the workspace. */
export const isShownToCaller = (t: Comments) =>
  sql`(${t.isPrivate} = 0 OR ${t.userId} = ${caller.user} OR ${readsWorkspace})`

export const declaredOf = (t: Comments) => ({
  joins: sql`LEFT JOIN ${users} ON ${users.id} = ${t.userId} AND ${users.subscriptionId} = ${t.subscriptionId}
    AND ${users.deletedAt} IS NULL`,
  person: t.userId,
  only: sql`AND ${isShownToCaller(t)}`,
})

/** Tombstones stay in lists. */
export const staysOf = (t: Comments) => sql`${t.tombstone} > 0`

export const answered = (t: Comments, parameter: string, column: SQLiteColumn) =>
  sql`(SELECT c.${sql.identifier(column.name)} FROM ${t} c
    WHERE c.id = ${param(parameter)} AND c.subscription_id = ${caller.subscription})`
