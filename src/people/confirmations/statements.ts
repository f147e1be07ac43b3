import { type SQL, sql } from 'drizzle-orm'
import { segmentConfirmations, segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { caller } from '../../db/sql/statement'

/** The confirmation is of a person who is a member of the workspace and of the segment, which still asks. */
export const joinAskingSegment = sql`CROSS JOIN ${segments} ON ${segments.id} = ${segmentConfirmations.segmentId}
    AND +${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL AND ${segments.doubleOptIn} = 1
  CROSS JOIN ${segmentMembers} ON ${segmentMembers.subscriptionId} = ${caller.subscription}
    AND ${segmentMembers.segmentId} = ${segmentConfirmations.segmentId} AND ${segmentMembers.userId} = ${segmentConfirmations.userId}
  CROSS JOIN ${users} ON ${users.id} = ${segmentConfirmations.userId}
    AND +${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`

export const confirmationIsOf = (
  segment: SQL,
  user: SQL,
) => sql`${segmentConfirmations.subscriptionId} = ${caller.subscription}
  AND ${segmentConfirmations.segmentId} = ${segment} AND ${segmentConfirmations.userId} = ${user}`
