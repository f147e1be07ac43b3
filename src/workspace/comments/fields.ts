import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { computed, type Field, flag, json, longText, moment, personal, plain } from '../../db/field'
import type { feedbackComments } from '../../db/schema/feedback'
import { users } from '../../db/schema/tenancy'
import type { workItemComments } from '../../db/schema/work-items'
import { caller, param } from '../../db/statement'

/** A table of comments. */
export type Comments = typeof feedbackComments | typeof workItemComments

const empty = (value: SQL) => sql`coalesce(${value}, '')`

/** The log does not hold what a private one says. */
const said = (t: Comments): Field<string, string, string> => {
  const field = longText(t.text)
  return { ...field, json: () => sql`CASE WHEN ${t.isPrivate} THEN '' ELSE ${field.json()} END` }
}

const removed = (t: Comments): Field<number, boolean, never> => ({
  sql: sql`${t.deletedAt} IS NOT NULL`,
  show: (stored) => stored === 1,
  // What the log tells of is there, or was.
  json: () => sql`json('false')`,
})

/** What every comment shows, besides what it is on. */
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

/** What the records of comments have in common. */
export const declaredOf = (t: Comments) => ({
  joins: sql`LEFT JOIN ${users} ON ${users.id} = ${t.userId} AND ${users.subscriptionId} = ${t.subscriptionId}
    AND ${users.deletedAt} IS NULL`,
  person: t.userId,
  only: sql`AND (${t.isPrivate} = 0 OR ${t.userId} = ${caller.user} OR ${readsWorkspace})`,
})

/** Removed ones that keep their place. */
export const staysOf = (t: Comments) => sql`${t.tombstone} > 0`

/** What a column holds of the comment that the path names by a parameter. */
export const answered = (t: Comments, parameter: string, column: SQLiteColumn) =>
  sql`(SELECT c.${sql.identifier(column.name)} FROM ${t} c
    WHERE c.id = ${param(parameter)} AND c.subscription_id = ${caller.subscription})`
