import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isAnyRow, isRemoved, isVisible, removableColumns, timestampColumns } from './columns'

export const segments = sqliteTable(
  'segments',
  {
    ...idColumns,
    name: text().notNull(),
    description: text(),
    color: text(),
    type: text().notNull().default('manual'),
    rules: text(),
    userCount: integer('user_count').notNull().default(0),
    ...removableColumns,
    countedAt: integer('counted_at'),
    doubleOptIn: integer('double_opt_in').notNull().default(0),
    doubleOptInSince: integer('double_opt_in_since'),
  },
  (t) => [
    uniqueIndex('segments_name').on(t.subscriptionId, t.name).where(isVisible),
    index('segments_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('segments_removed').on(t.deletedAt).where(isRemoved),
    index('segments_heavy').on(t.subscriptionId).where(sql`coalesce(octet_length(rules), 0) > 40000`),
    index('segments_type').on(t.subscriptionId, t.type, t.createdAt, t.id).where(isVisible),
    index('segments_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('segments_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('segments_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const segmentMembers = sqliteTable(
  'segment_members',
  {
    subscriptionId: integer('subscription_id').notNull(),
    segmentId: integer('segment_id').notNull(),
    userId: integer('user_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.segmentId, t.userId] }),
    index('segment_members_user').on(t.subscriptionId, t.userId, t.segmentId),
  ],
)

export const segmentConfirmations = sqliteTable(
  'segment_confirmations',
  {
    subscriptionId: integer('subscription_id').notNull(),
    segmentId: integer('segment_id').notNull(),
    userId: integer('user_id').notNull(),
    status: text().notNull().default('pending'),
    dueAt: integer('due_at'),
    askedAt: integer('asked_at'),
    confirmedAt: integer('confirmed_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.segmentId, t.userId] }),
    index('segment_confirmations_due').on(t.subscriptionId, t.dueAt).where(sql`due_at IS NOT NULL`),
    index('segment_confirmations_user').on(t.subscriptionId, t.userId),
  ],
)

export const invitations = sqliteTable(
  'invitations',
  {
    subscriptionId: integer('subscription_id').notNull(),
    userId: integer('user_id').notNull(),
    status: text().notNull(),
    round: integer().notNull().default(1),
    sentAt: integer('sent_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    resendCount: integer('resend_count').notNull().default(0),
    mailing: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.userId] }),
    index('invitations_mailing').on(t.subscriptionId, t.mailing, t.userId),
    index('invitations_pending').on(t.subscriptionId, t.sentAt, t.userId).where(sql`status = 'pending'`),
  ],
)

export const suppressions = sqliteTable(
  'suppressions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    subscriptionId: integer('subscription_id').notNull(),
    email: text().notNull(),
    segmentId: integer('segment_id').notNull().default(0),
    reason: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('suppressions_address').on(t.subscriptionId, t.email, t.segmentId),
    index('suppressions_created').on(t.subscriptionId, t.createdAt),
  ],
)

export const emails = sqliteTable(
  'emails',
  {
    ...idColumns,
    randomName: text('reference').notNull(),
    segmentId: integer('segment_id'),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    baseUrl: text('base_url').notNull(),
    status: text().notNull().default('queued'),
    chunkSize: integer('chunk_size').notNull(),
    total: integer().notNull(),
    sent: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    suppressed: integer().notNull().default(0),
    ...timestampColumns,
    completedAt: integer('completed_at'),
    kind: text().notNull().default('segment'),
    replyTo: text('reply_to'),
    scheduledAt: integer('scheduled_at'),
    canceledAt: integer('canceled_at'),
    delivered: integer().notNull().default(0),
    bounced: integer().notNull().default(0),
    complained: integer().notNull().default(0),
    eventCount: integer('event_count').notNull().default(0),
    erasedAt: integer('erased_at'),
    forgottenAt: integer('forgotten_at'),
    variables: text(),
  },
  (t) => [
    uniqueIndex('emails_reference').on(t.subscriptionId, t.randomName),
    index('emails_segment').on(t.subscriptionId, t.segmentId, t.createdAt).where(sql`segment_id IS NOT NULL`),
    index('emails_created').on(t.subscriptionId, t.createdAt),
    index('emails_ended').on(t.completedAt).where(sql`completed_at IS NOT NULL AND erased_at IS NULL`),
    index('emails_by_hand').on(t.subscriptionId, t.createdAt).where(sql`kind IN ('segment', 'members', 'test')`),
    index('emails_erased').on(t.completedAt).where(sql`erased_at IS NOT NULL AND forgotten_at IS NULL`),
    index('emails_updated').on(t.subscriptionId, t.updatedAt, t.id),
  ],
)

export const emailRecipients = sqliteTable(
  'email_recipients',
  {
    subscriptionId: integer('subscription_id').notNull(),
    emailId: integer('email_id').notNull(),
    position: integer().notNull(),
    userId: integer('user_id').notNull(),
    email: text().notNull(),
    status: text().notNull().default('queued'),
    reason: text(),
    providerId: text('provider_id'),
    updatedAt: integer('updated_at').notNull(),
    variables: text(),
    eventRank: integer('event_rank').notNull().default(0),
    byId: integer('by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.emailId, t.position] }),
    index('email_recipients_by_id').on(t.providerId).where(sql`by_id = 1`),
  ],
)

export const emailChunks = sqliteTable(
  'email_chunks',
  {
    subscriptionId: integer('subscription_id').notNull(),
    emailId: integer('email_id').notNull(),
    chunk: integer().notNull(),
    status: text().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    asked: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at').notNull(),
    claim: text(),
    unsureSince: integer('unsure_since'),
    problem: text(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.emailId, t.chunk] }),
    index('email_chunks_due').on(t.emailId, t.nextAttemptAt).where(sql`status <> 'done'`),
  ],
)

export const emailSlices = sqliteTable(
  'email_slices',
  {
    subscriptionId: integer('subscription_id').notNull(),
    emailId: integer('email_id').notNull(),
    slice: integer().notNull(),
    recipients: text().notNull(),
    nextAttemptAt: integer('next_attempt_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.emailId, t.slice] }),
    index('email_slices_due').on(t.emailId, t.nextAttemptAt),
  ],
)

export const mailOutages = sqliteTable(
  'mail_outages',
  {
    subscriptionId: integer('subscription_id').notNull(),
    provider: text().notNull(),
    since: integer().notNull(),
    failedAt: integer('failed_at').notNull(),
    reason: text().notNull(),
    reportedAt: integer('reported_at'),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId] }),
    index('mail_outages_unreported').on(t.since).where(sql`reported_at IS NULL`),
  ],
)
