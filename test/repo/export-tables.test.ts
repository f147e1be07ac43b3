import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { createDatabase } from '../../scripts/migrations/dump'
import { subscriptions } from '../../src/db/schema/tenancy'
import { listCheckedColumns } from '../../src/workspace/exports/queries/checked-columns'
import { COLUMNS_WITHOUT_REFERENCE, referencesOf } from '../../src/workspace/exports/queries/references'
import { listExportedColumns } from '../../src/workspace/exports/queries/rows'
import { EXPORTED_TABLES, LEFT_OUT_TABLES } from '../../src/workspace/exports/queries/tables'
import { declaredTables } from '../tables'

const LIST = 'src/workspace/exports/queries/tables.ts'

const database = createDatabase()

test('every table of a workspace is exported, or left out with a reason', () => {
  const listed = [...EXPORTED_TABLES.map(({ table }) => table), ...LEFT_OUT_TABLES.map(([table]) => table)]
  const tables = declaredTables.filter((table) => table === subscriptions || 'subscriptionId' in getTableColumns(table))
  expect(listed.map(getTableName).sort(), `List each table once in ${LIST}.`).toEqual(tables.map(getTableName).sort())
})

test('a walk reads all rows in the order of its index', () => {
  const wrong = EXPORTED_TABLES.flatMap(({ table, walk }) => {
    if (!walk) return []
    const index = getTableConfig(table).indexes.find(({ config }) => config.name === walk.index)
    const names = index?.config.columns.map((column) => (column as SQLiteColumn).name).slice(1)
    const key = walk.by.map(({ name }) => name)
    // Each entry of an index ends with the id.
    const columns = key.at(-1) === 'id' && names?.at(-1) !== 'id' ? [...(names ?? []), 'id'] : names
    const isWhole =
      index && Boolean(index.config.where) === Boolean(walk.condition) && (index.config.unique || key.at(-1) === 'id')
    return isWhole && String(columns) === String(key) ? [] : [`${walk.index}: ${columns}`]
  })
  expect(wrong, 'Name an index without a condition, with all its columns, the last of which is unique.').toEqual([])
})

test('no secret and no computed column is exported', () => {
  const wrong = EXPORTED_TABLES.flatMap((exported) => {
    const name = getTableName(exported.table)
    const columns = getTableColumns(exported.table)
    const computed = database
      .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden > 1')
      .all(name)
      .map((row) => String(row.name))
    return listExportedColumns(exported)
      .map((column) => columns[column]?.name ?? '')
      .filter((column) => /secret|token|sealed|password/.test(column) || computed.includes(column))
      .map((column) => `${name}.${column}`)
  })
  expect(wrong, `Name the column in leftOut in ${LIST}.`).toEqual([])
})

test('every exported column with ids names the table of the ids', () => {
  const references = 'src/workspace/exports/queries/references.ts'
  const wrong = EXPORTED_TABLES.flatMap((exported) => {
    const name = getTableName(exported.table)
    const columns = getTableColumns(exported.table)
    return listExportedColumns(exported)
      .filter(
        (column) =>
          /(Id|Ids|mergedInto|mergedFrom|mentions)$/.test(column) && !['externalId', 'foreignId'].includes(column),
      )
      .filter((column) => {
        const isListed = columns[column] && COLUMNS_WITHOUT_REFERENCE.includes(columns[column] as SQLiteColumn)
        return !isListed && !referencesOf(name).has(column)
      })
      .map((column) => `${name}.${column}`)
  })
  expect(wrong, `Name the table in ${references}, or list the column in COLUMNS_WITHOUT_REFERENCE.`).toEqual([])
})

test('a restore allows the values that the database allows', () => {
  const wrong = EXPORTED_TABLES.flatMap(({ table }) => {
    const name = getTableName(table)
    const { sql } = database.prepare('SELECT sql FROM sqlite_master WHERE name = ?').get(name) as { sql: string }
    const checked = [...(listCheckedColumns().get(name)?.entries() ?? [])]
    return [...sql.matchAll(/CHECK \((\w+) IN \(([^)]+)\)\)/g)].flatMap(([, column, list = '']) => {
      const [key, found] = checked.find(([member]) => getTableColumns(table)[member]?.name === column) ?? []
      const allowed = found?.allowedValues?.map((value) => `'${value}'`).join(', ')
      return allowed === list ? [] : [`${name}.${key}: ${allowed}`]
    })
  })
  expect(wrong, 'Name the values in ALLOWED_VALUES in src/workspace/exports/queries/checked-columns.ts.').toEqual([])
})
