import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { returningDone } from '../../../db/records/lifecycle'
import { bindPerson, createBehalfStatements, idOfPersonOrCaller } from '../../../db/records/members'
import { changelogFollowers } from '../../../db/schema/changelog'
import { caller, type Values } from '../../../db/sql/statement'
import { emitUnknownMember } from '../../../people/members/statements'
import { createFollowChange } from './statements'

const behalfOfFollower = createBehalfStatements('/email', { emitCreated: emitUnknownMember })
const personHasLeft = guard<Values>(
  'conflict:/email: This person no longer follows the changelog. Only a key of this person can follow it again.',
  sql`${idOfPersonOrCaller} <> ${caller.user} AND EXISTS (SELECT 1 FROM ${changelogFollowers}
    WHERE ${changelogFollowers.subscriptionId} = ${caller.subscription} AND ${changelogFollowers.userId} = ${idOfPersonOrCaller}
      AND ${changelogFollowers.leftAt} IS NOT NULL)`,
)

const selectPerson = sql`SELECT CAST(${idOfPersonOrCaller} AS INTEGER) AS id`
const follow = createFollowChange('follow', selectPerson)
const leave = createFollowChange('leave', selectPerson)

export async function followChangelog(db: Database, email?: string) {
  const somebody = email === undefined ? undefined : { email }
  const values = bindPerson(somebody)
  await db.write({
    guards: [...behalfOfFollower.guards(somebody), ...(somebody ? [personHasLeft(values)] : [])],
    statements: [...behalfOfFollower.insertUnknown(somebody, { unseen: false }), ...follow(values)],
    returning: returningDone({}),
  })
  return { subscribed: true }
}

export const leaveChangelog = (db: Database) =>
  db.write({ statements: leave(bindPerson(undefined)), returning: returningDone({}) })
