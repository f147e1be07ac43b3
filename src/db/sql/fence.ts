import { sql } from 'drizzle-orm'
import { workspaceMoves } from '../schema/homes'
import { caller, statement } from './statement'

const fromCallerMove = sql`FROM ${workspaceMoves} WHERE ${workspaceMoves.workspaceId} = ${caller.subscription}`
const isElsewhere = sql`${workspaceMoves.state} IN ('moved', 'arriving')`

/** Reason to refuse a write, or NULL for a workspace in this home. */
export const moveRefusalReason = sql`(SELECT iif(${isElsewhere}, 'workspace_moved:' || ${workspaceMoves.home}, 'workspace_leaving')
  ${fromCallerMove} AND ${workspaceMoves.state} <> 'failed')`

/** For the first statement of a batch that writes without a key. */
export const refuseMovingWorkspace = statement<never>(
  sql`INSERT INTO refusal SELECT ${moveRefusalReason} WHERE ${moveRefusalReason} IS NOT NULL`,
)

/** For the first statement of a batch that reads. A workspace that leaves can be read. */
export const selectNewHome = statement<{ home: number }>(
  sql`SELECT ${workspaceMoves.home} AS "home" ${fromCallerMove} AND ${isElsewhere}`,
)
