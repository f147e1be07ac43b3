import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { makeListReader } from '../../../db/records/list'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { equalsAny, equalsUnique, type Filter, hasAttributes, namesRecord, unindexed } from '../../../db/sql/filter'
import { searchFilter } from '../../../db/sql/search'
import { caller, param } from '../../../db/sql/statement'
import { createListQuery } from '../../../http/pagination'
import type { Rules } from '../../segments/rules/schema'
import { rulesFilter } from '../../segments/rules/statements'
import { selectRules } from '../../segments/statements'
import { exportedMember, member, membershipIsOfUser } from '../fields'
import { type ListMembers, ListMembersByRules } from '../schema'

const selectExistingSegment = (name: string) => sql`SELECT 1 FROM ${segments} WHERE ${segments.id} = ${param(name)}
  AND ${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL`

const segmentFilter: Filter<number> = {
  where: (name) => sql`EXISTS (${selectExistingSegment(name)}) AND EXISTS (SELECT 1 FROM ${segmentMembers}
    WHERE ${membershipIsOfUser} AND ${segmentMembers.segmentId} = ${param(name)})`,
  source: (
    name,
  ) => sql`(SELECT user_id FROM ${segmentMembers} WHERE ${segmentMembers.subscriptionId} = ${caller.subscription}
    AND ${segmentMembers.segmentId} = ${param(name)}) joined CROSS JOIN ${users} ON ${users.id} = joined.user_id`,
}

const memberListReader = makeListReader(member, ListMembersByRules, {
  sorts: { createdAt: users.createdAt, email: users.email },
  filters: {
    q: searchFilter('member', users.id),
    email: equalsUnique(users.email),
    role: unindexed(equalsAny(users.role)),
    attributes: hasAttributes(users.attributes),
    segmentId: namesRecord('segment', segmentFilter),
    rules: rulesFilter,
  },
})

/** Filtering by a dynamic segment takes a second round trip, because the first reads the rules. */
export async function listMembers(db: Database, query: z.output<typeof ListMembers>) {
  const { segmentId, ...rest } = query
  if (segmentId === undefined) return memberListReader.page(db, query)
  const { statements, toPage } = memberListReader.read(db, query)
  const [[found] = [], ...results] = await db.read(selectRules({ segmentId }), ...statements)
  const rules = found?.rules
  return rules ? memberListReader.page(db, { ...rest, rules: JSON.parse(rules) as Rules }) : toPage(results)
}

export const getMember = member.get

const exportReader = makeListReader(exportedMember, createListQuery(['createdAt']), {
  sorts: { createdAt: users.createdAt },
})

export const exportMembers = (db: Database) => exportReader.pages(db, { sort: ['createdAt'] })
