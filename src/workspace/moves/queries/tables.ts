import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { SELECT_TENANT_TABLES, type TenantColumn, type TenantTable } from '../../../db/sql/home-ids'
import { param, type Statement, statement, type Values } from '../../../db/sql/statement'

/*
 * SQL over all tables of a workspace, made from the schema of the database. Rows travel as JSON that SQLite writes and
 * reads, because JavaScript would round large integers.
 */

/** Makes a statement of SQL in which {name} is a bound value. */
export function makeRawStatement<Row>(text: string): (values: Values) => Statement<Row> {
  const parts = text.split(/\{(@?\w+)\}/).map((part, n): SQL => (n % 2 === 0 ? sql.raw(part) : sql`${param(part)}`))
  return statement<Row, Values>(sql.join(parts))
}

export interface MovedTable {
  name: string
  /** Stored columns. */
  columns: string[]
  key: string[]
  /** SQL of the rows of the workspace, found through an index. */
  source: string
  condition: string
  /** The order in which pages are read. */
  by: string[]
}

interface IndexRow {
  tableName: string
  indexName: string
  sql: string | null
  partial: 0 | 1
  /** JSON of names, with null for an expression. */
  columns: string
}

const SELECT_TENANT_INDEXES = `SELECT t.name AS "tableName", i.name AS "indexName", s.sql AS "sql", i.partial AS "partial",
    (SELECT json_group_array(name) FROM (SELECT c.name FROM pragma_index_info(i.name) c ORDER BY c.seqno)) AS "columns"
  FROM (SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%subscription_id INTEGER NOT NULL%') t
  CROSS JOIN pragma_index_list(t.name) i LEFT JOIN sqlite_schema s ON s.type = 'index' AND s.name = i.name
  ORDER BY t.name, i.name`

const selectTables = makeRawStatement<TenantTable>(SELECT_TENANT_TABLES)
const selectIndexes = makeRawStatement<IndexRow>(SELECT_TENANT_INDEXES)

const TENANT = 'subscription_id'
const WORKSPACE = '{@subscription}'
// An index over all rows, with a condition that hides it from queries that list visible rows.
const ANY_ROW_PATTERN = /WHERE id > 0$/

function describeTable(table: TenantTable, indexes: readonly IndexRow[]): MovedTable {
  const columns = JSON.parse(table.columns) as TenantColumn[]
  const names = columns.map(({ name }) => name)
  const key = columns
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name)
  const common = { name: table.name, columns: names, key }
  if (table.name === 'subscriptions')
    return { ...common, source: table.name, condition: `id = ${WORKSPACE}`, by: ['id'] }
  const condition = `${TENANT} = ${WORKSPACE}`
  // The workspace is in the upper half of the place.
  if (table.name === 'log') {
    const places = `place > (${WORKSPACE} << 32) AND place < ((${WORKSPACE} + 1) << 32)`
    return { ...common, source: 'log NOT INDEXED', condition: places, by: ['place'] }
  }
  if (key[0] === TENANT) return { ...common, source: table.name, condition, by: key.length > 1 ? key.slice(1) : key }
  const isRequired = (name: string | null) =>
    columns.some((column) => column.name === name && (column.notnull || column.pk))
  const index = indexes.find(({ tableName, sql, partial, columns }) => {
    const indexed = JSON.parse(columns) as (string | null)[]
    const isWhole = !partial || ANY_ROW_PATTERN.test(sql ?? '')
    return tableName === table.name && indexed[0] === TENANT && isWhole && indexed.every(isRequired)
  })
  if (!index) return { ...common, source: table.name, condition, by: key }
  const indexed = (JSON.parse(index.columns) as string[]).filter((name) => name !== TENANT)
  return {
    ...common,
    source: `${table.name} INDEXED BY ${index.indexName}`,
    condition: index.partial ? `${condition} AND id > 0` : condition,
    by: [...new Set([...indexed, ...key])],
  }
}

/** The workspace first, then the keys: nobody can use a workspace half of which is deleted. */
const rankOfTable = ({ name }: MovedTable) => (name === 'subscriptions' ? 0 : name === 'api_keys' ? 1 : 2)

export async function listMovedTables(store: Store): Promise<MovedTable[]> {
  const [tables, indexes] = await store.batch(null, selectTables({}), selectIndexes({}))
  const described = tables.map((table) => describeTable(table, indexes))
  return described.sort((a, b) => rankOfTable(a) - rankOfTable(b))
}

const quoted = (name: string) => `"${name}"`

// D1 limits the columns of a result to 100.
const MAX_COLUMNS = 90

/** Names of the tables with rows of the workspace. */
export async function listFilledTables(
  store: Store,
  subscriptionId: number,
  tables: readonly MovedTable[],
): Promise<string[]> {
  const selects: Statement<Record<string, 0 | 1>>[] = []
  for (let at = 0; at < tables.length; at += MAX_COLUMNS) {
    const columns = tables
      .slice(at, at + MAX_COLUMNS)
      .map(({ name, source, condition }) => `EXISTS (SELECT 1 FROM ${source} WHERE ${condition}) AS ${quoted(name)}`)
    selects.push(makeRawStatement<Record<string, 0 | 1>>(`SELECT ${columns}`)({ '@subscription': subscriptionId }))
  }
  const results = await store.batch(null, ...selects)
  return results.flat().flatMap((row) => Object.keys(row).filter((name) => row[name] === 1))
}

