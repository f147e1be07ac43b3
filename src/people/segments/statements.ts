import { type SQL, sql } from 'drizzle-orm'
import { eventSql } from '../../db/events'
import { moment } from '../../db/field'
import { type Key, record } from '../../db/record'
import { segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { detachments } from '../../db/schema/tenancy'
import { caller, type Statement, statement, type Values } from '../../db/statement'

const key = { segmentId: segments.id }
export type SegmentKey = Key<typeof key>

export const segment = record('segment', {
  table: segments,
  within: 'workspace',
  key,
  unique: { column: segments.name, taken: 'Another segment has this name. Choose another.' },
  fields: {
    id: segments.id,
    name: segments.name,
    description: segments.description,
    color: segments.color,
    type: segments.type,
    userCount: segments.userCount,
    createdAt: moment(segments.createdAt),
    updatedAt: moment(segments.updatedAt),
  },
})

const KIND = sql.raw("'segment_member'")

const own = (table: typeof detachments | typeof segments | typeof segmentMembers) =>
  sql`${table.subscriptionId} = ${caller.subscription}`

/** Each of the segments tells of one member. */
const changed = (type: 'segment.users_added' | 'segment.users_removed', ids: SQL) =>
  eventSql({
    type,
    key: segment.told.key,
    data: sql`json_object('count', 1)`,
    from: sql`FROM ${segments} WHERE ${segments.id} IN (${ids}) AND ${segments.deletedAt} IS NULL`,
    many: true,
  })

/** The segments of a user who is removed: their counts fall, and what is taken is kept for a restore. */
export function takeMemberships(user: SQL): (key: Values) => Statement<never>[] {
  const held = sql`SELECT ${segments.id} FROM ${segmentMembers} CROSS JOIN ${segments} ON ${own(segments)}
    AND ${segments.id} = ${segmentMembers.segmentId} AND ${segments.deletedAt} IS NULL
    WHERE ${own(segmentMembers)} AND ${segmentMembers.userId} = ${user}`
  const made = [
    sql`INSERT OR IGNORE INTO ${detachments} (subscription_id, kind, removed_id, holder_id)
      SELECT ${caller.subscription}, ${KIND}, ${user}, held.id FROM (${held}) held`,
    changed('segment.users_removed', held),
    sql`UPDATE ${segments} SET user_count = user_count - 1, version = version + 1, updated_at = ${caller.now}
      WHERE ${segments.id} IN (${held})`,
    sql`DELETE FROM ${segmentMembers} WHERE ${own(segmentMembers)} AND ${segmentMembers.userId} = ${user}
      AND ${segmentMembers.segmentId} IN (${taken(user)})`,
  ].map((source) => statement<never, Values>(source))
  return (key) => made.map((make) => make(key))
}

const taken = (user: SQL) => sql`SELECT ${detachments.holderId} FROM ${detachments}
  WHERE ${own(detachments)} AND ${detachments.kind} = ${KIND} AND ${detachments.removedId} = ${user}`

/** Gives a restored user back what `takeMemberships` took, where the segment still stands. */
export function restoreMemberships(user: SQL): (key: Values) => Statement<never>[] {
  // Found by their ids: the sign keeps the workspace's segments from being walked for them.
  const missing = sql`SELECT ${segments.id} FROM ${segments} WHERE ${segments.id} IN (${taken(user)}) AND +${own(segments)}
    AND NOT EXISTS (SELECT 1 FROM ${segmentMembers} WHERE ${own(segmentMembers)}
      AND ${segmentMembers.segmentId} = ${segments.id} AND ${segmentMembers.userId} = ${user})`
  const made = [
    changed('segment.users_added', missing),
    sql`UPDATE ${segments} SET user_count = user_count + 1, version = version + 1, updated_at = ${caller.now}
      WHERE ${segments.id} IN (${missing})`,
    sql`INSERT OR IGNORE INTO ${segmentMembers} (subscription_id, segment_id, user_id, created_at)
      SELECT ${caller.subscription}, ${segments.id}, ${user}, ${caller.now} FROM ${segments}
      WHERE ${segments.id} IN (${taken(user)}) AND +${own(segments)}`,
    sql`DELETE FROM ${detachments} WHERE ${own(detachments)} AND ${detachments.kind} = ${KIND}
      AND ${detachments.removedId} = ${user}`,
  ].map((source) => statement<never, Values>(source))
  return (key) => made.map((make) => make(key))
}
