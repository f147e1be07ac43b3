import { sql } from 'drizzle-orm'
import { type Guard, guard } from '../client/refuse'
import { inline, param, type SqlValue, type Values } from '../sql/statement'
import type { AnyRecord } from './record'

interface UniqueGuards {
  onCreate(value: SqlValue): Guard[]
  /** Refuses a changed value; undefined passes. */
  onUpdate(key: Values, value: SqlValue): Guard[]
  onRestore(key: Values): Guard[]
}

export function uniqueGuards({ unique, table, notDeleted, byKey, deletedByKey }: AnyRecord): UniqueGuards {
  if (!unique) return { onCreate: () => [], onUpdate: () => [], onRestore: () => [] }
  const { column, takenMessage } = unique
  const reason = inline(`conflict:${takenMessage}`)
  const same = sql`FROM ${table} WHERE ${notDeleted} AND ${column} = ${param('@unique')}`
  const create = guard<Values>(reason, sql`EXISTS (SELECT 1 ${same})`)
  const modify = guard<Values>(
    reason,
    sql`EXISTS (SELECT 1 ${same}) AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${byKey} AND ${column} = ${param('@unique')})`,
  )
  const restore = guard<Values>(
    reason,
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${notDeleted}
      AND ${column} = (SELECT ${column} FROM ${table} WHERE ${deletedByKey}))`,
  )
  return {
    onCreate: (value) => [create({ '@unique': value })],
    onUpdate: (key, value) => (value === undefined ? [] : [modify({ ...key, '@unique': value })]),
    onRestore: (key) => [restore(key)],
  }
}
