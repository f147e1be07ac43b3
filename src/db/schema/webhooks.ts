import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isRemoved, isVisible, removableColumns, tenantColumn } from './columns'

export const webhooks = sqliteTable(
  'webhooks',
  {
    ...idColumns,
    name: text().notNull(),
    url: text().notNull(),
    events: text().notNull(),
    products: text(),
    status: text().notNull().default('active'),
    keyId: integer('key_id').notNull(),
    secret: text().notNull(),
    previousSecret: text('previous_secret'),
    previousUntil: integer('previous_until'),
    sealedBy: text('sealed_by').notNull(),
    position: integer().notNull(),
    dueAt: integer('due_at'),
    failures: integer().notNull().default(0),
    failingSince: integer('failing_since'),
    lastError: text('last_error'),
    ...removableColumns,
    hookTokenHash: text('hook_token_hash'),
    firstKeyId: integer('first_key_id'),
    sealedUrl: text('sealed_url'),
    /** Origins of events that the endpoint does not receive, as JSON. */
    excludedOrigins: text('excluded_origins').notNull().default('[]'),
  },
  (t) => [
    index('webhooks_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('webhooks_name').on(t.subscriptionId, t.name, t.id).where(isVisible),
    index('webhooks_position').on(t.subscriptionId, t.position).where(sql`status = 'active' AND deleted_at IS NULL`),
    index('webhooks_due')
      .on(t.subscriptionId, t.dueAt)
      .where(sql`status = 'active' AND deleted_at IS NULL AND due_at IS NOT NULL`),
    index('webhooks_key').on(t.subscriptionId, t.keyId),
    index('webhooks_sealed').on(t.sealedBy),
    index('webhooks_removed').on(t.deletedAt).where(isRemoved),
    index('webhooks_first_key').on(t.subscriptionId, t.firstKeyId).where(sql`first_key_id IS NOT NULL`),
    index('webhooks_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('webhooks_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    subscriptionId: integer('subscription_id').notNull(),
    webhookId: integer('webhook_id').notNull(),
    eventId: integer('event_id').notNull(),
    type: text().notNull(),
    status: text().notNull().default('pending'),
    tries: integer().notNull().default(0),
    attempts: text().notNull().default('[]'),
    bytes: integer().notNull(),
    claim: text(),
    nextAttemptAt: integer('next_attempt_at').notNull(),
    createdAt: integer('created_at').notNull(),
    version: integer().notNull().default(1),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.webhookId, t.eventId] }),
    index('webhook_deliveries_due')
      .on(t.subscriptionId, t.webhookId, t.nextAttemptAt, t.eventId)
      .where(sql`status = 'pending'`),
    index('webhook_deliveries_old').on(t.createdAt),
  ],
)

export const webhookFeeds = sqliteTable(
  'webhook_feeds',
  { subscriptionId: integer('subscription_id').notNull(), nextLookAt: integer('next_look_at').notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] }), index('webhook_feeds_due').on(t.nextLookAt)],
)

export const incomingWebhooks = sqliteTable(
  'incoming_webhooks',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    provider: text().notNull(),
    action: text().notNull(),
    target: text().notNull(),
    mapping: text().notNull(),
    keyId: integer('key_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    baseUrl: text('base_url').notNull(),
    secret: text(),
    sealedBy: text('sealed_by'),
    ...removableColumns,
    previousSecret: text('previous_secret'),
    previousUntil: integer('previous_until'),
    previousTokenHash: text('previous_token_hash'),
    firstKeyId: integer('first_key_id'),
    exceptAuthors: text('except_authors').notNull().default('[]'),
  },
  (t) => [
    index('incoming_webhooks_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('incoming_webhooks_product').on(t.subscriptionId, t.productId, t.createdAt, t.id).where(isVisible),
    index('incoming_webhooks_of_product').on(t.productId),
    uniqueIndex('incoming_webhooks_token').on(t.subscriptionId, t.tokenHash),
    index('incoming_webhooks_key').on(t.subscriptionId, t.keyId),
    index('incoming_webhooks_sealed').on(t.sealedBy).where(sql`sealed_by IS NOT NULL`),
    index('incoming_webhooks_removed').on(t.deletedAt).where(isRemoved),
    index('incoming_webhooks_previous_token')
      .on(t.subscriptionId, t.previousTokenHash)
      .where(sql`previous_token_hash IS NOT NULL`),
    index('incoming_webhooks_first_key').on(t.subscriptionId, t.firstKeyId).where(sql`first_key_id IS NOT NULL`),
    index('incoming_webhooks_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('incoming_webhooks_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const incomingRecords = sqliteTable(
  'incoming_records',
  {
    ...tenantColumn,
    productId: integer('product_id').notNull(),
    kind: text().notNull(),
    source: text().notNull(),
    foreignId: text('foreign_id').notNull(),
    changedAt: integer('changed_at'),
    isRemoved: integer('is_removed').notNull().default(0),
    details: text().notNull().default('{}'),
    position: integer().notNull().default(0),
    waitsFor: text('waits_for'),
    leaseUntil: integer('lease_until').notNull().default(0),
    holder: integer(),
    seenAt: integer('seen_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.productId, t.kind, t.source, t.foreignId] }),
    index('incoming_records_old').on(t.seenAt),
    index('incoming_records_waiting').on(t.subscriptionId, t.productId, t.waitsFor).where(sql`waits_for IS NOT NULL`),
  ],
)

export const incomingReceipts = sqliteTable(
  'incoming_receipts',
  {
    ...idColumns,
    incomingWebhookId: integer('incoming_webhook_id').notNull(),
    deliveryId: text('delivery_id').notNull(),
    status: text().notNull().default('queued'),
    payload: text(),
    outcome: text(),
    error: text(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at').notNull(),
    createdAt: integer('created_at').notNull(),
    version: integer().notNull().default(1),
    signedDigest: text('signed_digest'),
    hops: integer().notNull().default(0),
  },
  (t) => [
    index('incoming_receipts_created').on(t.subscriptionId, t.incomingWebhookId, t.createdAt, t.id),
    uniqueIndex('incoming_receipts_delivery').on(t.subscriptionId, t.incomingWebhookId, t.deliveryId),
    index('incoming_receipts_due').on(t.subscriptionId, t.nextAttemptAt).where(sql`status = 'queued'`),
    index('incoming_receipts_old').on(t.createdAt),
    index('incoming_receipts_signed')
      .on(t.subscriptionId, t.incomingWebhookId, t.signedDigest)
      .where(sql`signed_digest IS NOT NULL`),
    index('incoming_receipts_kept')
      .on(t.subscriptionId, t.incomingWebhookId, t.createdAt, t.id)
      .where(sql`payload IS NOT NULL AND status <> 'queued'`),
  ],
)
