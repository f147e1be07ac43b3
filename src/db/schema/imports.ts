import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, linkTable, timestampColumns } from './columns'

export const imports = sqliteTable(
  'imports',
  {
    ...idColumns,
    reference: text().notNull(),
    kind: text().notNull(),
    area: text().notNull(),
    productId: integer('product_id'),
    segmentId: integer('segment_id'),
    status: text().notNull(),
    fileName: text('file_name').notNull(),
    fileType: text('file_type').notNull(),
    objectKey: text('object_key'),
    onConflict: text('on_conflict').notNull(),
    mapping: text().notNull(),
    header: text().notNull(),
    userId: integer('user_id').notNull(),
    total: integer().notNull(),
    done: integer().notNull().default(0),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    rejected: integer().notNull().default(0),
    kept: integer().notNull().default(0),
    problem: text(),
    nextAttemptAt: integer('next_attempt_at'),
    ...timestampColumns,
    finishedAt: integer('finished_at'),
    version: integer().notNull().default(1),
    inviteUrl: text('invite_url'),
    limited: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex('imports_reference').on(t.subscriptionId, t.reference),
    index('imports_created').on(t.subscriptionId, t.createdAt, t.id),
    index('imports_product').on(t.subscriptionId, t.productId, t.createdAt, t.id),
    index('imports_due').on(t.subscriptionId, t.nextAttemptAt).where(sql`status IN ('pending', 'running', 'undoing')`),
    index('imports_ended')
      .on(t.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL AND status NOT IN ('pending', 'running', 'undoing')`),
    index('imports_object').on(t.subscriptionId, t.objectKey).where(sql`object_key IS NOT NULL`),
    index('imports_updated').on(t.subscriptionId, t.updatedAt, t.id),
  ],
)

export const importWarnings = sqliteTable(
  'import_warnings',
  {
    subscriptionId: integer('subscription_id').notNull(),
    importId: integer('import_id').notNull(),
    number: integer().notNull(),
    field: text().notNull(),
    columnName: text('column_name'),
    value: text(),
    became: text(),
    reason: text().notNull(),
    rowCount: integer('row_count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.importId, t.number] })],
)

/** People whose row says that they get no mail, which the import did not take over. */
export const importRefusals = linkTable(
  'import_refusals',
  {
    userId: integer('user_id').notNull(),
    importId: integer('import_id').notNull(),
  },
  (t) => [index('import_refusals_import').on(t.subscriptionId, t.importId)],
)

export const importRows = sqliteTable(
  'import_rows',
  {
    subscriptionId: integer('subscription_id').notNull(),
    importId: integer('import_id').notNull(),
    outcome: text().notNull(),
    row: integer().notNull(),
    recordId: integer('record_id'),
    previous: text(),
    version: integer(),
    joined: integer().notNull().default(0),
    parentRow: integer('parent_row'),
    field: text(),
    value: text(),
    reason: text(),
    cells: text(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.importId, t.outcome, t.row] }),
    index('import_rows_record').on(t.subscriptionId, t.recordId).where(sql`record_id IS NOT NULL`),
    index('import_rows_parent').on(t.subscriptionId, t.importId, t.parentRow).where(sql`parent_row IS NOT NULL`),
  ],
)
