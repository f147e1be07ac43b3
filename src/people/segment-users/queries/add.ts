import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import { lastEvent, placeOf } from '../../../db/log'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { log, users } from '../../../db/schema/tenancy'
import { caller, insertInto, param } from '../../../db/statement'
import type { NewMailing } from '../../mail/statements'
import type { ReadPeople } from '../../members/read'
import { bulkOfPeople, type Given, type PersonRow } from '../../members/statements'
import { type SegmentKey, segment, takesMembers } from '../../segments/statements'

export interface AddedRow extends PersonRow {
  segmentCount: number
}

const join = ({ rows, which, fits }: Given) =>
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('segmentId'),
      userId: users.id,
      createdAt: caller.now,
    },
    sql`FROM ${rows} CROSS JOIN ${which} WHERE ${fits} ON CONFLICT DO NOTHING`,
  )

/**
 * Emits the number of new members, if any. The guards have found the segment; CAST is necessary because D1 binds the id
 * 7 as 7.0.
 */
const tell = eventSql({
  type: 'segment.users_added',
  key: sql`CAST(CAST(${param('segmentId')} AS INTEGER) AS TEXT)`,
  data: sql`json_object('count', changes())`,
  counted: true,
  from: sql`WHERE changes() > 0`,
})

// After an emitted event, the count is in the newest event.
const count = sql`UPDATE ${segments} SET version = version + 1, updated_at = ${caller.now},
    user_count = user_count + (SELECT ${log.data} ->> 'count' FROM ${log}
      WHERE ${log.place} = ${placeOf(lastEvent)})
  WHERE ${segment.addressed} AND changes() = 1`

const adding = bulkOfPeople<AddedRow>({
  after: (given) => [join(given), tell, count],
  row: { segmentCount: segments.userCount },
  from: sql`${segments}`,
  where: segment.addressed,
})

/** Adds users with distinct addresses to a segment. With a letter, invites the new members. */
export async function addUsers(db: Database, key: SegmentKey, given: ReadPeople, letter: NewMailing | undefined) {
  const guards = takesMembers(key)
  return (await db.write({ guards, ...adding(given, key, letter) })).answer
}
