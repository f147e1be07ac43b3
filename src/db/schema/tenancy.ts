import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  externalIdColumns,
  hasExternalId,
  idColumns,
  isAnyRow,
  isRemoved,
  isVisible,
  linkTable,
  removableColumns,
  timestampColumns,
} from './columns'

export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    createdAt: integer('created_at').notNull(),
    eraseAt: integer('erase_at'),
  },
  (t) => [index('subscriptions_erase').on(t.eraseAt).where(sql`erase_at IS NOT NULL`)],
)

export const users = sqliteTable(
  'users',
  {
    ...idColumns,
    email: text().notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    role: text().notNull(),
    attributes: text().notNull().default('{}'),
    ...timestampColumns,
    deletedAt: integer('deleted_at'),
    version: integer().notNull().default(1),
    ...externalIdColumns,
    /** Number of changes of the address. Links in mails carry it, and end with the next change. */
    addressRound: integer('address_round').notNull().default(0),
  },
  (t) => [
    uniqueIndex('users_email').on(t.subscriptionId, t.email),
    index('users_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('users_owners').on(t.subscriptionId).where(sql`role = 'owner' AND deleted_at IS NULL`),
    index('users_removed').on(t.deletedAt).where(isRemoved),
    index('users_heavy').on(t.subscriptionId).where(sql`octet_length(attributes) > 40000`),
    uniqueIndex('users_external_id').on(t.subscriptionId, t.source, t.externalId).where(hasExternalId),
    index('users_known_name')
      .on(t.subscriptionId, sql`lower(trim(first_name || ' ' || last_name))`)
      .where(sql`deleted_at IS NULL AND first_name || last_name <> ''`),
    index('users_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('users_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
    index('users_sign_in').on(t.email).where(sql`role <> 'idm_member' AND deleted_at IS NULL`),
  ],
)

export const teams = sqliteTable(
  'teams',
  {
    ...idColumns,
    name: text().notNull(),
    color: text(),
    ...timestampColumns,
    deletedAt: integer('deleted_at'),
    version: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('teams_name').on(t.subscriptionId, t.name).where(isVisible),
    index('teams_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('teams_removed').on(t.deletedAt).where(isRemoved),
    index('teams_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('teams_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('teams_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const teamMembers = linkTable(
  'team_members',
  {
    teamId: integer('team_id').notNull(),
    userId: integer('user_id').notNull(),
  },
  (t) => [index('team_members_user').on(t.subscriptionId, t.userId)],
)

export const teamProducts = linkTable(
  'team_products',
  {
    teamId: integer('team_id').notNull(),
    productId: integer('product_id').notNull(),
  },
  (t) => [index('team_products_product').on(t.subscriptionId, t.productId)],
)

/** References cleared by a removal, for a later restore. */
export const detachments = linkTable('detachments', {
  kind: text().notNull(),
  removedId: integer('removed_id').notNull(),
  holderId: integer('holder_id').notNull(),
})

export const products = sqliteTable(
  'products',
  {
    ...idColumns,
    externalKey: text('external_key').notNull(),
    name: text().notNull(),
    description: text(),
    color: text(),
    status: text().notNull().default('active'),
    ...removableColumns,
  },
  (t) => [
    uniqueIndex('products_key').on(t.subscriptionId, t.externalKey),
    index('products_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('products_removed').on(t.deletedAt).where(isRemoved),
    index('products_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('products_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

/** A secret key of a program, a key in pages that everybody can read, or the session of a person who signed in. */
export type KeyKind = 'secret' | 'publishable' | 'session'

export const apiKeys = sqliteTable(
  'api_keys',
  {
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
    /** Copy of the workspace's time, because every write reads the row of its key. */
    eraseAt: integer('erase_at'),
    kind: text().$type<KeyKind>().notNull().default('secret'),
    /** 1 for an ended session that keys or webhooks still name. */
    retained: integer().notNull().default(0),
    /** Of a publishable key. */
    origins: text(),
  },
  (t) => [
    uniqueIndex('api_keys_jti').on(t.subscriptionId, t.jti),
    index('api_keys_issued').on(t.subscriptionId, t.issuedBy).where(sql`issued_by IS NOT NULL`),
    index('api_keys_rotated').on(t.subscriptionId, t.rotatedBy).where(sql`rotated_by IS NOT NULL`),
    index('api_keys_first_issued').on(t.subscriptionId, t.firstIssuedBy).where(sql`first_issued_by IS NOT NULL`),
    index('api_keys_listed').on(t.subscriptionId, t.createdAt, t.id).where(sql`kind <> 'session'`),
    index('api_keys_sessions').on(t.subscriptionId, t.userId, t.createdAt, t.id).where(sql`kind = 'session'`),
    index('api_keys_ended')
      .on(sql`min(expires_at, coalesce(revoked_at, expires_at))`)
      .where(sql`kind = 'session' AND retained = 0`),
  ],
)

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
    bytes: integer().notNull().default(0),
    measuredAt: integer('measured_at').notNull().default(0),
    countedEvent: integer('counted_event').notNull().default(0),
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
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.key, t.route, t.part] }),
    index('idempotency_keys_created').on(t.createdAt),
  ],
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
  /** `via` or `via:id` of the cause; null for an event from before release 0.3.0. */
  origin: text(),
  hops: integer(),
  /** JSON object from a resource to the number of records that leave or return with the record of the event. */
  cascade: text(),
}

/** Event log. `place` combines the workspace and the event id. */
export const log = sqliteTable('log', { place: integer().primaryKey(), ...EVENT_COLUMNS }, (t) => [
  index('log_resource').on(t.subscriptionId, t.resourceKey),
])

export const logKeeping = sqliteTable(
  'log_keeping',
  { subscriptionId: integer('subscription_id').notNull(), nextLookAt: integer('next_look_at').notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] }), index('log_keeping_due').on(t.nextLookAt)],
)

export const placements = sqliteTable(
  'placements',
  { subscriptionId: integer('subscription_id').notNull(), rank: text().notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] })],
)
