import { homeNumberOf } from '../../src/home-list.ts'
import { type DatabaseLocation, runSql, sqlLiteral, UserProblem } from '../wrangler.ts'

export interface MoveState {
  state: 'requested' | 'leaving' | 'moved' | 'arriving' | 'failed'
  /** Number of the other home. */
  home: number
  /** Milliseconds; names the move. */
  createdAt: number
}

export const selectMoveState = (workspace: number) =>
  `SELECT state, home, created_at AS createdAt FROM workspace_moves WHERE workspace_id = ${sqlLiteral(workspace)}`

interface FoundHome {
  number: number
  move: MoveState | undefined
}

/**
 * Follows the rows of moves from the home that created the workspace. An arrival of a committed move counts as arrived: a
 * service that was killed after the commit leaves the row until the next run of the cron.
 */
export async function followMoves(
  workspace: number,
  homeCount: number,
  readMove: (home: number) => Promise<MoveState | undefined>,
): Promise<FoundHome> {
  let number = homeNumberOf(workspace)
  let committed: MoveState | undefined
  for (let followed = 0; ; followed++) {
    const move = await readMove(number)
    const isArriving = move?.state === 'arriving' && move.createdAt !== committed?.createdAt
    if (!(move?.state === 'moved' || isArriving) || followed === homeCount) return { number, move }
    committed = move.state === 'moved' ? move : undefined
    number = move.home
  }
}

const MOVING_REASON = 'workspace_is_moving'

/** For the first statement of a transaction that writes. Like the fence of the service (src/db/sql/fence.ts). */
export const refuseMovingWorkspace = (workspace: number) =>
  `INSERT INTO refusal SELECT '${MOVING_REASON}' WHERE EXISTS (SELECT 1 FROM workspace_moves
    WHERE workspace_id = ${sqlLiteral(workspace)} AND state IN ('leaving', 'moved', 'arriving'))`

export const movingProblem = (workspace: number) =>
  new UserProblem(`Workspace ${workspace} is moving to another home. Repeat the command in a minute.`)

/** Writes rows of a workspace, unless the workspace moves. */
export async function writeToWorkspace<Results extends object[][]>(
  workspace: number,
  statements: string[],
  where: DatabaseLocation,
): Promise<Results> {
  try {
    const [, ...results] = await runSql([refuseMovingWorkspace(workspace), ...statements], where)
    return results as Results
  } catch (cause) {
    if (cause instanceof UserProblem && cause.message.includes(MOVING_REASON)) throw movingProblem(workspace)
    throw cause
  }
}
