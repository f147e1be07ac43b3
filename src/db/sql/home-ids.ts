/*
 * A moved workspace keeps the ids of its rows, so two homes must not assign the same id. Range r covers the ids
 * [r × 2^32, (r + 1) × 2^32), and home h owns the ranges h, 2048 + h, 4096 + h and so on. SQLite assigns max(id) + 1. A
 * reserved row per table, with the first id of the range, makes SQLite continue in the range. A workspace moves only
 * into a home with a higher range, so no copied row raises max(id). Before the rows of a workspace leave, the reserved
 * rows rise above all rows, so that no id of the workspace is assigned again.
 *
 * Without imports, because commands run this file on Node.
 */

export const IDS_PER_RANGE = 2 ** 32

/** Numbers of homes are below, so each home has a range among this many. */
export const RANGE_STRIDE = 2_048

/** Ids of the workspaces that home h creates: [h × 2^20, (h + 1) × 2^20). The first id is reserved. */
export const WORKSPACE_BITS = 20

/** Ids in JSON stay below 2^53. */
const MAX_RANGE = 2 ** 21 - 1

/** The lowest range of the home that is above the given range. */
export function findNextRange(homeNumber: number, above: number): number {
  const next = homeNumber + RANGE_STRIDE * Math.max(0, Math.floor((above - homeNumber) / RANGE_STRIDE) + 1)
  if (next > MAX_RANGE) throw new Error(`Home ${homeNumber} has no range of ids above ${above}.`)
  return next
}

/** Owner of the reserved rows. In home 0, workspace 0 has messages of an unknown shape. */
export const reservedTenantOf = (homeNumber: number): number =>
  homeNumber === 0 ? -1 : homeNumber * 2 ** WORKSPACE_BITS

/** SQL: id of the next workspace of a home. Ids of workspaces that moved away or in are not assigned again. */
export const NEXT_WORKSPACE_ID = `(SELECT max(
    coalesce((SELECT max(id) FROM subscriptions WHERE id >= first AND id < first + ${2 ** WORKSPACE_BITS}), 0),
    coalesce((SELECT max(workspace_id) FROM workspace_moves
      WHERE workspace_id >= first AND workspace_id < first + ${2 ** WORKSPACE_BITS}), 0),
    first) + 1
  FROM (SELECT coalesce((SELECT number FROM home), 0) << ${WORKSPACE_BITS} AS first))`

export interface TenantTable {
  name: string
  /** SQL of the table. */
  sql: string
  /** JSON of `TenantColumn[]`. */
  columns: string
}

export interface TenantColumn {
  name: string
  type: string
  notnull: 0 | 1
  /** SQL, or null without a default. */
  default: string | null
  /** Position in the primary key, from 1; 0 outside the key. */
  pk: number
}

/** The database names its tables, because its schema may be newer than the code. Generated columns are left out. */
export const SELECT_TENANT_TABLES = `SELECT t.name AS "name", t.sql AS "sql", json_group_array(json_object(
    'name', c.name, 'type', c.type, 'notnull', c."notnull", 'default', c.dflt_value, 'pk', c.pk)) AS "columns"
  FROM (SELECT name, sql FROM sqlite_schema
    WHERE type = 'table' AND (sql LIKE '%subscription_id INTEGER NOT NULL%' OR name = 'subscriptions')) t
  CROSS JOIN pragma_table_info(t.name) c GROUP BY t.name ORDER BY t.name`

// The last millisecond of a Date: a reserved row is never due and never old.
const FAR_FUTURE_MS = 8_640_000_000_000_000

const RESERVED_NAME = 'Reserved ids'

/** Values of reserved rows where the value of the type would cause work. */
const QUIET_VALUES: Readonly<Record<string, string>> = {}

export const isNumbered = ({ name, columns }: TenantTable): boolean => {
  const key = (JSON.parse(columns) as TenantColumn[]).filter(({ pk }) => pk > 0)
  return name !== 'subscriptions' && key.length === 1 && key[0]?.name === 'id' && key[0].type === 'INTEGER'
}

function reservedValueOf(table: TenantTable, { name, type, ...column }: TenantColumn): string | undefined {
  const quiet = QUIET_VALUES[`${table.name}.${name}`]
  if (quiet !== undefined) return quiet
  if (!column.notnull) return undefined
  if (name.endsWith('_at')) return String(FAR_FUTURE_MS)
  if (column.default !== null) return undefined
  // The last value of a list is a final state.
  const [, lastChecked] = new RegExp(`CHECK \\(${name} IN \\((?:'[^']*', )*('[^']*')\\)\\)`).exec(table.sql) ?? []
  return lastChecked ?? (type === 'TEXT' ? "''" : '0')
}

