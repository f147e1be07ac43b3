import { integer, primaryKey, type SQLiteColumnBuilderBase, sqliteTable } from 'drizzle-orm/sqlite-core'

export const tenantColumn = { subscriptionId: integer('subscription_id').notNull() }

export const idColumns = { id: integer().primaryKey(), ...tenantColumn }

export const timestampColumns = {
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
}

export const versionColumns = { version: integer().notNull().default(1), ...timestampColumns }

export const removableColumns = { ...versionColumns, deletedAt: integer('deleted_at') }

/** A table of the tenant with all columns in the primary key. */
export const linkTable = <N extends string, C extends Record<string, SQLiteColumnBuilderBase>>(name: N, columns: C) =>
  sqliteTable(name, { ...tenantColumn, ...columns }, (t) => [primaryKey({ columns: Object.values(t) as never })])
