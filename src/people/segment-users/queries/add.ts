import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { log, users } from '../../../db/schema/tenancy'
import { eventSql } from '../../../db/sql/events'
import { lastEventId, logPlaceOf } from '../../../db/sql/log'
import { caller, insertInto, param } from '../../../db/sql/statement'
import type { NewMailing } from '../../mail/statements'
import type { PeopleSql } from '../../members/bulk-items/fields'
import type { ReadPeople } from '../../members/read'
import { createPeopleWriter, type PersonRow } from '../../members/statements'
import { createMembershipGuards, type SegmentKey, segment } from '../../segments/statements'

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

/** CAST is necessary because D1 binds the id 7 as 7.0. */
const emitUsersAdded = eventSql({
  type: 'segment.users_added',
  key: sql`CAST(CAST(${param('segmentId')} AS INTEGER) AS TEXT)`,
  data: sql`json_object('count', changes())`,
  keepsChanges: true,
  from: sql`WHERE changes() > 0`,
})

// After an emitted event, the count is in the newest event.
const updateUserCount = sql`UPDATE ${segments} SET version = version + 1, updated_at = ${caller.now},
    user_count = user_count + (SELECT ${log.data} ->> 'count' FROM ${log}
      WHERE ${log.place} = ${logPlaceOf(lastEventId)})
  WHERE ${segment.byKey} AND changes() = 1`

const prepareUsersWrite = createPeopleWriter<AddedUserRow>({
  afterSave: (given) => [insertMemberships(given), emitUsersAdded, updateUserCount],
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
