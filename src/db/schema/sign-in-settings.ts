import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const signInSettings = sqliteTable(
  'sign_in_settings',
  {
    subscriptionId: integer('subscription_id').notNull(),
    issuer: text(),
    clientId: text('client_id'),
    clientSecret: text('client_secret'),
    sealedBy: text('sealed_by'),
    domains: text().notNull().default('[]'),
    verifiedDomains: text('verified_domains').notNull().default('[]'),
    role: text().notNull().default('member'),
    onlyProvider: integer('only_provider').notNull().default(0),
    version: integer().notNull().default(1),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId] }),
    index('sign_in_settings_sealed').on(t.sealedBy).where(sql`client_secret IS NOT NULL`),
  ],
)

/** Workspace of each verified domain. A trigger copies the rows from `verified_domains`. */
export const signInDomains = sqliteTable(
  'sign_in_domains',
  {
    domain: text().notNull(),
    subscriptionId: integer('subscription_id').notNull(),
    checkedAt: integer('checked_at'),
    missingSince: integer('missing_since'),
    misses: integer().notNull().default(0),
    nextCheckAt: integer('next_check_at').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.domain] }),
    index('sign_in_domains_workspace').on(t.subscriptionId),
    index('sign_in_domains_due').on(t.nextCheckAt),
  ],
)
