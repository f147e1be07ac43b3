import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, removableColumns } from './columns'

export const webhooks = sqliteTable('webhooks', {
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
})

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
  (t) => [primaryKey({ columns: [t.subscriptionId, t.webhookId, t.eventId] })],
)

export const webhookFeeds = sqliteTable(
  'webhook_feeds',
  { subscriptionId: integer('subscription_id').notNull(), nextLookAt: integer('next_look_at').notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] })],
)

export const incomingWebhooks = sqliteTable('incoming_webhooks', {
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
})

export const incomingReceipts = sqliteTable('incoming_receipts', {
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
})
