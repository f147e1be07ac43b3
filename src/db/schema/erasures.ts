import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantColumn } from './columns'

export const erasures = sqliteTable(
  'erasures',
  {
    ...tenantColumn,
    userId: integer('user_id').notNull(),
    erasedAt: integer('erased_at').notNull(),
    step: integer().notNull().default(0),
    position: text(),
    /** JSON, until the last step. */
    person: text(),
    nextAttemptAt: integer('next_attempt_at'),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.userId] }),
    index('erasures_due').on(t.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
  ],
)

export const erasedAddresses = sqliteTable('erased_addresses', { ...tenantColumn, hash: text().notNull() }, (t) => [
  primaryKey({ columns: [t.subscriptionId, t.hash] }),
])

export const addressKeys = sqliteTable(
  'address_keys',
  { ...tenantColumn, secret: text().notNull(), sealedBy: text('sealed_by').notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] }), index('address_keys_sealed').on(t.sealedBy)],
)
