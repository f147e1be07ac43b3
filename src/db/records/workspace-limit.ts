import { sql } from 'drizzle-orm'
import { type Guard, guard } from '../client/refuse'
import { caller, inline, type Values } from '../sql/statement'
import type { AnyRecord } from './record'

export const nounOfRecord = ({ missing }: Pick<AnyRecord, 'missing'>): string =>
  missing.replace(/_not_found$/, '').replaceAll('_', ' ')

interface WorkspaceLimit {
  onCreate(): Guard[]
  onRestore(key: Values): Guard[]
}

export function makeWorkspaceLimitGuards(record: AnyRecord): WorkspaceLimit {
  const { maxPerWorkspace, table, columns, deletedByKey } = record
  if (maxPerWorkspace === undefined) return { onCreate: () => [], onRestore: () => [] }
  const reason = inline(
    `conflict:A workspace has at most ${maxPerWorkspace} ${nounOfRecord(record)}s. Remove one first.`,
  )
  const full = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${columns.subscriptionId} = ${caller.subscription}
    AND ${columns.deletedAt} IS NULL LIMIT 1 OFFSET ${inline(maxPerWorkspace - 1)})`
  const create = guard(reason, full)
  const restore = guard<Values>(reason, sql`EXISTS (SELECT 1 FROM ${table} WHERE ${deletedByKey}) AND ${full}`)
  return { onCreate: () => [create({})], onRestore: (key) => [restore(key)] }
}
