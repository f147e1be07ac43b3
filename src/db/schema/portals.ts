import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const portals = sqliteTable(
  'portals',
  {
    subscriptionId: integer('subscription_id').notNull(),
    slug: text(),
    name: text(),
    visibility: text().notNull().default('public'),
    segments: text().notNull().default('[]'),
    products: text().notNull().default('[]'),
    statuses: text(),
    categories: text(),
    signUp: text('sign_up').notNull().default('anyone'),
    accent: text().notNull().default('#0b6e5f'),
    mode: text().notNull().default('system'),
    logo: integer(),
    darkLogo: integer('dark_logo'),
    locale: text().notNull().default('en'),
    roadmap: integer().notNull().default(1),
    changelog: integer().notNull().default(1),
    version: integer().notNull().default(1),
    updatedAt: integer('updated_at').notNull(),
    endUserSecret: text('end_user_secret'),
    previousSecret: text('previous_secret'),
    /** A day after the last rotation. */
    previousUntil: integer('previous_until'),
    sealedBy: text('sealed_by'),
    domain: text(),
    domainVerified: integer('domain_verified'),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId] }),
    uniqueIndex('portals_slug').on(t.slug).where(sql`slug IS NOT NULL`),
    index('portals_sealed').on(t.sealedBy).where(sql`end_user_secret IS NOT NULL`),
    uniqueIndex('portals_domain').on(t.domain).where(sql`domain_verified = 1`),
  ],
)
