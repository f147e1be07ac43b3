import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import '../../src/operations'
import { API_TAGS, RESOURCES } from '../../src/resources'
import { listPurgedTables } from '../../src/workspace/purge/queries'
import { declaredTables } from '../tables'

const hasColumn = (table: SQLiteTable, name: string) => name in getTableColumns(table)

test('every resource stands below a heading', () => {
  const wrong = Object.entries(RESOURCES).filter(([, { tag }]) => !Object.hasOwn(API_TAGS, tag))
  const messages = wrong.map(
    ([name, { tag }]) => `${name}: add a line for the heading "${tag}" to API_TAGS in src/resources.ts.`,
  )
  expect(messages).toEqual([])
})

test('every table with soft-delete is purged', () => {
  const purged = new Set<SQLiteTable>(listPurgedTables().map(({ table }) => table))
  const wrong = declaredTables.filter((table) => hasColumn(table, 'deletedAt') && !purged.has(table))
  expect(
    wrong.map(
      (table) =>
        `${getTableName(table)} has deleted_at, but nothing purges its rows: declare a record with the table and call lifecycle(record) in its queries.ts.`,
    ),
  ).toEqual([])
})

// The cron deletes the rows after a time, or the rows stay with the workspace, the log or a work item.
const KEPT_TABLES = [
  ...['api_keys', 'settings', 'portals', 'subscriptions', 'counters', 'placements', 'work_item_rollups'],
  ...['log', 'log_keeping', 'written_rows', 'idempotency_keys', 'webhook_feeds'],
  ...['emails', 'email_recipients', 'email_chunks', 'email_slices', 'mail_outages', 'suppressions'],
  ...['erasures', 'erased_addresses', 'address_keys', 'exports', 'export_entries', 'restored_ids', 'backup_schedule'],
  ...[
    'feedback_bulk',
    'feedback_changes',
    'feedback_notices',
    'mail_silence',
    'notices',
    'sign_ins',
    'sign_in_settings',
    'sign_in_domains',
    'fills',
    'imports',
    'import_warnings',
    'work_item_bulk',
    'dead_letters',
    'cron_runs',
    'home',
    'workspace_moves',
  ],
]

test('every table without soft-delete is purged with a record', () => {
  const dependent = new Set(
    listPurgedTables().flatMap(({ dependentColumns }) => dependentColumns.map(({ table }) => table)),
  )
  const wrong = declaredTables.filter(
    (table) => !hasColumn(table, 'deletedAt') && !dependent.has(table) && !KEPT_TABLES.includes(getTableName(table)),
  )
  expect(
    wrong.map(
      (table) =>
        `${getTableName(table)}: list its column with the id of the record in dependentColumns of that record's table, in src/workspace/purge/queries.ts.`,
    ),
  ).toEqual([])
})

test("a product's purge reaches every table with product_id", () => {
  const reached = new Set<SQLiteTable>(
    listPurgedTables().flatMap(({ contentColumns = [], dependentColumns }) =>
      [...contentColumns, ...dependentColumns].map(({ table }) => table),
    ),
  )
  const wrong = declaredTables.filter(
    (table) => hasColumn(table, 'productId') && !reached.has(table) && !KEPT_TABLES.includes(getTableName(table)),
  )
  expect(
    wrong.map(
      (table) =>
        `${getTableName(table)}: the purge of a product leaves its rows. Declare the record with scope 'product' or { product: column }, or list the column in dependentColumns, in src/workspace/purge/queries.ts.`,
    ),
  ).toEqual([])
})
