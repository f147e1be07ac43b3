import { getTableColumns, getTableName, type SQLChunk, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../../db/client/client'
import { log } from '../../../db/schema/tenancy'
import { isEventAfter } from '../../../db/sql/log'
import { caller, columnList, inline, makeLazy, param, statement, type Values } from '../../../db/sql/statement'
import { type ArchivedEvent, archivedEventColumns } from '../../events/statements'
import { EXPORTED_TABLES, type ExportedTable } from './tables'

// The Worker holds a page in memory, and D1 limits a response.
const MAX_PAGE_BYTES = inline(1_000_000)
const MAX_PAGE_ROWS = 1_000
const ROW_BYTES_WITHOUT_TEXTS = inline(100)

export type RowPosition = readonly (string | number)[]

export interface RowPage {
  /** NDJSON of the rows, with the column names of the schema. */
  lines: string
  rowCount: number
  /** Null at the end of the table. */
  next: RowPosition | null
}

const joinSql = (parts: readonly SQLChunk[], by = sql`, `) => sql.join([...parts], by)

/** The workspace is left out, because the workspace is the same in all rows. */
export function listExportedColumns({ table, leftOut = [] }: ExportedTable): string[] {
  return Object.entries(getTableColumns(table)).flatMap(([name, column]) =>
    name === 'subscriptionId' || leftOut.includes(column as SQLiteColumn) ? [] : [name],
  )
}

export function listPrimaryKey(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return (primaryKeys[0]?.columns as SQLiteColumn[] | undefined) ?? columns.filter(({ primary }) => primary)
}

export function findTenantColumn(table: SQLiteTable): SQLiteColumn {
  const { subscriptionId, id } = getTableColumns(table) as Record<string, SQLiteColumn>
  const tenant = subscriptionId ?? id
  if (!tenant) throw new Error(`The table ${getTableName(table)} has no workspace`)
  return tenant
}

function listWalkedColumns({ table, walk }: ExportedTable): readonly SQLiteColumn[] {
  const tenant = findTenantColumn(table)
  const by = walk?.by ?? listPrimaryKey(table).filter((column) => column !== tenant)
  return by.length ? by : [tenant]
}

function createRowReader(exported: ExportedTable) {
  const { table, walk } = exported
  const by = listWalkedColumns(exported)
  const columns = getTableColumns(table) as Record<string, SQLiteColumn>
  const names = listExportedColumns(exported)
  const textLengths = names.flatMap((name) =>
    columns[name]?.getSQLType() === 'text' ? [sql`coalesce(octet_length(${columns[name]}), 0)`] : [],
  )
  const primaryKey = listPrimaryKey(table)
  const keyNames = by.map((_, n) => `key${n}`)
  const key = joinSql(by.map((column) => sql`${column}`))
  const pageKey = joinSql(keyNames.map((name) => sql.raw(`page.${name}`)))
  // The lengths come first, because a row has up to 2 MB.
  const candidates = sql`SELECT ${joinSql(primaryKey.map((column) => sql`${column}`))},
      ${joinSql(by.map((column, n) => sql`${column} AS ${sql.raw(`key${n}`)}`))},
      ${joinSql([ROW_BYTES_WITHOUT_TEXTS, ...textLengths], sql` + `)} AS bytes
    FROM ${table} ${walk ? sql`INDEXED BY ${sql.identifier(walk.index)}` : sql``}
    WHERE ${findTenantColumn(table)} = ${caller.subscription} ${walk?.condition ? sql`AND ${walk.condition}` : sql``}
      AND (${key}) > (${joinSql(by.map((_, n) => param(`after${n}`)))})
    ORDER BY ${key} LIMIT ${inline(MAX_PAGE_ROWS)}`
  const isSameRow = primaryKey.map((column) => sql`${column} = ${sql.raw(`page."${column.name}"`)}`)
  const select = statement<Record<string, unknown>, Values>(sql`SELECT ${columnList(table, names as never)}, ${pageKey},
      page.candidates
    FROM (SELECT *, count(*) OVER () AS candidates,
        sum(bytes) OVER (ORDER BY ${sql.raw(keyNames.join())} ROWS UNBOUNDED PRECEDING) - bytes AS before
      FROM (${candidates})) page
    CROSS JOIN ${table} ON ${joinSql(isSameRow, sql` AND `)}
    WHERE page.before <= ${MAX_PAGE_BYTES} ORDER BY ${pageKey}`)
  return { names, select, start: by.map((column) => (column.getSQLType() === 'text' ? '' : -1)), keyNames }
}

export const EXPORTED_TABLE_NAMES: readonly string[] = EXPORTED_TABLES.map(({ table }) => getTableName(table))

const listRowReaders = makeLazy(() => EXPORTED_TABLES.map(createRowReader))

/** Reads the rows after `position`, at most 1,000 rows and about 2 MB, in the order of the table's key. */
export async function readTablePage(
  store: Store,
  subscriptionId: number,
  tableNumber: number,
  position: RowPosition | null,
): Promise<RowPage> {
  const reader = listRowReaders()[tableNumber]
  if (!reader) throw new Error(`An export has no table ${tableNumber}`)
  const { names, select, start, keyNames } = reader
  const after = Object.fromEntries((position ?? start).map((value, n) => [`after${n}`, value]))
  const [found] = await store.batch(subscriptionId, select(after))
  const last = found.at(-1)
  const candidates = Number(last?.candidates ?? 0)
  const isLastPage = found.length === candidates && candidates < MAX_PAGE_ROWS
  const next = isLastPage || !last ? null : keyNames.map((name) => last[name] as string | number)
  // The list of names leaves out the columns of the walk.
  const lines = found.map((row) => `${JSON.stringify(row, names)}\n`).join('')
  return { lines, rowCount: found.length, next }
}

const selectEvents = statement<ArchivedEvent, { after: number }>(sql`SELECT ${archivedEventColumns}
  FROM (SELECT place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (
    SELECT ${log.place} AS place, octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0) AS bytes
    FROM ${log} NOT INDEXED WHERE ${isEventAfter(param('after'))} ORDER BY ${log.place} LIMIT ${inline(MAX_PAGE_ROWS)})) page
  CROSS JOIN ${log} ON ${log.place} = page.place
  WHERE page.before <= ${MAX_PAGE_BYTES} ORDER BY ${log.place}`)

export const readLogPage = async (store: Store, subscriptionId: number, after: number): Promise<ArchivedEvent[]> =>
  (await store.batch(subscriptionId, selectEvents({ after })))[0]
