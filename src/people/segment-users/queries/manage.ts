import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { answer } from '../../../db/answer'
import type { Database } from '../../../db/client'
import { eventSql } from '../../../db/events'
import type { Reference } from '../../../db/references'
import { type Guard, guard } from '../../../db/refuse'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { caller, inline, insertInto, param, statement, statements } from '../../../db/statement'
import type { ManageSegmentUsers } from '../schema'

type Managed = { from: number; to: number | null; users: string }

const own = (table: typeof segments | typeof segmentMembers) => sql`${table.subscriptionId} = ${caller.subscription}`
const isSegment = (name: 'from' | 'to') => sql`${own(segments)} AND ${segments.id} = ${param(name)}`

const isIn = (name: 'from' | 'to') => sql`EXISTS (SELECT 1 FROM ${segmentMembers} WHERE ${own(segmentMembers)}
  AND ${segmentMembers.segmentId} = ${param(name)} AND ${segmentMembers.userId} = u.value)`

/** Submitted users who are in the segment; further users are skipped. */
const leaving = sql`FROM json_each(${param('users')}) u WHERE ${isIn('from')}`
const joining = sql`${leaving} AND NOT ${isIn('to')}`

const told = (type: 'segment.users_added' | 'segment.users_removed', name: 'from' | 'to', who: SQL) =>
  eventSql({
    type,
    key: sql`CAST(${segments.id} AS TEXT)`,
    data: sql`json_object('count', (SELECT count(*) ${who}))`,
    from: sql`FROM ${segments} WHERE ${isSegment(name)} AND EXISTS (SELECT 1 ${who})`,
  })

const count = (name: 'from' | 'to', sign: '+' | '-', who: SQL) => sql`UPDATE ${segments}
  SET user_count = user_count ${sql.raw(sign)} n, version = version + 1, updated_at = ${caller.now}
  FROM (SELECT count(*) AS n ${who}) WHERE ${isSegment(name)} AND n > 0`

const move = statements([
  told('segment.users_added', 'to', joining),
  count('to', '+', joining),
  insertInto(
    segmentMembers,
    {
      subscriptionId: caller.subscription,
      segmentId: param('to'),
      userId: sql`u.value`,
      createdAt: caller.now,
    },
    sql`${leaving} ON CONFLICT DO NOTHING`,
  ),
])

const remove = statements([
  told('segment.users_removed', 'from', leaving),
  count('from', '-', leaving),
  sql`DELETE FROM ${segmentMembers} WHERE ${own(segmentMembers)} AND ${segmentMembers.segmentId} = ${param('from')}
    AND ${segmentMembers.userId} IN (SELECT value FROM json_each(${param('users')}))`,
])

const counted = statement<{ changed: number }, Managed>(sql`SELECT count(*) AS "changed" ${leaving}`)

const counts = answer<{ from: number; to: number | null }, Managed>(
  {
    from: sql`(SELECT ${segments.userCount} FROM ${segments} WHERE ${isSegment('from')})`,
    to: sql`(SELECT ${segments.userCount} FROM ${segments} WHERE ${isSegment('to')})`,
  },
  sql``,
)

const dynamic = (name: 'from' | 'to', path: string) =>
  guard<Managed>(
    inline(`conflict:${path} is dynamic: its rules say who is in it. Change the rules, or name a manual segment.`),
    sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${isSegment(name)} AND ${segments.deletedAt} IS NULL AND ${segments.type} = 'dynamic')`,
  )
const refuses = [dynamic('from', '/fromSegmentId'), dynamic('to', '/toSegmentId')]

export async function manageSegmentUsers(db: Database, body: z.output<typeof ManageSegmentUsers>) {
  const { fromSegmentId: from, toSegmentId: to = null } = body
  const values = { from, to, users: JSON.stringify([...new Set(body.userIds)]) }
  const references: Reference[] = [{ kind: 'segment', path: '/fromSegmentId', value: from }]
  if (to !== null) references.push({ kind: 'segment', path: '/toSegmentId', value: to })
  const { answer, rows } = await db.write({
    guards: refuses.map((refuse): Guard => refuse(values)),
    references,
    statements: [counted(values), ...(to === null ? [] : move(values)), ...remove(values)],
    // Rows written: deleting and inserting a membership each writes a row and an index entry.
    estimatedRows: body.userIds.length * 4,
    answer: counts(values),
  })
  const [found] = answer
  return { changed: rows?.[0][0]?.changed ?? 0, fromSegmentCount: found.from, toSegmentCount: found.to }
}
