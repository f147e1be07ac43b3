import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { type Guard, guard } from '../../../db/client/refuse'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { referenceTo } from '../../../db/sql/references'
import { returning } from '../../../db/sql/returning'
import { caller, insertInto, param, statement, statements } from '../../../db/sql/statement'
import { emitMembershipChanges } from '../../segments/statements'
import type { ManageSegmentUsers } from '../schema'

type ManageValues = { from: number; to: number | null; users: string }

const rowIsOfTenant = (table: typeof segments | typeof segmentMembers) =>
  sql`${table.subscriptionId} = ${caller.subscription}`
const segmentMatchesParam = (name: 'from' | 'to') => sql`${rowIsOfTenant(segments)} AND ${segments.id} = ${param(name)}`

const userIsInSegment = (
  name: 'from' | 'to',
) => sql`EXISTS (SELECT 1 FROM ${segmentMembers} WHERE ${rowIsOfTenant(segmentMembers)}
  AND ${segmentMembers.segmentId} = ${param(name)} AND ${segmentMembers.userId} = u.value)`

const fromLeavingUsers = sql`FROM json_each(${param('users')}) u WHERE ${userIsInSegment('from')}`
const fromJoiningUsers = sql`${fromLeavingUsers} AND NOT ${userIsInSegment('to')}`

const emitUserChange = (type: 'segment.users_added' | 'segment.users_removed', name: 'from' | 'to', who: SQL) =>
  emitMembershipChanges(type, sql`SELECT ${param(name)} AS segment_id, u.value AS user_id ${who}`)

const updateUserCount = (name: 'from' | 'to', sign: '+' | '-', who: SQL) => sql`UPDATE ${segments}
  SET user_count = user_count ${sql.raw(sign)} n, version = version + 1, updated_at = ${caller.now}
  FROM (SELECT count(*) AS n ${who}) WHERE ${segmentMatchesParam(name)} AND n > 0`

const addUsersToTarget = statements([
  emitUserChange('segment.users_added', 'to', fromJoiningUsers),
  updateUserCount('to', '+', fromJoiningUsers),
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('to'),
      userId: sql`u.value`,
      createdAt: caller.now,
    },
    sql`${fromLeavingUsers} ON CONFLICT DO NOTHING`,
  ),
])

const removeUsersFromSource = statements([
  emitUserChange('segment.users_removed', 'from', fromLeavingUsers),
  updateUserCount('from', '-', fromLeavingUsers),
  sql`DELETE FROM ${segmentMembers} WHERE ${rowIsOfTenant(segmentMembers)} AND ${segmentMembers.segmentId} = ${param('from')}
    AND ${segmentMembers.userId} IN (SELECT value FROM json_each(${param('users')}))`,
])

const selectLeavingCount = statement<{ changed: number }, ManageValues>(
  sql`SELECT count(*) AS "changed" ${fromLeavingUsers}`,
)

const returningUserCounts = returning<{ from: number; to: number | null }, ManageValues>(
  {
    from: sql`(SELECT ${segments.userCount} FROM ${segments} WHERE ${segmentMatchesParam('from')})`,
    to: sql`(SELECT ${segments.userCount} FROM ${segments} WHERE ${segmentMatchesParam('to')})`,
  },
  sql``,
)

const segmentIsDynamic = (name: 'from' | 'to', path: string) =>
  guard<ManageValues>(
    `conflict:${path} is dynamic: rules select its members. Change the rules, or use a manual segment.`,
    sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segmentMatchesParam(name)} AND ${segments.deletedAt} IS NULL AND ${segments.type} = 'dynamic')`,
  )
const segmentIsDynamicGuards = [segmentIsDynamic('from', '/fromSegmentId'), segmentIsDynamic('to', '/toSegmentId')]

export async function manageSegmentUsers(db: Database, body: z.output<typeof ManageSegmentUsers>) {
  const { fromSegmentId: from, toSegmentId: to = null } = body
  const values = { from, to, users: JSON.stringify([...new Set(body.userIds)]) }
  const references = [...referenceTo('segment', '/fromSegmentId', from), ...referenceTo('segment', '/toSegmentId', to)]
  const { rows, results } = await db.write({
    guards: segmentIsDynamicGuards.map((refuse): Guard => refuse(values)),
    references,
    statements: [
      selectLeavingCount(values),
      ...(to === null ? [] : addUsersToTarget(values)),
      ...removeUsersFromSource(values),
    ],
    estimatedRows: body.userIds.length * 4,
    returning: returningUserCounts(values),
  })
  const [found] = rows
  return { changed: results?.[0][0]?.changed ?? 0, fromSegmentCount: found.from, toSegmentCount: found.to }
}
