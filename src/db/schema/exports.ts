import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { tenantColumn, timestampColumns } from './columns'

export const exportRuns = sqliteTable(
  'exports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ...tenantColumn,
    kind: text().notNull().default('export'),
    status: text().notNull().default('queued'),
    include: text().notNull().default('[]'),
    objectKey: text('object_key').notNull(),
    /** Milliseconds after the completion. */
    keptFor: integer('kept_for').notNull(),
    step: integer().notNull().default(0),
    position: text(),
    /** JSON, while bytes exist. */
    archive: text(),
    progress: integer().notNull().default(0),
    recordCount: integer('record_count').notNull().default(0),
    fileCount: integer('file_count').notNull().default(0),
    eventCount: integer('event_count').notNull().default(0),
    size: integer(),
    problem: text(),
    /** Since the last progress. */
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at'),
    ...timestampColumns,
    finishedAt: integer('finished_at'),
    expiresAt: integer('expires_at'),
    version: integer().notNull().default(1),
  },
  (t) => [
    index('exports_created').on(t.subscriptionId, t.createdAt, t.id),
    index('exports_due').on(t.subscriptionId, t.nextAttemptAt).where(sql`status IN ('queued', 'running')`),
    index('exports_ended')
      .on(t.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL AND status NOT IN ('queued', 'running')`),
    uniqueIndex('exports_object').on(t.subscriptionId, t.objectKey),
  ],
)

export const exportEntries = sqliteTable(
  'export_entries',
  {
    ...tenantColumn,
    exportId: integer('export_id').notNull(),
    number: integer().notNull(),
    path: text().notNull(),
    position: integer().notNull(),
    size: integer().notNull(),
    packedSize: integer('packed_size').notNull(),
    crc32: integer().notNull(),
    sha256: text().notNull(),
    deflated: integer().notNull(),
    rowCount: integer('row_count'),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.exportId, t.number] })],
)

/** Ids in the file of a restore. */
export const restoredIds = sqliteTable(
  'restored_ids',
  {
    ...tenantColumn,
    exportId: integer('export_id').notNull(),
    tableName: text('table_name').notNull(),
    fileId: integer('file_id').notNull(),
    /** From 1, in the order of the ids of a table. */
    rank: integer(),
    /** Of the highest id of a table, after the reservation. */
    reservedId: integer('reserved_id'),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.exportId, t.tableName, t.fileId] })],
)

export const backupSchedule = sqliteTable(
  'backup_schedule',
  { ...tenantColumn, nextAt: integer('next_at').notNull() },
  (t) => [primaryKey({ columns: [t.subscriptionId] }), index('backup_schedule_due').on(t.nextAt)],
)
