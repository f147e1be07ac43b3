import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import type { Reference } from '../../../db/sql/references'
import { caller, insertInto } from '../../../db/sql/statement'
import type { NewMailing } from '../../mail/statements'
import { emitMembershipChanges, namedSegmentIsDynamic } from '../../segments/statements'
import { type PeopleSql, personValue } from '../bulk-items/fields'
import { membershipIsOfUser } from '../fields'
import type { ReadPeople } from '../read'
import { createPeopleWriter } from '../statements'

const fromSegmentsToJoin = sql`json_each(${personValue.segmentIds}) s WHERE NOT EXISTS (SELECT 1 FROM ${segmentMembers}
  WHERE ${membershipIsOfUser} AND ${segmentMembers.segmentId} = s.value)`

const fromJoiningPeople = ({ people, joinByPerson, canChange }: PeopleSql) =>
  sql`FROM ${people} CROSS JOIN ${joinByPerson} CROSS JOIN ${fromSegmentsToJoin} AND ${canChange}`

const emitUsersAdded = (all: PeopleSql) =>
  emitMembershipChanges(
    'segment.users_added',
    sql`SELECT s.value AS segment_id, ${users.id} AS user_id ${fromJoiningPeople(all)}`,
  )

const updateUserCounts = (all: PeopleSql) => sql`UPDATE ${segments} SET
    user_count = user_count + joined.people, version = version + 1, updated_at = ${caller.now}
  FROM (SELECT s.value AS id, count(*) AS people ${fromJoiningPeople(all)} GROUP BY s.value) joined
  WHERE ${segments.id} = joined.id AND ${segments.subscriptionId} = ${caller.subscription}`

const insertMemberships = ({ people, joinByPerson, canChange }: PeopleSql) =>
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: sql`s.value`,
      userId: users.id,
      createdAt: caller.now,
    },
    sql`FROM ${people} CROSS JOIN ${joinByPerson} CROSS JOIN json_each(${personValue.segmentIds}) s
      WHERE ${canChange} ON CONFLICT DO NOTHING`,
  )

const prepareMembersWrite = createPeopleWriter({
  afterSave: (all) => (all.hasSegments ? [emitUsersAdded(all), updateUserCounts(all), insertMemberships(all)] : []),
  columns: {},
  source: sql`(SELECT 1)`,
})

export async function createMembers(db: Database, people: ReadPeople, mailing: NewMailing | undefined) {
  const { segments } = people
  const references = Array.from(segments, ([value, path]): Reference => ({ kind: 'segment', path, value }))
  const guards = segments.size ? [namedSegmentIsDynamic({})] : []
  return (await db.write({ guards, references, ...prepareMembersWrite(people, {}, mailing) })).rows
}
