import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { makeListReader } from '../../../db/records/list'
import { record } from '../../../db/records/record'
import { segmentConfirmations, segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { enumField, moment, personalField, plainField } from '../../../db/sql/field'
import { equalsAny, unindexed } from '../../../db/sql/filter'
import { returning } from '../../../db/sql/returning'
import { caller, inline, param, statements, type Values } from '../../../db/sql/statement'
import { emitMembershipChanges, type SegmentKey, segment } from '../../segments/statements'
import { type CONFIRMATION_STATUSES, ListSegmentConfirmations } from '../schema'

const confirmationOfMember = record('member', {
  table: segmentConfirmations,
  scope: { parent: segment, by: segmentConfirmations.segmentId },
  key: { memberId: segmentConfirmations.userId },
  id: segmentConfirmations.userId,
  joins: sql`CROSS JOIN ${segmentMembers} ON ${segmentMembers.subscriptionId} = ${caller.subscription}
      AND ${segmentMembers.segmentId} = ${segmentConfirmations.segmentId}
      AND ${segmentMembers.userId} = ${segmentConfirmations.userId}
    CROSS JOIN ${users} ON ${users.id} = ${segmentConfirmations.userId} AND ${users.subscriptionId} = ${caller.subscription}`,
  person: users.id,
  fields: {
    userId: segmentConfirmations.userId,
    email: personalField(plainField(users.email), 'email'),
    status: enumField<(typeof CONFIRMATION_STATUSES)[number]>(segmentConfirmations.status),
    askedAt: moment(segmentConfirmations.askedAt),
    confirmedAt: moment(segmentConfirmations.confirmedAt),
  },
})

// User ids ascend in order of creation, hence the primary key sorts by creation.
const confirmationReader = makeListReader(confirmationOfMember, ListSegmentConfirmations, {
  sorts: { createdAt: segmentConfirmations.userId },
  filters: { status: unindexed(equalsAny(segmentConfirmations.status)) },
})

export const listSegmentConfirmations = (
  db: Database,
  query: z.output<typeof ListSegmentConfirmations>,
  key: SegmentKey,
) => confirmationReader.page(db, query, key)

const REQUEST_COOLDOWN_MS = 3_600_000

const segmentNeedsNoConfirmation = guard<SegmentKey>(
  'conflict:The segment asks for no confirmation. Set `doubleOptIn` first.',
  sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segment.byKey} AND ${segments.doubleOptIn} = 0)`,
)

const fromPendingMembers = sql`FROM json_each(${param('users')}) u
  CROSS JOIN ${segmentConfirmations} c ON c.subscription_id = ${caller.subscription}
    AND c.segment_id = ${param('segmentId')} AND c.user_id = u.value AND c.status = 'pending' AND c.due_at IS NOT ${caller.now}
    AND coalesce(c.asked_at, 0) <= ${caller.now} - ${inline(REQUEST_COOLDOWN_MS)}
  CROSS JOIN ${segmentMembers} ON ${segmentMembers.subscriptionId} = ${caller.subscription}
    AND ${segmentMembers.segmentId} = c.segment_id AND ${segmentMembers.userId} = c.user_id`

const requestConfirmations = statements([
  emitMembershipChanges(
    'segment.confirmations_requested',
    sql`SELECT c.segment_id AS segment_id, c.user_id AS user_id ${fromPendingMembers}`,
  ),
  sql`UPDATE ${segmentConfirmations} SET due_at = ${caller.now} WHERE ${segmentConfirmations.subscriptionId} = ${caller.subscription}
    AND ${segmentConfirmations.segmentId} = ${param('segmentId')} AND ${segmentConfirmations.userId} IN (SELECT c.user_id ${fromPendingMembers})`,
])

const returningRequestedCount = returning<{ requested: number }, Values>(
  {
    requested: sql`(SELECT count(*) FROM json_each(${param('users')}) u CROSS JOIN ${segmentConfirmations} c
      ON c.subscription_id = ${caller.subscription} AND c.segment_id = ${param('segmentId')} AND c.user_id = u.value
        AND c.due_at = ${caller.now})`,
  },
  sql``,
)

/** Returns the number of members who are asked. */
export async function requestSegmentConfirmations(db: Database, key: SegmentKey, userIds: readonly number[]) {
  const values = { ...key, users: JSON.stringify([...new Set(userIds)]) }
  const { rows } = await db.write({
    guards: [...segment.writeGuards(key), segmentNeedsNoConfirmation(key)],
    statements: requestConfirmations(values),
    estimatedRows: userIds.length,
    returning: returningRequestedCount(values),
  })
  return rows[0].requested
}
