import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { caller, inline, param, type Statement, statement } from './statement'

const DAY = 86_400_000

// What is kept for a time, the setting that says for how many days, and how many they are without it.
const KEPT = {
  events: ['EVENTS_KEPT_DAYS', 365],
  recipients: ['RECIPIENTS_KEPT_DAYS', 365],
  deliveries: ['DELIVERIES_KEPT_DAYS', 30],
} as const

type Kept = { [what in keyof typeof KEPT as (typeof KEPT)[what][0]]?: string }

/** For how many milliseconds something is kept; undefined where it is for ever. */
export function keptFor(settings: Kept, what: keyof typeof KEPT): number | undefined {
  const [name, usual] = KEPT[what]
  const set = settings[name] ?? ''
  const days = /^\d{1,5}$/.test(set) ? Number(set) : usual
  return days === 0 ? undefined : days * DAY
}

/** The columns that name a row of a table. */
export function identity(table: SQLiteTable): SQL {
  const { columns, primaryKeys } = getTableConfig(table)
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  return sql.join(
    key.map((column) => sql`${column}`),
    sql`, `,
  )
}

// A minute's share: a busy day's rows are forgotten as fast as they came.
const MAX_FORGOTTEN = inline(5_000)

interface Forgotten {
  /** Which of them alone. */
  only?: SQL
  /** The index by which the oldest are found, where SQLite would take another. */
  by?: string
}

/** Makes the statement that deletes rows whose moment is `kept` milliseconds ago, of all workspaces, the oldest first. */
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
