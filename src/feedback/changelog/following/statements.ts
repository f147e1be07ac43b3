import { type SQL, sql } from 'drizzle-orm'
import { changelogFollowers } from '../../../db/schema/changelog'
import { eventSql } from '../../../db/sql/events'
import { caller, insertInto, type Statement, statements, type Values } from '../../../db/sql/statement'

export const personFollowsChangelog = (person: SQL) => sql`EXISTS (SELECT 1 FROM ${changelogFollowers} f
  WHERE f.subscription_id = ${caller.subscription} AND f.user_id = ${person} AND f.left_at IS NULL)`

/** For a person of the query `person`, which gives an `id`. Nothing changes for a person in the wanted state. */
export function createFollowChange(wanted: 'follow' | 'leave', person: SQL): (values: Values) => Statement<never>[] {
  const follows = personFollowsChangelog(sql`person.id`)
  const fromPerson = sql`FROM (${person}) person WHERE person.id IS NOT NULL AND ${wanted === 'follow' ? sql`NOT ${follows}` : follows}`
  return statements([
    eventSql({
      type: wanted === 'follow' ? 'member.changelog_followed' : 'member.changelog_left',
      key: sql`CAST(person.id AS TEXT)`,
      person: sql`person.id`,
      data: sql`json_object('id', person.id)`,
      from: fromPerson,
    }),
    wanted === 'follow'
      ? sql`${insertInto(
          changelogFollowers,
          { subscriptionId: caller.subscription, userId: sql`person.id`, createdAt: caller.now },
          fromPerson,
        )} ON CONFLICT DO UPDATE SET left_at = NULL, created_at = excluded.created_at`
      : sql`UPDATE ${changelogFollowers} SET left_at = ${caller.now} WHERE ${changelogFollowers.subscriptionId} = ${caller.subscription}
          AND ${changelogFollowers.userId} = (SELECT person.id ${fromPerson})`,
  ])
}
