import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import type { Reference } from '../../../db/references'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, insertInto } from '../../../db/statement'
import type { NewMailing } from '../../mail/statements'
import { refusesMembersOfNamed } from '../../segments/statements'
import { membership } from '../fields'
import type { ReadPeople } from '../read'
import { bulkOfPeople, type Given, given } from '../statements'

/** Ids `s.value` of the segments of which the person is no member yet. */
const joins = sql`json_each(${given.segmentIds}) s WHERE NOT EXISTS (SELECT 1 FROM ${segmentMembers}
  WHERE ${membership} AND ${segmentMembers.segmentId} = s.value)`

const tell = ({ people, ofPerson, fits, differs, segments: some }: Given) =>
  eventSql({
    type: sql`iif(created > 0, 'member.created', 'member.updated')`,
    key: sql`''`,
    data: sql`json_object('created', created, 'updated', updated, 'added', added)`,
    from: sql`FROM (SELECT
        count(*) FILTER (WHERE ${users.id} IS NULL OR ${users.deletedAt} IS NOT NULL) AS created,
        count(*) FILTER (WHERE ${users.id} IS NOT NULL AND ${users.deletedAt} IS NULL AND ${differs}) AS updated,
        ${some ? sql`coalesce(sum((SELECT count(*) FROM ${joins})), 0)` : sql`0`} AS added
      FROM ${people} LEFT JOIN ${ofPerson} WHERE ${users.id} IS NULL OR ${fits})
      WHERE created + updated + added > 0`,
  })

const count = ({ people, ofPerson, fits }: Given) => sql`UPDATE ${segments} SET
    user_count = user_count + joined.people, version = version + 1, updated_at = ${caller.now}
  FROM (SELECT s.value AS id, count(*) AS people FROM ${people} CROSS JOIN ${ofPerson}
    CROSS JOIN ${joins} AND ${fits} GROUP BY s.value) joined
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
  before: (all) => [tell(all)],
  after: (all) => (all.segments ? [count(all), join(all)] : []),
  row: {},
  from: sql`(SELECT 1)`,
})

/** Adds each of the people, who are distinct, to the workspace and to their segments; with a letter invites whom that makes. */
export async function createMembers(db: Database, people: ReadPeople, letter: NewMailing | undefined) {
  const { segments } = people
  const references = Array.from(segments, ([value, path]): Reference => ({ kind: 'segment', path, value }))
  const guards = segments.size ? [refusesMembersOfNamed({})] : []
  return (await db.write({ guards, references, ...making(people, {}, letter) })).answer
}
