import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client'
import { equals, type Filter, only, walking } from '../../../db/filter'
import { list } from '../../../db/list'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { search } from '../../../db/search'
import { caller, param } from '../../../db/statement'
import type { Rules } from '../../segments/rules/schema'
import { byRules } from '../../segments/rules/statements'
import { selectRules } from '../../segments/statements'
import { member, membership } from '../fields'
import { type ListMembers, ListMembersByRules } from '../schema'

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
    role: walking(equals(users.role)),
    segmentId: inSegment,
    rules: byRules,
  },
})

/**
 * Returns a page of members. Filtering by a dynamic segment takes a second round trip, because the first reads the
 * rules.
 */
export async function listMembers(db: Database, query: z.output<typeof ListMembers>) {
  const { segmentId, ...rest } = query
  if (segmentId === undefined) return members.page(db, query)
  const { statement, page } = members.read(db, query)
  const [[found], rows] = await db.read(selectRules({ segmentId }), statement)
  const rules = found?.rules
  return rules ? members.page(db, { ...rest, rules: JSON.parse(rules) as Rules }) : page(rows)
}

export const getMember = member.get

export const exportMembers = (db: Database) => members.pages(db, { sort: 'createdAt' })
