import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const fills = sqliteTable('fills', { name: text().notNull(), position: integer().notNull() }, (t) => [
  primaryKey({ columns: [t.name] }),
])
