import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client'
import { eventSql } from '../../db/events'
import { computedList, constant, longJson, moment, personal, plain } from '../../db/field'
import { equals, type Filter, only } from '../../db/filter'
import { list } from '../../db/list'
import { record } from '../../db/record'
import type { Reference } from '../../db/references'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { search } from '../../db/search'
import { caller, insertInto, param } from '../../db/statement'
import type { Attributes } from '../../text/attributes'
import type { NewPerson, ReadPeople } from './read'
import { ListMembers } from './schema'
import { bulkOfPeople, type Given, given } from './statements'

const membership = sql`${segmentMembers.subscriptionId} = ${caller.subscription}
  AND ${segmentMembers.userId} = ${users.id}`
// A removed segment keeps its members, for its restore.
const segmentIds = sql`(SELECT json_group_array(id) FROM (SELECT ${segments.id} AS id FROM ${segmentMembers}
  CROSS JOIN ${segments} ON ${segments.id} = ${segmentMembers.segmentId}
    AND ${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL
  WHERE ${membership} ORDER BY ${segmentMembers.segmentId}))`

const member = record('member', {
  table: users,
  within: 'workspace',
  key: { memberId: users.id },
  person: users.id,
  fields: {
    id: users.id,
    email: personal(plain(users.email), 'email'),
    firstName: personal(plain(users.firstName), 'firstName'),
    lastName: personal(plain(users.lastName), 'lastName'),
    role: users.role,
    attributes: longJson<Attributes>(users.attributes),
    segmentIds: computedList<number>(segmentIds),
    invitation: constant(null),
    createdAt: moment(users.createdAt),
    updatedAt: moment(users.updatedAt),
  },
})

const standing = (name: string) => sql`SELECT 1 FROM ${segments} WHERE ${segments.id} = ${param(name)}
  AND ${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL`

const inSegment: Filter<number> = {
  where: (name) => sql`EXISTS (${standing(name)}) AND EXISTS (SELECT 1 FROM ${segmentMembers}
    WHERE ${membership} AND ${segmentMembers.segmentId} = ${param(name)})`,
  from: (
    name,
  ) => sql`(SELECT user_id FROM ${segmentMembers} WHERE ${segmentMembers.subscriptionId} = ${caller.subscription}
    AND ${segmentMembers.segmentId} = ${param(name)}) joined CROSS JOIN ${users} ON ${users.id} = joined.user_id`,
}

const members = list(member, ListMembers, {
  sorts: { createdAt: users.createdAt, email: users.email },
  filters: {
    q: search('member', users.id),
    email: only(users.email),
    role: equals(users.role),
    segmentId: inSegment,
  },
})

export const listMembers = members.page

export const getMember = member.get

/** Everybody, the oldest first. */
export const exportMembers = (db: Database) => members.pages(db, { sort: 'createdAt' })

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

/** Adds each of the people, who are distinct, to the workspace and to their segments. */
export async function createMembers(db: Database, people: readonly NewPerson[], segments: ReadPeople['segments']) {
  const references = Array.from(segments, ([value, path]): Reference => ({ kind: 'segment', path, value }))
  return (await db.write({ references, ...making(people, {}) })).answer
}
