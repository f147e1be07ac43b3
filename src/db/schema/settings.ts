import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const settings = sqliteTable(
  'settings',
  {
    subscriptionId: integer('subscription_id').notNull(),
    feedback: text().notNull().default('{"moderation":false}'),
    version: integer().notNull().default(1),
    updatedAt: integer('updated_at').notNull(),
    cors: text().notNull().default('[]'),
    ideaUrl: text('idea_url'),
    mailTemplates: text('mail_templates').notNull().default('{}'),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId] })],
)
