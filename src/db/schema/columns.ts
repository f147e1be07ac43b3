import { type BuildExtraConfigColumns, sql } from 'drizzle-orm'
import {
  type IndexBuilder,
  integer,
  primaryKey,
  type SQLiteColumnBuilderBase,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'

export const tenantColumn = { subscriptionId: integer('subscription_id').notNull() }

export const idColumns = { id: integer().primaryKey(), ...tenantColumn }

export const timestampColumns = {
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
}

export const versionColumns = { version: integer().notNull().default(1), ...timestampColumns }

export const removableColumns = { ...versionColumns, deletedAt: integer('deleted_at') }

/** Id of the record in another system. */
export const externalIdColumns = { source: text(), externalId: text('external_id') }

export const hasExternalId = sql`external_id IS NOT NULL`

export const commentColumns = {
  parentId: integer('parent_id'),
  userId: integer('user_id').notNull(),
  text: text().notNull(),
  isPrivate: integer('is_private').notNull().default(0),
  ...timestampColumns,
  deletedAt: integer('deleted_at'),
  mentions: text().notNull().default('[]'),
  version: integer().notNull().default(1),
  /** 1: removed, but has replies; 2: text deleted after the time to restore. */
  tombstone: integer().notNull().default(0),
  removedText: text('removed_text'),
  ...externalIdColumns,
}

/** Conditions of partial indexes. */
export const isVisible = sql`deleted_at IS NULL`
export const isRemoved = sql`deleted_at IS NOT NULL`

/** Always true. Only an export uses an index with this condition. */
export const isAnyRow = sql`id > 0`

/** A table of the tenant with all columns in the primary key. */
export const linkTable = <N extends string, C extends Record<string, SQLiteColumnBuilderBase>>(
  name: N,
  columns: C,
  indexes: (t: BuildExtraConfigColumns<N, typeof tenantColumn & C, 'sqlite'>) => IndexBuilder[] = () => [],
) =>
  sqliteTable(name, { ...tenantColumn, ...columns }, (t) => [
    primaryKey({ columns: Object.values(t) as never }),
    ...indexes(t as never),
  ])
