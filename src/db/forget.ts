import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { caller, inline, param, type Statement, statement } from './statement'

const DAY = 86_400_000

// Retention per kind of data: the setting with the number of days, and the default.
const KEPT = {
  events: ['EVENTS_KEPT_DAYS', 365],
  recipients: ['RECIPIENTS_KEPT_DAYS', 365],
  deliveries: ['DELIVERIES_KEPT_DAYS', 30],
} as const

type Kept = { [what in keyof typeof KEPT as (typeof KEPT)[what][0]]?: string }

/** Retention time in milliseconds; undefined means unlimited. */
export function keptFor(settings: Kept, what: keyof typeof KEPT): number | undefined {
  const [name, usual] = KEPT[what]
  const set = settings[name] ?? ''
  const days = /^\d{1,5}$/.test(set) ? Number(set) : usual
  return days === 0 ? undefined : days * DAY
}

export function identity(table: SQLiteTable): SQL {
  const { columns, primaryKeys } = getTableConfig(table)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  return sql.join(
    key.map((column) => sql`${column}`),
    sql`, `,
  )
}

// Limit of a run per minute: old rows are deleted as fast as a busy day adds new rows.
const MAX_FORGOTTEN = inline(5_000)

interface Forgotten {
  only?: SQL
  /** Index to find the oldest rows, when SQLite would choose another. */
  by?: string
}

/** Makes the statement to delete the oldest rows older than `kept` milliseconds, across all workspaces. */
export function forgets(
  moment: SQLiteColumn,
  { only, by }: Forgotten = {},
): (values: { kept: number }) => Statement<never> {
  const { table } = moment
  const index = by ? sql`INDEXED BY ${sql.identifier(by)}` : sql``
  return statement<never, { kept: number }>(sql`DELETE FROM ${table} WHERE (${identity(table)}) IN (
    SELECT ${identity(table)} FROM ${table} ${index} WHERE ${moment} <= ${caller.now} - ${param('kept')}
      ${only ? sql`AND ${only}` : sql``} ORDER BY ${moment} LIMIT ${MAX_FORGOTTEN})`)
}
