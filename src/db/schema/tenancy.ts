import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, linkTable, removableColumns, timestampColumns } from './columns'

export const subscriptions = sqliteTable('subscriptions', {
  id: integer().primaryKey(),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

export const users = sqliteTable('users', {
  ...idColumns,
  email: text().notNull(),
  firstName: text('first_name').notNull().default(''),
  lastName: text('last_name').notNull().default(''),
  role: text().notNull(),
  attributes: text().notNull().default('{}'),
  ...timestampColumns,
  deletedAt: integer('deleted_at'),
  version: integer().notNull().default(1),
})

export const teams = sqliteTable('teams', {
  ...idColumns,
  name: text().notNull(),
  color: text(),
  ...timestampColumns,
  deletedAt: integer('deleted_at'),
  version: integer().notNull().default(1),
})

export const teamMembers = linkTable('team_members', {
  teamId: integer('team_id').notNull(),
  userId: integer('user_id').notNull(),
})

export const teamProducts = linkTable('team_products', {
  teamId: integer('team_id').notNull(),
  productId: integer('product_id').notNull(),
})

/** References cleared by a removal, for a later restore. */
export const detachments = linkTable('detachments', {
  kind: text().notNull(),
  removedId: integer('removed_id').notNull(),
  holderId: integer('holder_id').notNull(),
})

export const products = sqliteTable('products', {
  ...idColumns,
  externalKey: text('external_key').notNull(),
  name: text().notNull(),
  description: text(),
  color: text(),
  status: text().notNull().default('active'),
  ...removableColumns,
})

export const apiKeys = sqliteTable('api_keys', {
  ...idColumns,
  jti: text().notNull(),
  userId: integer('user_id').notNull(),
  name: text().notNull(),
  scopes: text().notNull(),
  products: text(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  lastUsedAt: integer('last_used_at'),
  revokedAt: integer('revoked_at'),
  issuedBy: integer('issued_by'),
  delegated: integer().notNull().default(0),
  rotatedBy: integer('rotated_by'),
  firstIssuedBy: integer('first_issued_by'),
})

export const counters = sqliteTable(
  'counters',
  {
    subscriptionId: integer('subscription_id').notNull(),
    prefix: text().notNull(),
    value: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.prefix] })],
)

export const writtenRows = sqliteTable(
  'written_rows',
  {
    subscriptionId: integer('subscription_id').notNull(),
    day: integer().notNull(),
    written: integer().notNull(),
    changesBefore: integer('changes_before').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId] })],
)

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    subscriptionId: integer('subscription_id').notNull(),
    key: text().notNull(),
    route: text().notNull(),
    part: integer().notNull(),
    bodyHash: text('body_hash').notNull(),
    answer: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.key, t.route, t.part] })],
)

export const EVENT_COLUMNS = {
  subscriptionId: integer('subscription_id').notNull(),
  id: integer().notNull(),
  productId: integer('product_id'),
  type: text().notNull(),
  actorUserId: integer('actor_user_id'),
  actorKey: text('actor_key'),
  resourceKey: text('resource_key').notNull(),
  createdAt: integer('created_at').notNull(),
  personId: integer('person_id'),
  requestId: text('request_id'),
  data: text().notNull(),
  previous: text(),
  /** `via:id` of the source of a write within the service. */
  origin: text(),
  hops: integer(),
}

/** Event log. `place` combines the workspace and the event id. */
export const log = sqliteTable('log', { place: integer().primaryKey(), ...EVENT_COLUMNS })

export const logKeeping = sqliteTable(
  'log_keeping',
  { subscriptionId: integer('subscription_id').notNull(), nextLookAt: integer('next_look_at').notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] })],
)

export const placements = sqliteTable(
  'placements',
  { subscriptionId: integer('subscription_id').notNull(), rank: text().notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] })],
)
