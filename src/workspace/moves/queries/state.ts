import { sql } from 'drizzle-orm'
import { isArriving } from '../../../db/client/arrival'
import type { Store } from '../../../db/client/client'
import type { RunSql } from '../../../db/client/home'
import { home, type MoveState, workspaceMoves } from '../../../db/schema/homes'
import { subscriptions } from '../../../db/schema/tenancy'
import { caller, columnList, inline, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import { makeRawStatement } from './tables'

/** Time of a step. A killed move continues afterwards. An invocation that outlasts its lease cannot write any more. */
export const MOVE_LEASE_MS = 20_000
const MOVES_PER_CRON = inline(20)

export type MoveStep = 'prepare' | 'copy' | 'commit' | 'delete' | 'abandon' | 'done'

const MOVE_COLUMNS = [
  'workspaceId',
  'state',
  'home',
  'step',
  'progress',
  'claim',
  'attempts',
  'createdAt',
  'movedAt',
  'problem',
] as const

export interface ClaimedMove {
  workspaceId: number
  state: MoveState
  /** Number of the other home. */
  home: number
  step: MoveStep
  /** JSON of the step. */
  progress: string
  claim: number
  attempts: number
  createdAt: number
  movedAt: number | null
  problem: string | null
}

const isWaiting = sql`${workspaceMoves.nextAttemptAt} IS NOT NULL AND ${workspaceMoves.nextAttemptAt} <= ${caller.now}`
const homeNumber = sql`coalesce((SELECT ${home.number} FROM ${home}), 0)`

const selectDueMoves = statement<{ subscriptionId: number; home: number }>(sql`
  SELECT ${workspaceMoves.workspaceId} AS "subscriptionId", ${homeNumber} AS "home" FROM ${workspaceMoves}
  WHERE ${isWaiting} ORDER BY ${workspaceMoves.nextAttemptAt} LIMIT ${MOVES_PER_CRON}`)

export const listDueMoves = async (store: Store) => (await store.batch(null, selectDueMoves({})))[0]

type Named = { '@subscription': number }
const isNamed = sql`${workspaceMoves.workspaceId} = ${caller.subscription}`

const selectUnfinishedMove = statement<{ found: 1 }, Named>(
  sql`SELECT 1 AS "found" FROM ${workspaceMoves} WHERE ${isNamed} AND ${workspaceMoves.nextAttemptAt} IS NOT NULL`,
)

export async function hasUnfinishedMove(stores: readonly Store[], subscriptionId: number): Promise<boolean> {
  const ask = (store: Store) => store.batch(null, selectUnfinishedMove({ '@subscription': subscriptionId }))
  return (await Promise.all(stores.map(ask))).some(([found]) => found.length > 0)
}

const claimWaitingMove = statement<ClaimedMove, Named>(sql`UPDATE ${workspaceMoves}
  SET claim = ${workspaceMoves.claim} + 1, attempts = ${workspaceMoves.attempts} + 1,
    next_attempt_at = ${caller.now} + ${inline(MOVE_LEASE_MS)}, updated_at = ${caller.now}
  WHERE ${isNamed} AND ${isWaiting} AND ${workspaceMoves.state} <> 'arriving'
  RETURNING ${columnList(workspaceMoves, MOVE_COLUMNS)}`)

/** Undefined without work, or while another invocation works. */
export async function claimMove(store: Store, subscriptionId: number): Promise<ClaimedMove | undefined> {
  const [[claimed]] = await store.batch(null, claimWaitingMove({ '@subscription': subscriptionId }))
  return claimed
}

/** Thrown when another invocation continues the move, or the move has ended. */
export class MoveTaken extends Error {}

/** Thrown for a reason that a repetition does not change. The text is for operators. */
export class MoveProblem extends Error {}

const isClaimed = sql`${isNamed} AND ${workspaceMoves.claim} = ${param('claim')} AND ${workspaceMoves.state} = ${param('state')}`

const updateMove = statement<{ claim: number }, Values>(sql`UPDATE ${workspaceMoves}
  SET state = ${param('nextState')}, step = ${param('step')}, progress = ${param('progress')}, attempts = 0,
    next_attempt_at = ${param('nextAttemptAt')}, problem = ${param('problem')}, updated_at = ${caller.now},
    moved_at = iif(${param('nextState')} = 'moved', coalesce(${workspaceMoves.movedAt}, ${caller.now}), NULL)
  WHERE ${isClaimed} RETURNING ${columnList(workspaceMoves, ['claim'])}`)

interface MoveChange {
  state?: MoveState
  step?: MoveStep
  progress?: object
  /** Milliseconds; null ends the work. */
  nextAttemptAt: number | null
  problem?: string | null
}

/** Stores the progress in the home that began the move. The turn from `leaving` to `moved` commits the move. */
export async function saveMove(store: Store, move: ClaimedMove, change: MoveChange): Promise<ClaimedMove> {
  const { state = move.state, step = move.step, nextAttemptAt, problem = move.problem } = change
  const progress = change.progress ? JSON.stringify(change.progress) : move.progress
  const values = { '@subscription': move.workspaceId, claim: move.claim, state: move.state }
  const [[saved]] = await store.batch(
    null,
    updateMove({ ...values, nextState: state, step, progress, nextAttemptAt, problem }),
  )
  if (!saved) throw new MoveTaken()
  return { ...move, state, step, progress }
}

const upsertArrival = statement<{ claim: number }, Values>(sql`INSERT INTO ${workspaceMoves}
    (workspace_id, state, home, step, claim, created_at, updated_at)
  VALUES (${caller.subscription}, 'arriving', ${param('home')}, 'copy', ${param('claim')}, ${param('createdAt')}, ${caller.now})
  ON CONFLICT (workspace_id) DO UPDATE SET state = 'arriving', home = excluded.home, step = 'copy', progress = '{}',
    claim = excluded.claim, created_at = excluded.created_at, updated_at = excluded.updated_at, next_attempt_at = NULL,
    problem = NULL, moved_at = NULL
  WHERE workspace_moves.state IN ('moved', 'failed')
    OR (workspace_moves.state = 'arriving' AND workspace_moves.created_at = excluded.created_at
      AND workspace_moves.claim <= excluded.claim)
  RETURNING ${columnList(workspaceMoves, ['claim'])}`)

/** Lets this invocation, and no earlier one, write the rows of the workspace into its new home. */
export async function claimArrival(target: Store, { workspaceId, claim, createdAt }: ClaimedMove, source: number) {
  const values = { '@subscription': workspaceId, home: source, claim, createdAt }
  const [[claimed]] = await target.batch(null, upsertArrival(values))
  if (!claimed) throw new MoveTaken()
}

// The text of the refusal names no field.
const MOVE_TAKEN_REASON = 'conflict:Another invocation continues the move.'
const refuseWithoutArrival = statement<never, Values>(sql`INSERT INTO refusal SELECT ${inline(MOVE_TAKEN_REASON)}
  WHERE NOT EXISTS (SELECT 1 FROM ${workspaceMoves} WHERE ${isArriving} AND ${workspaceMoves.claim} = ${param('claim')})`)
const refuseWithoutClaim = statement<never, Values>(sql`INSERT INTO refusal SELECT ${inline(MOVE_TAKEN_REASON)}
  WHERE NOT EXISTS (SELECT 1 FROM ${workspaceMoves} WHERE ${isClaimed})`)

const UNIQUE_ERROR_PATTERN = /UNIQUE constraint failed: ([^:]+)/

function findTakenColumns(cause: unknown): string | undefined {
  const original = cause instanceof Error ? cause.cause : undefined
  return UNIQUE_ERROR_PATTERN.exec(original instanceof Error ? original.message : '')?.[1]
}

const isTaken = (cause: unknown) => cause instanceof Error && `conflict:${cause.message}` === MOVE_TAKEN_REASON

async function runGuarded<S extends readonly Statement[]>(store: Store, guard: Statement<never>, statements: S) {
  try {
    const [, ...rows] = await store.batch(null, guard, ...statements)
    return rows as { changes: number }[][]
  } catch (cause) {
    if (isTaken(cause)) throw new MoveTaken()
    const taken = findTakenColumns(cause)
    if (taken !== undefined)
      throw new MoveProblem(`Another workspace of the new home has the same ${taken}.`, { cause })
    throw cause
  }
}

/** Changes rows in the new home, unless another invocation has continued or ended the move. */
export const writeArrivingRows = (target: Store, move: ClaimedMove, statements: readonly Statement[]) => {
  const { workspaceId, claim, createdAt } = move
  return runGuarded(target, refuseWithoutArrival({ '@subscription': workspaceId, claim, createdAt }), statements)
}

/** Changes rows in the home that began the move. */
export const writeLeftRows = (source: Store, move: ClaimedMove, statements: readonly Statement[]) => {
  const { workspaceId, claim, state } = move
  return runGuarded(source, refuseWithoutClaim({ '@subscription': workspaceId, claim, state }), statements)
}

const abandonArrival = statement<never, Values>(
  sql`UPDATE ${workspaceMoves} SET state = 'moved', step = 'done', updated_at = ${caller.now} WHERE ${isArriving}`,
)

/** After a failure: the row names the home with the workspace. */
export const leaveArrival = (target: Store, { workspaceId, createdAt }: ClaimedMove) =>
  target.batch(null, abandonArrival({ '@subscription': workspaceId, createdAt }))

const selectWorkspace = statement<{ eraseAt: number | null }, Named>(sql`
  SELECT ${subscriptions.eraseAt} AS "eraseAt" FROM ${subscriptions} WHERE ${subscriptions.id} = ${caller.subscription}`)

/** Undefined without the workspace. */
export async function readWorkspace(source: Store, subscriptionId: number) {
  const [[found]] = await source.batch(null, selectWorkspace({ '@subscription': subscriptionId }))
  return found
}

const selectHomeNumber = statement<{ number: number }>(sql`SELECT ${home.number} AS "number" FROM ${home}`)

/** Undefined for a database that was not prepared as a home. */
export async function readHomeNumber(store: Store): Promise<number | undefined> {
  const [[found]] = await store.batch(null, selectHomeNumber({}))
  return found?.number
}

const selectNewestMigration = makeRawStatement<{ name: string }>('SELECT max(name) AS "name" FROM d1_migrations')

export async function readSchemaVersion(store: Store): Promise<string> {
  const [[found]] = await store.batch(null, selectNewestMigration({}))
  return found?.name ?? ''
}

/** Runs SQL of src/db/sql/home-ids.ts. */
export const runSqlOfStore =
  (store: Store): RunSql =>
  (texts) =>
    store.batch(null, ...texts.map((text) => makeRawStatement(text)({}))) as Promise<unknown[][]>
