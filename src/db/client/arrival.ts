import { sql } from 'drizzle-orm'
import { workspaceMoves } from '../schema/homes'
import { caller, param, statement, type Values } from '../sql/statement'
import type { Store } from './client'

export const isArriving = sql`${workspaceMoves.workspaceId} = ${caller.subscription}
  AND ${workspaceMoves.state} = 'arriving' AND ${workspaceMoves.createdAt} = ${param('createdAt')}`

const deleteArrival = statement<never, Values>(sql`DELETE FROM ${workspaceMoves} WHERE ${isArriving}`)

interface Arrival {
  workspaceId: number
  /** Milliseconds; names the move. */
  createdAt: number
}

/** After the commit: the workspace is in its new home. */
export const endArrival = (target: Store, { workspaceId, createdAt }: Arrival) =>
  target.batch(null, deleteArrival({ '@subscription': workspaceId, createdAt }))

const selectCommittedMove = statement<
  { createdAt: number },
  Values
>(sql`SELECT ${workspaceMoves.createdAt} AS "createdAt"
  FROM ${workspaceMoves} WHERE ${workspaceMoves.workspaceId} = ${caller.subscription} AND ${workspaceMoves.state} = 'moved'`)

/** Ends an arrival in one of two homes if the other home has committed the move. Failures are left to the cron. */
export async function endCommittedArrivals(workspaceId: number, [one, other]: [Store, Store]): Promise<void> {
  const end = async (source: Store, target: Store) => {
    const [[move]] = await source.batch(null, selectCommittedMove({ '@subscription': workspaceId }))
    if (move) await endArrival(target, { workspaceId, createdAt: move.createdAt })
  }
  await Promise.allSettled([end(one, other), end(other, one)])
}
