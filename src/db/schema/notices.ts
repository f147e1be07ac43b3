import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, linkTable, tenantColumn } from './columns'

/** Changes by triggers and by release 0.2.0, which become notices in the queue. */
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

const noticeColumns = {
  kind: text().notNull(),
  feedbackId: integer('feedback_id'),
  solutionVersionId: integer('solution_version_id'),
  commentId: integer('comment_id'),
  itemCommentId: integer('item_comment_id'),
  workItemId: integer('work_item_id'),
  people: text(),
  message: text(),
  notify: text().notNull(),
  actorUserId: integer('actor_user_id'),
  createdAt: integer('created_at').notNull(),
}

export const notices = sqliteTable(
  'notices',
  {
    ...idColumns,
    ...noticeColumns,
    dueAt: integer('due_at'),
    position: integer().notNull().default(0),
    expandedAt: integer('expanded_at'),
    withdrawnAt: integer('withdrawn_at'),
    changelogEntryId: integer('changelog_entry_id'),
  },
  (t) => [
    index('notices_waiting').on(t.subscriptionId, t.id).where(sql`expanded_at IS NULL`),
    index('notices_feedback').on(t.subscriptionId, t.feedbackId, t.id).where(sql`feedback_id IS NOT NULL`),
    index('notices_comment').on(t.subscriptionId, t.commentId).where(sql`comment_id IS NOT NULL`),
    index('notices_item_comment').on(t.subscriptionId, t.itemCommentId).where(sql`item_comment_id IS NOT NULL`),
  ],
)

/** Columns of the view `append_notice`. */
export const NOTICE_INSERT_COLUMNS = {
  ...tenantColumn,
  ...noticeColumns,
  changelogEntryId: integer('changelog_entry_id'),
}

export const noticePeople = linkTable('notice_people', {
  userId: integer('user_id').notNull(),
  noticeId: integer('notice_id').notNull(),
})

export const noticeDigests = sqliteTable(
  'notice_digests',
  {
    ...tenantColumn,
    userId: integer('user_id').notNull(),
    dueAt: integer('due_at').notNull(),
    waiting: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.userId] }),
    index('notice_digests_due').on(t.subscriptionId, t.dueAt, t.userId),
  ],
)

export const mailPreferences = sqliteTable(
  'mail_preferences',
  {
    ...tenantColumn,
    userId: integer('user_id').notNull(),
    digest: text().notNull(),
    stoppedKinds: text('stopped_kinds').notNull().default('[]'),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.userId] })],
)

/** A row of a batch whose changes mail nobody. The batch deletes the row. */
export const mailSilence = sqliteTable(
  'mail_silence',
  { subscriptionId: integer('subscription_id').notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] })],
)