function insertReservedRow(table: TenantTable, firstId: number, tenant: number): string {
  const values = (JSON.parse(table.columns) as TenantColumn[]).flatMap((column) => {
    if (column.name === 'id') return [['id', `max(${firstId}, coalesce((SELECT max(id) FROM "${table.name}"), 0) + 1)`]]
    if (column.name === 'subscription_id') return [['subscription_id', String(tenant)]]
    const value = reservedValueOf(table, column)
    return value === undefined ? [] : [[column.name, value]]
  })
  const names = values.map(([name]) => `"${name}"`).join(', ')
  return `INSERT INTO "${table.name}" (${names}) SELECT ${values.map(([, value]) => value).join(', ')}
    WHERE NOT EXISTS (SELECT 1 FROM "${table.name}" WHERE subscription_id = ${tenant})`
}

const refuseWhere = (reason: string, condition: string) => `INSERT INTO refusal SELECT '${reason}' WHERE ${condition}`

export interface HomeIds {
  number: number
  idRange: number
}

interface ReservationOptions {
  /** The reserved rows rise above all rows, and not only to the range. */
  aboveAllRows?: boolean
}

/**
 * Statements of one transaction that make the tables of a home assign ids of the range. Statements that ran before
 * change nothing. Range 0 of home 0 needs no reserved rows.
 */
export function listReservationStatements(
  tables: readonly TenantTable[],
  { number, idRange }: HomeIds,
  { aboveAllRows = false }: ReservationOptions = {},
): string[] {
  const tenant = reservedTenantOf(number)
  const setHome = `INSERT INTO home (number, id_range) VALUES (${number}, ${idRange})
    ON CONFLICT DO UPDATE SET id_range = excluded.id_range`
  const guards = [
    refuseWhere('The database belongs to another home.', `EXISTS (SELECT 1 FROM home WHERE number <> ${number})`),
    refuseWhere('The home has a higher range of ids.', `EXISTS (SELECT 1 FROM home WHERE id_range > ${idRange})`),
    refuseWhere(
      'The database has workspaces of another home.',
      `NOT EXISTS (SELECT 1 FROM home) AND EXISTS (SELECT 1 FROM subscriptions WHERE id >> ${WORKSPACE_BITS} <> ${number})`,
    ),
  ]
  if (idRange === 0 && !aboveAllRows) return [...guards, setHome]
  const firstId = idRange * IDS_PER_RANGE
  const tenantTables = tables.filter(({ name }) => name !== 'subscriptions')
  const makeWorkspace = `INSERT INTO subscriptions (id, name, created_at) SELECT ${tenant}, '${RESERVED_NAME}', ${FAR_FUTURE_MS}
    WHERE NOT EXISTS (SELECT 1 FROM subscriptions WHERE id = ${tenant})`
  const deleteOldRow = ({ name }: TenantTable) => {
    const highest = aboveAllRows ? ` OR +id < (SELECT max(id) FROM "${name}")` : ''
    return `DELETE FROM "${name}" WHERE subscription_id = ${tenant} AND (+id < ${firstId}${highest})`
  }
  const numbered = tenantTables.filter(isNumbered)
  return [
    ...guards,
    ...(number === 0 ? [] : [makeWorkspace]),
    ...numbered.flatMap((table) => [deleteOldRow(table), insertReservedRow(table, firstId, tenant)]),
    // Triggers gave the reserved workspace settings and the like.
    ...tenantTables
      .filter((table) => !isNumbered(table))
      .map(({ name }) => `DELETE FROM "${name}" WHERE subscription_id = ${tenant}`),
    setHome,
  ]
}

/** Statements to read before a home opens. `listOpeningStatements` takes the rows. */
export const SELECTS_BEFORE_OPENING = ['SELECT number, id_range AS "idRange" FROM home', SELECT_TENANT_TABLES]

/** Statements of one transaction that prepare a migrated database as the home. A repetition changes nothing. */
export function listOpeningStatements(number: number, [homes = [], tables = []]: readonly unknown[][]): string[] {
  const [stored = { number, idRange: number }] = homes as HomeIds[]
  return listReservationStatements(tables as TenantTable[], { number, idRange: stored.idRange })
}
