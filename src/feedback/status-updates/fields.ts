import { sql } from 'drizzle-orm'
import { feedbackStatusUpdates } from '../../db/schema/status-updates'
import { users } from '../../db/schema/tenancy'
import { computedValue, enumField, moment, personalField, plainField } from '../../db/sql/field'
import type { NOTIFY_CHOICES } from '../../people/notices/schema'

export const joinStatusUpdateUser = sql`LEFT JOIN ${users} ON ${users.id} = ${feedbackStatusUpdates.userId}
  AND ${users.subscriptionId} = ${feedbackStatusUpdates.subscriptionId} AND ${users.deletedAt} IS NULL`

export const statusUpdateFields = {
  id: feedbackStatusUpdates.id,
  status: feedbackStatusUpdates.status,
  message: feedbackStatusUpdates.message,
  notify: enumField<(typeof NOTIFY_CHOICES)[number]>(feedbackStatusUpdates.notify),
  user: {
    id: plainField(feedbackStatusUpdates.userId),
    firstName: personalField(computedValue<string>(sql`coalesce(${users.firstName}, '')`), 'firstName'),
    lastName: personalField(computedValue<string>(sql`coalesce(${users.lastName}, '')`), 'lastName'),
  },
  createdAt: moment(feedbackStatusUpdates.createdAt),
}
