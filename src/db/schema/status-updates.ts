import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns } from './columns'

export const feedbackStatusUpdates = sqliteTable(
  'feedback_status_updates',
  {
    ...idColumns,
    feedbackId: integer('feedback_id').notNull(),
    userId: integer('user_id').notNull(),
    status: text().notNull(),
    message: text(),
    notify: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('feedback_status_updates_created').on(t.subscriptionId, t.feedbackId, t.createdAt, t.id)],
)
