import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import type { Reference } from '../../../db/references'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, insertInto } from '../../../db/statement'
import type { NewMailing } from '../../mail/statements'
import { refusesMembersOfNamed, segment } from '../../segments/statements'
import { membership } from '../fields'
import type { ReadPeople } from '../read'
import { bulkOfPeople, type Given, given } from '../statements'

const joins = sql`json_each(${given.segmentIds}) s WHERE NOT EXISTS (SELECT 1 FROM ${segmentMembers}
  WHERE ${membership} AND ${segmentMembers.segmentId} = s.value)`

const joining = ({ people, ofPerson, fits }: Given) => sql`(SELECT s.value AS id, count(*) AS people
  FROM ${people} CROSS JOIN ${ofPerson} CROSS JOIN ${joins} AND ${fits} GROUP BY s.value) joined`

const emitJoined = (all: Given) =>
  eventSql({
    type: 'segment.users_added',
    key: segment.told.key,
    data: sql`json_object('count', joined.people)`,
    from: sql`FROM ${joining(all)} CROSS JOIN ${segments} ON ${segments.id} = joined.id
      AND +${segments.subscriptionId} = ${caller.subscription}`,
    many: true,
  })

const count = (all: Given) => sql`UPDATE ${segments} SET
    user_count = user_count + joined.people, version = version + 1, updated_at = ${caller.now}
  FROM ${joining(all)}
  WHERE ${segments.id} = joined.id AND ${segments.subscriptionId} = ${caller.subscription}`

const join = ({ people, ofPerson, fits }: Given) =>
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: sql`s.value`,
      userId: users.id,
      createdAt: caller.now,
    },
    sql`FROM ${people} CROSS JOIN ${ofPerson} CROSS JOIN json_each(${given.segmentIds}) s
      WHERE ${fits} ON CONFLICT DO NOTHING`,
  )

const making = bulkOfPeople({
  after: (all) => (all.segments ? [emitJoined(all), count(all), join(all)] : []),
  row: {},
  from: sql`(SELECT 1)`,
})

/** Adds members with distinct addresses to the workspace and to segments. With a letter, invites the new members. */
export async function createMembers(db: Database, people: ReadPeople, letter: NewMailing | undefined) {
  const { segments } = people
  const references = Array.from(segments, ([value, path]): Reference => ({ kind: 'segment', path, value }))
  const guards = segments.size ? [refusesMembersOfNamed({})] : []
  return (await db.write({ guards, references, ...making(people, {}, letter) })).answer
}
