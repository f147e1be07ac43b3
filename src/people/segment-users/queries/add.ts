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

/** Says how many have become members, where any have. The guards have found the segment; D1 binds its id 7 as 7.0. */
const tell = eventSql({
  type: 'segment.users_added',
  key: sql`CAST(CAST(${param('segmentId')} AS INTEGER) AS TEXT)`,
  data: sql`json_object('count', changes())`,
  counted: true,
  from: sql`WHERE changes() > 0`,
})

// Where the event was written, its count is the newest event's.
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

/** Adds each of the people, who are distinct; with a letter invites whom that makes. */
export async function addUsers(db: Database, key: SegmentKey, given: ReadPeople, letter: NewMailing | undefined) {
  const guards = takesMembers(key)
  return (await db.write({ guards, ...adding(given, key, letter) })).answer
}
