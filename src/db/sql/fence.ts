import { getTableColumns, getTableName, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { workspaceMoves } from '../schema/homes'
import { caller, type Statement, statement, type Values } from './statement'

const fromCallerMove = sql`FROM ${workspaceMoves} WHERE ${workspaceMoves.workspaceId} = ${caller.subscription}`
const isFencedState = sql`${workspaceMoves.state} IN ('leaving', 'moved', 'arriving')`
const isElsewhere = sql`${workspaceMoves.state} IN ('moved', 'arriving')`

/** Reason to refuse a write, or NULL for a workspace in this home. */
export const moveRefusalReason = sql`(SELECT iif(${isElsewhere}, 'workspace_moved:' || ${workspaceMoves.home}, 'workspace_leaving')
  ${fromCallerMove} AND ${isFencedState})`

/** For the first statement of a batch that writes without a key. */
export const refuseMovingWorkspace = statement<never, Values>(
  sql`INSERT INTO refusal SELECT ${moveRefusalReason} WHERE ${moveRefusalReason} IS NOT NULL`,
)

/** For the first statement of a batch that reads. A workspace that leaves can be read. */
export const selectNewHome = statement<{ home: number }>(
  sql`SELECT ${workspaceMoves.home} AS "home" ${fromCallerMove} AND ${isElsewhere}`,
)

/** For the cron, which leaves workspaces that move alone. */
export const isInThisHome = (workspaceId: SQLWrapper) => sql`NOT EXISTS (SELECT 1 FROM ${workspaceMoves}
  WHERE ${workspaceMoves.workspaceId} = ${workspaceId} AND ${isFencedState})`

export function isRowInThisHome(table: SQLiteTable): SQL {
  const { subscriptionId } = getTableColumns(table) as Record<string, SQLiteColumn>
  if (!subscriptionId) throw new Error(`A row of ${getTableName(table)} belongs to no workspace`)
  return isInThisHome(subscriptionId)
}

/** For lookups without a workspace. Rows of a workspace that has left or is not yet here do not count. */
export const isReadInThisHome = (workspaceId: SQLWrapper) => sql`NOT EXISTS (SELECT 1 FROM ${workspaceMoves}
  WHERE ${workspaceMoves.workspaceId} = ${workspaceId} AND ${isElsewhere})`

type StatementOf<Row, V> = (values: V) => Statement<Row>

/** With one home, no workspace can move, and the statement does not ask. */
export const oneOrSeveralHomes =
  <Row, V>(one: StatementOf<Row, V>, several: StatementOf<Row, V>): StatementOf<Row, V> =>
  (values) => ({ ...one(values), templateOfHomes: several(values).template })
