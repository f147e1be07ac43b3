import { sql } from 'drizzle-orm'
import type { AnyRecord } from './record'
import { type Guard, guard } from './refuse'
import { inline, param, type SqlValue, type Values } from './statement'

interface Uniqueness {
  onCreate(value: SqlValue): Guard[]
  /** Refuses a changed value; undefined passes. */
  onModify(key: Values, value: SqlValue): Guard[]
  onRestore(key: Values): Guard[]
}

export function uniqueness({ unique, table, visible, addressed, removed }: AnyRecord): Uniqueness {
  if (!unique) return { onCreate: () => [], onModify: () => [], onRestore: () => [] }
  const { column, taken } = unique
  const reason = inline(`conflict:${taken}`)
  const same = sql`FROM ${table} WHERE ${visible} AND ${column} = ${param('@unique')}`
  const create = guard<Values>(reason, sql`EXISTS (SELECT 1 ${same})`)
  const modify = guard<Values>(
    reason,
    sql`EXISTS (SELECT 1 ${same}) AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${addressed} AND ${column} = ${param('@unique')})`,
  )
  const restore = guard<Values>(
    reason,
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${visible}
      AND ${column} = (SELECT ${column} FROM ${table} WHERE ${removed}))`,
  )
  return {
    onCreate: (value) => [create({ '@unique': value })],
    onModify: (key, value) => (value === undefined ? [] : [modify({ ...key, '@unique': value })]),
    onRestore: (key) => [restore(key)],
  }
}
