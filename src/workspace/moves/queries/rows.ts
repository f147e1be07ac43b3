import type { Statement, Values } from '../../../db/sql/statement'
import { type MovedTable, makeRawStatement, quoted, TENANT, tenantOf, WORKSPACE } from './tables'

/* Rows travel as JSON that SQLite writes and reads, because JavaScript would round large integers. */

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

/** Makes the rows of the table equal to the given rows. `missing`: rows whose key another workspace has. */
function listRowChanges(table: MovedTable, { cell, from }: SyncSource, values: Values): Statement<SyncRow>[] {
  const { name, columns, key } = table
  const isRow = (alias: string) =>
    key.map((column) => `${alias}.${quoted(column)} = ${cell(columns.indexOf(column))}`).join(' AND ')
  const others = columns.filter((column) => !key.includes(column))
  const differs = others.map((column) => `t.${quoted(column)} IS NOT ${cell(columns.indexOf(column))}`)
  // The plus keeps SQLite from reading all rows of the workspace for each given row.
  const update = `UPDATE ${name} AS t SET ${others.map((column) => `${quoted(column)} = ${cell(columns.indexOf(column))}`)}
    FROM ${from} r WHERE ${isRow('t')} AND +t.${tenantOf(table)} = ${WORKSPACE} AND (${differs.join(' OR ')})
    RETURNING 1 AS "changes"`
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

/** A sign-in writes a row without a workspace into each home but the person's. */
function deleteDecoys({ columns }: MovedTable, values: Values): Statement<SyncRow> {
  const hash = readCell('r.value', columns.indexOf('address_hash'))
  return makeRawStatement<SyncRow>(`DELETE FROM sign_ins WHERE ${TENANT} = 0
    AND address_hash IN (SELECT ${hash} FROM json_each({rows}) r) RETURNING 1 AS "changes"`)(values)
}

/** `cells`: JSON of rows. */
export function listChangesOfRows(table: MovedTable, subscriptionId: number, cells: readonly string[]) {
  const values = { '@subscription': subscriptionId, rows: `[${cells.join(',')}]` }
  const source = { cell: (place: number) => readCell('r.value', place), from: 'json_each({rows})' }
  const changes = listRowChanges(table, source, values)
  return table.name === 'sign_ins' ? [deleteDecoys(table, values), ...changes] : changes
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