// D1 limits the arguments of a function to 32.
const MAX_ARGUMENTS = 30

function splitColumns(names: readonly string[]): string[][] {
  const chunks: string[][] = []
  for (let at = 0; at < names.length; at += MAX_ARGUMENTS) chunks.push(names.slice(at, at + MAX_ARGUMENTS))
  return chunks
}

/** JSON array of arrays, below the limit of arguments. */
const writeCells = (table: string, names: readonly string[]) =>
  `json_array(${splitColumns(names)
    .map((some) => `json_array(${some.map((name) => `${table}.${quoted(name)}`).join(', ')})`)
    .join(', ')})`

const readCell = (json: string, place: number) =>
  `(${json} ->> '$[${Math.floor(place / MAX_ARGUMENTS)}][${place % MAX_ARGUMENTS}]')`

const readKey = (json: string, names: readonly string[]) => names.map((_, n) => readCell(json, n)).join(', ')

const MAX_PAGE_ROWS = 1_000
const MAX_PAGE_BYTES = 250_000
/** A row of this size, with escapes in JSON, stays below the limit of a bound value. */
const MAX_JSON_ROW_BYTES = 200_000
const ROW_BYTES_WITHOUT_TEXTS = 100

export interface PageRow {
  /** JSON: the position in the walk. */
  position: string
  /** JSON: the primary key. */
  key: string
  /** JSON of all columns, or null for a row that travels alone. */
  cells: string | null
  candidates: number
}

/** Reads the rows after a position, or the first rows. */
export function selectPage(table: MovedTable, subscriptionId: number, after: string | null): Statement<PageRow> {
  const { columns, by, key, source, condition } = table
  const walked = [...new Set([...by, ...key])].map(quoted)
  const lengths = columns.map((name) => `coalesce(octet_length(${quoted(name)}), 0)`)
  const order = by.map(quoted).join(', ')
  const pageOrder = by.map((name) => `page.${quoted(name)}`).join(', ')
  const start = after === null ? '' : `AND (${order}) > (${readKey('{after}', by)})`
  // JSON holds no blobs and rounds numbers with a fraction.
  const types = columns.map((name) => `typeof(t.${quoted(name)})`).join(' || ')
  return makeRawStatement<PageRow>(`SELECT ${writeCells('page', by)} AS "position", ${writeCells('page', key)} AS "key",
      iif(page.bytes > ${MAX_JSON_ROW_BYTES} OR instr(${types}, 'blob') OR instr(${types}, 'real'), NULL,
        ${writeCells('t', columns)}) AS "cells", page.candidates AS "candidates"
    FROM (SELECT *, count(*) OVER () AS candidates,
        sum(bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - bytes AS before
      FROM (SELECT ${walked.join(', ')}, ${ROW_BYTES_WITHOUT_TEXTS} + ${lengths.join(' + ')} AS bytes
        FROM ${source} WHERE ${condition} ${start} ORDER BY ${order} LIMIT ${MAX_PAGE_ROWS})) page
    CROSS JOIN ${table.name} t ON ${key.map((name) => `t.${quoted(name)} = page.${quoted(name)}`).join(' AND ')}
    WHERE page.before <= ${MAX_PAGE_BYTES} ORDER BY ${pageOrder}`)({
    '@subscription': subscriptionId,
    ...(after !== null && { after }),
  })
}

/** Position of the next page, or null at the end. */
export function nextPositionOf(rows: readonly PageRow[]): string | null {
  const last = rows.at(-1)
  const candidates = last?.candidates ?? 0
  return last && (rows.length < candidates || candidates === MAX_PAGE_ROWS) ? last.position : null
}

export interface SyncRow {
  changes: number
}

interface SyncSource {
  /** SQL of the values of a row. */
  cell(place: number): string
  from: string
}

const tenantOf = ({ name }: MovedTable) => (name === 'subscriptions' ? 'id' : TENANT)

/** Makes the rows of the table equal to the given rows. `missing`: rows whose key another workspace has. */
function listRowChanges(table: MovedTable, { cell, from }: SyncSource, values: Values): Statement<SyncRow>[] {
  const { name, columns, key } = table
  const isRow = (alias: string) =>
    key.map((column) => `${alias}.${quoted(column)} = ${cell(columns.indexOf(column))}`).join(' AND ')
  const isOfWorkspace = (alias: string) => `${alias}.${tenantOf(table)} = ${WORKSPACE}`
  const others = columns.filter((column) => !key.includes(column))
  const differs = others.map((column) => `t.${quoted(column)} IS NOT ${cell(columns.indexOf(column))}`)
  const update = `UPDATE ${name} AS t SET ${others.map((column) => `${quoted(column)} = ${cell(columns.indexOf(column))}`)}
    FROM ${from} r WHERE ${isRow('t')} AND ${isOfWorkspace('t')} AND (${differs.join(' OR ')}) RETURNING 1 AS "changes"`
  const insert = `INSERT INTO ${name} (${columns.map(quoted)}) SELECT ${columns.map((_, n) => cell(n))} FROM ${from} r
    WHERE NOT EXISTS (SELECT 1 FROM ${name} t WHERE ${isRow('t')}) RETURNING 1 AS "changes"`
  return [...(others.length ? [update] : []), insert].map((text) => makeRawStatement<SyncRow>(text)(values))
}

