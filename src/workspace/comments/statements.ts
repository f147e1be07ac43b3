import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { computed, type Field, flag, json, longText, moment, personal, plain } from '../../db/field'
import type { feedbackComments } from '../../db/schema/feedback'
import { users } from '../../db/schema/tenancy'
import type { workItemComments } from '../../db/schema/work-items'
import { caller, param, statement, type Values } from '../../db/statement'

type Comments = typeof feedbackComments | typeof workItemComments

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

/** What every comment shows, besides what it is on; `holder`: the column that names that. */
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

/**
 * What a removal and a restoration do besides: one that something answers keeps its place, without its text; where one
 * comes back that answers something removed, so does that place. `key` is the parameter that names the comment,
 * `holder` the column that names what it is on.
 */
export function tombstones(t: Comments, key: string, holder: SQLiteColumn) {
  const tenant = sql`${t.subscriptionId} = ${caller.subscription}`
  const buried = sql`tombstone = 1, removed_text = ${t.text}, text = ''`
  const bury = statement<never, Values>(sql`UPDATE ${t} SET ${buried}
    WHERE ${t.id} = ${param(key)} AND ${tenant} AND ${t.deletedAt} = ${caller.now} AND ${t.tombstone} = 0
      AND EXISTS (SELECT 1 FROM ${t} r WHERE r.subscription_id = ${caller.subscription} AND r.parent_id = ${t.id}
        AND r.${sql.identifier(holder.name)} = ${holder}
        AND (r.deleted_at IS NULL OR r.tombstone > 0))`)
  const revive = statement<
    never,
    Values
  >(sql`UPDATE ${t} SET tombstone = 0, text = ${t.removedText}, removed_text = NULL
    WHERE ${t.id} = ${param(key)} AND ${tenant} AND ${t.deletedAt} IS NOT NULL AND ${t.tombstone} = 1`)
  const above = sql`WITH RECURSIVE above (id) AS (
    SELECT c.parent_id FROM ${t} c WHERE c.id = ${param(key)} AND c.subscription_id = ${caller.subscription}
    UNION SELECT c.parent_id FROM above CROSS JOIN ${t} c ON c.id = above.id AND c.subscription_id = ${caller.subscription})
    SELECT id FROM above`
  const raise = statement<never, Values>(sql`UPDATE ${t} SET ${buried}
    WHERE ${t.id} IN (${above}) AND +${tenant} AND ${t.deletedAt} IS NOT NULL AND ${t.tombstone} = 0`)
  return {
    /** Behind the removal. */
    buries: (values: Values) => [bury(values)],
    /** Before the restoration, whose event is to hold the text. */
    revives: (values: Values) => [revive(values), raise(values)],
  }
}
