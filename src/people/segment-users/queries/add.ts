import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, insertInto, param } from '../../../db/sql/statement'
import type { NewMailing } from '../../mail/statements'
import type { PeopleSql } from '../../members/bulk-items/fields'
import { membershipIsOfUser } from '../../members/fields'
import type { ReadPeople } from '../../members/read'
import { createPeopleWriter, type PersonRow } from '../../members/statements'
import { createMembershipGuards, emitMembershipChanges, type SegmentKey, segment } from '../../segments/statements'

export interface AddedUserRow extends PersonRow {
  segmentCount: number
}

const insertMemberships = ({ knownSource, joinKnown, canChange }: PeopleSql) =>
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('segmentId'),
      userId: users.id,
      createdAt: caller.now,
    },
    sql`FROM ${knownSource} CROSS JOIN ${joinKnown} WHERE ${canChange} ON CONFLICT DO NOTHING`,
  )

const emitUsersAdded = ({ knownSource, joinKnown, canChange }: PeopleSql) =>
  emitMembershipChanges(
    'segment.users_added',
    sql`SELECT ${param('segmentId')} AS segment_id, ${users.id} AS user_id FROM ${knownSource} CROSS JOIN ${joinKnown}
      WHERE ${canChange} AND NOT EXISTS (SELECT 1 FROM ${segmentMembers} WHERE ${membershipIsOfUser}
        AND ${segmentMembers.segmentId} = ${param('segmentId')})`,
  )

const updateUserCount = sql`UPDATE ${segments} SET version = version + 1, updated_at = ${caller.now},
    user_count = user_count + changes() WHERE ${segment.byKey} AND changes() > 0`

const prepareUsersWrite = createPeopleWriter<AddedUserRow>({
  afterSave: (given) => [emitUsersAdded(given), insertMemberships(given), updateUserCount],
  columns: { segmentCount: segments.userCount },
  source: sql`${segments}`,
  condition: segment.byKey,
})

export async function addSegmentUsers(
  db: Database,
  key: SegmentKey,
  given: ReadPeople,
  mailing: NewMailing | undefined,
) {
  const guards = createMembershipGuards(key)
  return (await db.write({ guards, ...prepareUsersWrite(given, key, mailing) })).rows
}
