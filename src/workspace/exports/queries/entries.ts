import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { exportEntries } from '../../../db/schema/exports'
import { boundLimit, caller, columnList, inline, param, type SelectedRow, statement } from '../../../db/sql/statement'

const ENTRY_COLUMNS = ['number', 'path', 'position', 'size', 'packedSize', 'crc32', 'sha256', 'deflated'] as const
const ENTRIES_PER_PAGE = 1_000

type EntryRow = SelectedRow<typeof exportEntries, (typeof ENTRY_COLUMNS)[number]>
type CountRow = SelectedRow<typeof exportEntries, 'path' | 'rowCount'>

const entryIsOfExport = sql`${exportEntries.subscriptionId} = ${caller.subscription} AND ${exportEntries.exportId} = ${param('exportId')}`

const selectEntries = statement<
  EntryRow,
  { exportId: number; after: number; limit: number }
>(sql`SELECT ${columnList(exportEntries, ENTRY_COLUMNS)}
  FROM ${exportEntries} WHERE ${entryIsOfExport} AND ${exportEntries.number} > ${param('after')}
  ORDER BY ${exportEntries.number} ${boundLimit('limit')}`)

interface EntryPageKey {
  subscriptionId: number
  exportId: number
  after: number
  limit?: number
}

export const listEntries = async (
  store: Store,
  { subscriptionId, limit = ENTRIES_PER_PAGE, ...key }: EntryPageKey,
): Promise<EntryRow[]> => (await store.batch(subscriptionId, selectEntries({ ...key, limit })))[0]

// The files of records come first. Their number is the number of tables, and a file of events.
const MAX_RECORD_FILES = inline(1_000)

const selectRecordCounts = statement<
  CountRow,
  { exportId: number }
>(sql`SELECT ${columnList(exportEntries, ['path', 'rowCount'])}
  FROM ${exportEntries} WHERE ${entryIsOfExport} AND ${exportEntries.number} < ${MAX_RECORD_FILES}
    AND ${exportEntries.rowCount} IS NOT NULL ORDER BY ${exportEntries.number}`)

export const listRecordCounts = async (
  store: Store,
  { subscriptionId, exportId }: Omit<EntryPageKey, 'after'>,
): Promise<CountRow[]> => (await store.batch(subscriptionId, selectRecordCounts({ exportId })))[0]
