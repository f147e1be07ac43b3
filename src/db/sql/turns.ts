import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { isRowInThisHome } from './fence'
import { primaryKeyColumns } from './retention'
import { caller, columnList, inline } from './statement'

// The index finds each group with one seek.
const MAX_GROUPS = inline(10_000)
// Bounds the rows that are read of a group, when many groups are waiting.
const MIN_ROWS_PER_GROUP = inline(50)

interface WaitingTable {
  /** Rows with the same value belong to the same workspace. The index begins with `group` and `dueAt`. */
  group: SQLiteColumn
  dueAt: SQLiteColumn
  /** The condition of the index, in the same words. */
  isWaiting: SQL
}

/** `waiting_groups` lists the groups that have waiting rows, after a first row that is 0 and before a last row NULL. */
export const withWaitingGroups = ({ group, isWaiting }: Omit<WaitingTable, 'dueAt'>): SQL =>
  sql`WITH RECURSIVE waiting_groups(id) AS (SELECT 0 UNION ALL SELECT (SELECT ${group} FROM ${group.table}
    WHERE ${isWaiting} AND ${group} > waiting_groups.id ORDER BY ${group} LIMIT 1)
  FROM waiting_groups WHERE waiting_groups.id IS NOT NULL LIMIT ${MAX_GROUPS})`

interface DueRows extends WaitingTable {
  /** Selected columns, which include `subscriptionId`. */
  names: readonly string[]
  limit: number
  maxPerGroup?: number
}

/**
 * Selects due rows of all workspaces in turn: the first row of each workspace, then the second row of each, and the
 * groups of a workspace in turn too. The backlog of one workspace thus leaves room for the rows of the others.
 */
export function selectDueInTurn({ group, dueAt, isWaiting, names, limit, maxPerGroup }: DueRows): SQL {
  const { table } = group
  const key = primaryKeyColumns(table)
  const isDueInGroup = (id: SQL) => sql`${isWaiting} AND ${group} = ${id} AND ${dueAt} <= ${caller.now}`
  const share = sql`(SELECT max(${MIN_ROWS_PER_GROUP}, ${inline(limit)} / max(1, count(*))) FROM due_groups)`
  const selected = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )
  return sql`${withWaitingGroups({ group, isWaiting })},
    due_groups(id) AS MATERIALIZED (SELECT id FROM waiting_groups
      WHERE (SELECT ${isRowInThisHome(table)} FROM ${table} WHERE ${isDueInGroup(sql`waiting_groups.id`)} LIMIT 1))
  SELECT ${selected} FROM (
    SELECT *, row_number() OVER (PARTITION BY "subscriptionId" ORDER BY turn, due_at) AS workspace_turn FROM (
      SELECT ${columnList(table, names as never)}, ${dueAt} AS due_at, row_number() OVER (PARTITION BY ${group} ORDER BY ${dueAt}, ${key}) AS turn
      FROM due_groups CROSS JOIN ${table} ON (${key}) IN (SELECT ${key} FROM ${table}
        WHERE ${isDueInGroup(sql`due_groups.id`)} ORDER BY ${dueAt} LIMIT ${maxPerGroup ? inline(maxPerGroup) : share})))
  ORDER BY workspace_turn, due_at LIMIT ${inline(limit)}`
}

/** Time since which the oldest row of all groups is due, or NULL. */
export const oldestDueAt = ({ group, dueAt, isWaiting }: WaitingTable): SQL => sql`(
  ${withWaitingGroups({ group, isWaiting })} SELECT min(oldest) FROM (
    SELECT (SELECT min(${dueAt}) FROM ${group.table} WHERE ${isWaiting} AND ${group} = waiting_groups.id) AS oldest
    FROM waiting_groups) WHERE oldest <= ${caller.now})`
