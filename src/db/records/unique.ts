import { sql } from 'drizzle-orm'
import { guard } from '../client/refuse'
import { type Guard, inline, param, type Values } from '../sql/statement'
import type { BodyColumn } from './body'
import type { AnyRecord } from './record'

type GuardMaker = (values: Values) => Guard[]

const takenReason = (message: string) => inline(`conflict:${message}`)

export function makeUniqueInsertGuards(
  { resource, unique, table, notDeleted }: AnyRecord,
  body: readonly BodyColumn[],
): GuardMaker {
  if (!unique) return () => []
  const field = body.find(({ column }) => column === unique.column)
  if (!field) throw new Error(`Add the unique ${unique.column.name} to the body that inserts a ${resource}.`)
  const refuse = guard<Values>(
    takenReason(unique.takenMessage),
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${notDeleted} AND ${unique.column} = ${param(`=${field.name}`)})`,
  )
  return (values) => [refuse(values)]
}

export function makeUniqueUpdateGuards(record: AnyRecord, body: readonly BodyColumn[]): GuardMaker {
  const { unique, table, notDeleted, byKey } = record
  const field = body.find(({ column }) => column === unique?.column)
  if (!unique || !field) return () => []
  const name = `=${field.name}`
  const same = sql`${unique.column} = ${param(name)}`
  const refuse = guard<Values>(
    takenReason(unique.takenMessage),
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${notDeleted} AND ${same})
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${byKey} AND ${same})`,
  )
  return (values) => (name in values ? [refuse(values)] : [])
}

export function makeUniqueRestoreGuards({ unique, table, notDeleted, deletedByKey }: AnyRecord): GuardMaker {
  if (!unique) return () => []
  const refuse = guard<Values>(
    takenReason(unique.takenMessage),
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${notDeleted}
      AND ${unique.column} = (SELECT ${unique.column} FROM ${table} WHERE ${deletedByKey}))`,
  )
  return (key) => [refuse(key)]
}
