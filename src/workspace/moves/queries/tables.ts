import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { SELECT_TENANT_TABLES, type TenantColumn, type TenantTable } from '../../../db/sql/home-ids'
import { param, type Statement, statement, type Values } from '../../../db/sql/statement'

/* The tables of a workspace, from the schema of the database. */

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
  /** Triggers of other tables insert rows. */
  isWrittenByTriggers: boolean
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

const SELECT_TRIGGERS = `SELECT tbl_name AS "tableName", sql AS "sql" FROM sqlite_schema WHERE type = 'trigger'`

const selectTables = makeRawStatement<TenantTable>(SELECT_TENANT_TABLES)
const selectTriggers = makeRawStatement<{ tableName: string; sql: string }>(SELECT_TRIGGERS)
const selectIndexes = makeRawStatement<IndexRow>(SELECT_TENANT_INDEXES)

export const TENANT = 'subscription_id'
export const WORKSPACE = '{@subscription}'
// An index over all rows, with a condition that hides it from queries that list visible rows.
const ANY_ROW_PATTERN = /WHERE id > 0$/

function describeTable(
  table: TenantTable,
  { indexes, written }: { indexes: readonly IndexRow[]; written: ReadonlySet<string> },
): MovedTable {
  const columns = JSON.parse(table.columns) as TenantColumn[]
  const names = columns.map(({ name }) => name)
  const key = columns
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name)
  const common = { name: table.name, columns: names, key, isWrittenByTriggers: written.has(table.name) }
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

export const tenantOf = ({ name }: MovedTable) => (name === 'subscriptions' ? 'id' : TENANT)

/**
 * The workspace first, then the keys: nobody can use a workspace half of which is deleted. Tables that triggers fill come
 * last, because a trigger cannot insert a row that is there.
 */
const rankOfTable = ({ name, isWrittenByTriggers }: MovedTable) =>
  name === 'subscriptions' ? 0 : name === 'api_keys' ? 1 : isWrittenByTriggers ? 3 : 2

export async function listMovedTables(store: Store): Promise<MovedTable[]> {
  const [tables, indexes, triggers] = await store.batch(null, selectTables({}), selectIndexes({}), selectTriggers({}))
  const written = new Set(
    triggers.flatMap(({ tableName, sql }) =>
      Array.from(sql.matchAll(/\bINSERT (?:OR \w+ )?INTO (\w+)/g), ([, name = '']) => name).filter(
        (name) => name !== tableName,
      ),
    ),
  )
  const described = tables.map((table) => describeTable(table, { indexes, written }))
  return described.sort((a, b) => rankOfTable(a) - rankOfTable(b))
}

export const quoted = (name: string) => `"${name}"`

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
