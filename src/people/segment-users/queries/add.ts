import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { events, users } from '../../../db/schema/tenancy'
import { caller, insertInto, param } from '../../../db/statement'
import type { NewMailing } from '../../mail/statements'
import type { NewPerson } from '../../members/read'
import { bulkOfPeople, type Given, type PersonRow } from '../../members/statements'
import { type SegmentKey, segment, takesMembers } from '../../segments/statements'

export interface AddedRow extends PersonRow {
  segmentCount: number
}

const isMember = sql`EXISTS (SELECT 1 FROM ${segmentMembers} WHERE ${segmentMembers.subscriptionId} = ${caller.subscription}
  AND ${segmentMembers.segmentId} = ${param('segmentId')} AND ${segmentMembers.userId} = ${users.id})`

/** What is read to find those who can become members. */
const joining = ({ attributes, people, emails, ofPerson, ofEmail }: Given) =>
  attributes ? { rows: people, which: ofPerson } : { rows: emails, which: ofEmail }

const nobodyJoins = (given: Given) => {
  const { rows, which } = joining(given)
  return sql`NOT EXISTS (SELECT 1 FROM ${rows} LEFT JOIN ${which}
    WHERE ${users.id} IS NULL OR ${given.fits} AND NOT ${isMember})`
}

/** Where all are members already, and some of them change: the log is told of people instead of the segment. */
const tellOfPeople = (given: Given) =>
  eventSql({
    type: 'member.updated',
    key: sql`''`,
    data: sql`json_object('created', created, 'updated', updated, 'added', 0)`,
    from: sql`FROM (SELECT count(*) FILTER (WHERE ${users.deletedAt} IS NOT NULL) AS created,
        count(*) FILTER (WHERE ${users.deletedAt} IS NULL) AS updated
      FROM (SELECT 1 WHERE ${nobodyJoins(given)}) asked CROSS JOIN ${given.people} CROSS JOIN ${given.ofPerson}
      WHERE ${given.differs} AND ${given.fits}) counted WHERE created + updated > 0`,
  })

const join = (given: Given) => {
  const { rows, which } = joining(given)
  return insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('segmentId'),
      userId: users.id,
      createdAt: caller.now,
    },
    sql`FROM ${rows} CROSS JOIN ${which} WHERE ${given.fits} ON CONFLICT DO NOTHING`,
  )
}

/** Says how many have become members, where any have. */
const tell = eventSql({
  type: 'segment.users_added',
  key: segment.told.key,
  data: sql`json_object('count', changes())`,
  from: sql`FROM ${segments} WHERE ${segment.addressed} AND changes() > 0`,
})

// Where the event was written, its count is the newest event's.
const count = sql`UPDATE ${segments} SET version = version + 1, updated_at = ${caller.now},
    user_count = user_count + (SELECT ${events.data} ->> 'count' FROM ${events}
      WHERE ${events.subscriptionId} = ${caller.subscription} ORDER BY ${events.id} DESC LIMIT 1)
  WHERE ${segment.addressed} AND changes() = 1`

const adding = bulkOfPeople<AddedRow>({
  before: (given) => [tellOfPeople(given)],
  after: (given) => [join(given), tell, count],
  chained: true,
  row: { segmentCount: segments.userCount },
  from: sql`${segments}`,
  where: segment.addressed,
})

/** Adds each of the people, who are distinct; with a letter invites whom that makes. */
export async function addUsers(
  db: Database,
  key: SegmentKey,
  people: readonly NewPerson[],
  letter: NewMailing | undefined,
) {
  const guards = takesMembers(key)
  return (await db.write({ guards, ...adding(people, key, letter) })).answer
}
