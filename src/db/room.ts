import { sql } from 'drizzle-orm'
import type { AnyRecord } from './record'
import { type Guard, guard } from './refuse'
import { caller, inline, type Values } from './statement'

/** Noun of a record for messages. */
export const nameOf = ({ missing }: Pick<AnyRecord, 'missing'>): string =>
  missing.replace(/_not_found$/, '').replaceAll('_', ' ')

interface Room {
  onCreate(): Guard[]
  onRestore(key: Values): Guard[]
}

export function room(record: AnyRecord): Room {
  const { most, table, columns, removed } = record
  if (most === undefined) return { onCreate: () => [], onRestore: () => [] }
  const reason = inline(`conflict:A workspace has at most ${most} ${nameOf(record)}s. Remove one first.`)
  const full = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${columns.subscriptionId} = ${caller.subscription}
    AND ${columns.deletedAt} IS NULL LIMIT 1 OFFSET ${inline(most - 1)})`
  const create = guard(reason, full)
  const restore = guard<Values>(reason, sql`EXISTS (SELECT 1 FROM ${table} WHERE ${removed}) AND ${full}`)
  return { onCreate: () => [create({})], onRestore: (key) => [restore(key)] }
}
