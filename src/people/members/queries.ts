import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client'
import { eventSql } from '../../db/events'
import { equals, type Filter, only, search } from '../../db/filter'
import { list } from '../../db/list'
import type { Reference } from '../../db/references'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { caller, insertInto, param } from '../../db/statement'
import type { Rules } from '../segments/rules/schema'
import { byRules } from '../segments/rules/statements'
import { refusesMembersOfNamed, selectRules } from '../segments/statements'
import { member, membership } from './fields'
import type { NewPerson, ReadPeople } from './read'
import { type ListMembers, ListMembersByRules } from './schema'
import { bulkOfPeople, type Given, given } from './statements'

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

const members = list(member, ListMembersByRules, {
  sorts: { createdAt: users.createdAt, email: users.email },
  filters: {
    q: search('member', users.id),
    email: only(users.email),
    role: equals(users.role),
    segmentId: inSegment,
    rules: byRules,
  },
})

/** A page of members; of those of a dynamic segment in a second trip, as its rules are read first. */
export async function listMembers(db: Database, query: z.output<typeof ListMembers>) {
  const { segmentId, ...rest } = query
  if (segmentId === undefined) return members.page(db, query)
  const { statement, page } = members.read(db, query)
  const [[found], rows] = await db.read(selectRules({ segmentId }), statement)
  const rules = found?.rules
  return rules ? members.page(db, { ...rest, rules: JSON.parse(rules) as Rules }) : page(rows)
}

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
  const guards = segments.size ? [refusesMembersOfNamed({})] : []
  return (await db.write({ guards, references, ...making(people, {}) })).answer
}
