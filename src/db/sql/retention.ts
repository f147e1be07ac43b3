import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isRowInThisHome } from './fence'
import { caller, inline, param, type Statement, statement } from './statement'

const DAY_MS = 86_400_000

// Retention per kind of data: the setting with the number of days, and the default.
const RETENTION_SETTINGS = {
  events: ['EVENTS_KEPT_DAYS', 30],
  recipients: ['RECIPIENTS_KEPT_DAYS', 365],
  deliveries: ['DELIVERIES_KEPT_DAYS', 30],
  backups: ['BACKUP_DAYS', 0],
} as const

type RetentionSettings = { [what in keyof typeof RETENTION_SETTINGS as (typeof RETENTION_SETTINGS)[what][0]]?: string }

/** In milliseconds; undefined means unlimited. */
export function readRetentionMs(
  settings: RetentionSettings,
  what: keyof typeof RETENTION_SETTINGS,
): number | undefined {
  const [name, usual] = RETENTION_SETTINGS[what]
  const set = settings[name] ?? ''
  const days = /^\d{1,5}$/.test(set) ? Number(set) : usual
  return days === 0 ? undefined : days * DAY_MS
}

function listPrimaryKey(table: SQLiteTable): readonly SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return (primaryKeys[0]?.columns as SQLiteColumn[] | undefined) ?? columns.filter(({ primary }) => primary)
}

export function primaryKeyColumns(table: SQLiteTable): SQL {
  return sql.join(
    listPrimaryKey(table).map((column) => sql`${column}`),
    sql`, `,
  )
}

/** SQLite uses the highest id again after a delete, so the row of the highest id waits until a newer row exists. */
export function isBelowHighestId(table: SQLiteTable): SQL {
  const [id, ...others] = listPrimaryKey(table)
  return id === undefined || others.length || id.getSQLType() !== 'integer'
    ? sql`true`
    : sql`${id} < (SELECT max(newest.${sql.identifier(id.name)}) FROM ${table} newest)`
}

// Limit of a run per minute: old rows are deleted as fast as a busy day adds new rows.
const MAX_DELETED_PER_RUN = inline(5_000)

interface DeleteExpiredOptions {
  condition?: SQL
  /** Index to find the oldest rows, when SQLite would choose another. */
  index?: string
}

export function deleteExpired(
  moment: SQLiteColumn,
  { condition, index: by }: DeleteExpiredOptions = {},
): (values: { kept: number }) => Statement<never> {
  const { table } = moment
  const index = by ? sql`INDEXED BY ${sql.identifier(by)}` : sql``
  return statement<never, { kept: number }>(sql`DELETE FROM ${table} WHERE (${primaryKeyColumns(table)}) IN (
    SELECT ${primaryKeyColumns(table)} FROM ${table} ${index} WHERE ${moment} <= ${caller.now} - ${param('kept')}
      ${condition ? sql`AND ${condition}` : sql``} AND ${isRowInThisHome(table)} ORDER BY ${moment} LIMIT ${MAX_DELETED_PER_RUN})`)
}
