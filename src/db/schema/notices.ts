import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { idColumns } from './columns'

export const feedbackNotices = sqliteTable(
  'feedback_notices',
  {
    ...idColumns,
    feedbackId: integer('feedback_id'),
    statusId: integer('status_id'),
    solutionVersionId: integer('solution_version_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('feedback_notices_tenant').on(t.subscriptionId, t.id),
    index('feedback_notices_due').on(t.createdAt, t.id),
  ],
)