/** Deletes the rows between two positions that are not among the keys. */
export function deleteSurplusRows(
  table: MovedTable,
  subscriptionId: number,
  { after, upTo, keys }: { after: string | null; upTo: string | null; keys: readonly string[] },
): Statement<SyncRow> {
  const { name, by, key, source, condition } = table
  const order = by.map(quoted).join(', ')
  const names = key.map(quoted).join(', ')
  const bounds = [
    ...(after === null ? [] : [`AND (${order}) > (${readKey('{after}', by)})`]),
    ...(upTo === null ? [] : [`AND (${order}) <= (${readKey('{upTo}', by)})`]),
  ]
  return makeRawStatement<SyncRow>(`DELETE FROM ${name} WHERE (${names}) IN (SELECT ${names} FROM ${source}
      WHERE ${condition} ${bounds.join(' ')})
    AND (${names}) NOT IN (SELECT ${readKey('value', key)} FROM json_each({keys})) RETURNING 1 AS "changes"`)({
    '@subscription': subscriptionId,
    keys: `[${keys.join(',')}]`,
    ...(after !== null && { after }),
    ...(upTo !== null && { upTo }),
  })
}

/** `cells`: JSON of rows. */
export function listChangesOfRows(table: MovedTable, subscriptionId: number, cells: readonly string[]) {
  return listRowChanges(
    table,
    { cell: (place) => readCell('r.value', place), from: 'json_each({rows})' },
    { '@subscription': subscriptionId, rows: `[${cells.join(',')}]` },
  )
}

/** Counts the rows whose key another workspace of the database has. */
export function countTakenKeys(table: MovedTable, subscriptionId: number, keys: readonly string[]) {
  const { name, key } = table
  const isRow = key.map((column, n) => `t.${quoted(column)} = ${readCell('r.value', n)}`).join(' AND ')
  return makeRawStatement<{ taken: number }>(`SELECT count(*) AS "taken" FROM json_each({keys}) r
    CROSS JOIN ${name} t ON ${isRow} WHERE t.${tenantOf(table)} <> ${WORKSPACE}`)({
    '@subscription': subscriptionId,
    keys: `[${keys.join(',')}]`,
  })
}

/**
 * False for keys that name the workspace. Ids belong to a home, but two homes may assign the same ids after one of them
 * was restored to an earlier moment.
 */
export const canBeTaken = ({ name, key }: MovedTable): boolean =>
  !key.includes(TENANT) && !['subscriptions', 'log'].includes(name)

type SingleRow = Record<string, string | number | ArrayBuffer | null>

/** Reads a row that JSON cannot hold. Integers come as text. */
export function selectSingleRow(table: MovedTable, subscriptionId: number, key: string): Statement<SingleRow> {
  const { name, columns, key: names } = table
  const cells = columns.flatMap((column, n) => [
    `iif(typeof(${quoted(column)}) = 'integer', CAST(${quoted(column)} AS TEXT), ${quoted(column)}) AS "c${n}"`,
    `typeof(${quoted(column)}) AS "t${n}"`,
  ])
  const isRow = names.map((column, n) => `${quoted(column)} = ${readCell('{key}', n)}`).join(' AND ')
  return makeRawStatement<SingleRow>(
    `SELECT ${cells.join(', ')} FROM ${name} WHERE ${isRow} AND ${tenantOf(table)} = ${WORKSPACE}`,
  )({ '@subscription': subscriptionId, key })
}

export function listChangesOfSingleRow(table: MovedTable, subscriptionId: number, row: SingleRow) {
  const cell = (place: number) => (row[`t${place}`] === 'integer' ? `CAST({c${place}} AS INTEGER)` : `{c${place}}`)
  const values = Object.fromEntries(table.columns.map((_, n) => [`c${n}`, row[`c${n}`] as string]))
  return listRowChanges(table, { cell, from: '(SELECT 1)' }, { '@subscription': subscriptionId, ...values })
}

export const DELETED_ROWS_PER_SLICE = 1_000

export function deleteSlice({ name, key, source, condition }: MovedTable, subscriptionId: number): Statement<SyncRow> {
  const names = key.map(quoted).join(', ')
  return makeRawStatement<SyncRow>(`DELETE FROM ${name} WHERE (${names}) IN (SELECT ${names} FROM ${source}
    WHERE ${condition} LIMIT ${DELETED_ROWS_PER_SLICE}) RETURNING 1 AS "changes"`)({ '@subscription': subscriptionId })
}
