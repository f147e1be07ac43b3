import { sql } from 'drizzle-orm'
import { type Guard, guard } from '../client/refuse'
import { columnOf } from '../sql/record-scope'
import { param, type Values } from '../sql/statement'
import type { AnyRecord } from './record'

interface DateOrder<S extends string, E extends string> {
  start: S
  end: E
  columns?: { start: string; end: string }
  noun: string
}

/** Guards that compare a single date of a body with the stored date; the schema compares both dates of a body. */
export function makeDateOrderGuards<S extends string, E extends string>(
  { table, columns, byKey }: Pick<AnyRecord, 'table' | 'columns' | 'byKey'>,
  { start, end, columns: names = { start, end }, noun }: DateOrder<S, E>,
): (key: Values, dates: { [N in S | E]?: number | null | undefined }) => Guard[] {
  const isStored = (comparison: string, column: string) =>
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${byKey} AND ${param('newDate')} ${sql.raw(comparison)} ${columnOf(columns, column)})`
  const startsAfterEnd = guard<Values>(
    `validation_failed:/${start}:Must not be after the ${end} of the ${noun}`,
    isStored('>', names.end),
  )
  const endsBeforeStart = guard<Values>(
    `validation_failed:/${end}:Must not be before the ${start} of the ${noun}`,
    isStored('<', names.start),
  )
  return (key, { [start]: from, [end]: to }) => [
    ...(from != null && to === undefined ? [startsAfterEnd({ ...key, newDate: from })] : []),
    ...(to != null && from === undefined ? [endsBeforeStart({ ...key, newDate: to })] : []),
  ]
}
