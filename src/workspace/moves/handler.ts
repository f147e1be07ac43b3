import type { MessageDeps, MessageHandler } from '../../background'
import { endArrival } from '../../db/client/arrival'
import type { Store } from '../../db/client/client'
import { prepareHome, raiseIdRange, readHomeIds, reserveIdsOfAllRows } from '../../db/client/home'
import { findNextRange } from '../../db/sql/home-ids'
import { reservedWorkspaceOf } from '../../home-list'
import type { MessageOutlet } from '../../messages'
import { logError } from '../../text/log'
import { findWaitingFill } from '../fills/fills'
import { type Budget, countStatements, createBudget } from './budget'
import { type CopyProgress, clearTarget, copyRows, deleteAllRows } from './copy'
import { copyObjects, deleteObjects, sharesBucket } from './objects'
import {
  type ClaimedMove,
  claimArrival,
  claimMove,
  hasUnfinishedMove,
  leaveArrival,
  listDueMoves,
  MOVE_LEASE_MS,
  MoveProblem,
  MoveTaken,
  readHomeNumber,
  readSchemaVersion,
  readWorkspace,
  runSqlOfStore,
  saveMove,
  writeArrivingRows,
  writeLeftRows,
} from './queries/state'
import { listMovedTables } from './queries/tables'

/*
 * Queue consumer. Acknowledged: the move has ended, or its turn is over and the next message is enqueued, or another
 * invocation has the move. Retried after the lease: a failure of a database or of R2. Given up: a move that cannot
 * succeed, or without progress in some attempts; the row says why, and the workspace stays in its home. The row of the
 * home that began the move is the state, so a killed move continues with the next message, which the cron enqueues.
 *
 * The commit is the turn of this row from `leaving` to `moved`. Before, the row of the new home (`arriving`) refers all
 * requests to the old home; after, the row of the old home refers all requests to the new home. Each batch asks whether
 * its invocation still has the move, so an invocation that was taken for dead cannot write any more.
 */

const MAX_ATTEMPTS = 6
/** Requests and retries that began before the commit find the rows of the old home. */
const LEFT_ROWS_KEPT_MS = 60_000

interface MoveDeps {
  source: Store
  target: Store
  files: { source: R2Bucket; target: R2Bucket }
  homes: { source: number; target: number }
  /** All homes but the source. */
  others: Store[]
  budget: Budget
  now(): number
}

type HomeOfMove = Pick<MessageDeps, 'files'> & { store: Store }

function openHomeOfNumber(deps: MessageDeps, number: number, budget: Budget): HomeOfMove {
  const { store, files } = deps.openHome?.(reservedWorkspaceOf(number)) ?? deps
  return { store: countStatements(() => store(deps.now()), budget), files }
}

function openTarget(deps: MessageDeps, number: number, budget: Budget): HomeOfMove {
  try {
    return openHomeOfNumber(deps, number, budget)
  } catch (cause) {
    throw new MoveProblem(`HOMES names no home ${number}.`, { cause })
  }
}

export const moveHandler: MessageHandler<'workspace.move'> = {
  afterFailure: MOVE_LEASE_MS,
  async handle({ subscriptionId, home }, deps) {
    const budget = createBudget()
    const source = openHomeOfNumber(deps, home, budget)
    const move = await claimMove(source.store, subscriptionId)
    if (!move) return undefined
    try {
      const isOver = await continueMove(move, { source, home, budget }, deps)
      if (!isOver) await deps.outlet.sendBatch([{ body: { kind: 'workspace.move', subscriptionId, home } }])
    } catch (cause) {
      if (!(cause instanceof MoveTaken)) throw cause
    }
    return undefined
  },
}

interface Began {
  source: HomeOfMove
  home: number
  budget: Budget
}

/** Returns whether nothing is left to do now. */
async function continueMove(move: ClaimedMove, { source, home, budget }: Began, deps: MessageDeps): Promise<boolean> {
  let mayHaveCopies = move.state === 'leaving'
  const isGivenUp = ['requested', 'leaving'].includes(move.state) && move.attempts > MAX_ATTEMPTS
  try {
    const target = openTarget(deps, move.home, budget)
    mayHaveCopies = move.home !== home
    if (isGivenUp)
      throw new MoveProblem(`The move made no progress in ${MAX_ATTEMPTS} attempts. The log has the reason.`)
    const others = deps.listOtherHomes?.(reservedWorkspaceOf(home)) ?? []
    const given: MoveDeps = {
      ...{ source: source.store, target: target.store, files: { source: source.files, target: target.files } },
      ...{ homes: { source: home, target: move.home }, budget, now: deps.now },
      others: others.map(({ store }) => countStatements(() => store(deps.now()), budget)),
    }
    switch (move.state) {
      case 'requested':
        return await prepareMove(move, given)
      case 'leaving':
        return await copyWorkspace(move, given)
      case 'moved':
        return await deleteLeftRows(move, given)
      default:
        return await abandonMove(move, given)
    }
  } catch (cause) {
    if (!(cause instanceof MoveProblem)) throw cause
    logError('A workspace cannot move.', { workspace: move.workspaceId }, cause)
    // The home with the rows is absent from HOMES, and a later attempt may find the home.
    if (move.state === 'failed' || move.state === 'moved') throw cause
    const ending = mayHaveCopies
      ? { step: 'abandon' as const, nextAttemptAt: deps.now() }
      : { step: 'done' as const, nextAttemptAt: null }
    await saveMove(source.store, move, { state: 'failed', ...ending, problem: cause.message })
    return !mayHaveCopies
  }
}

/** The workspace is here and writes go on. */
async function prepareMove(
  move: ClaimedMove,
  { source, target, files, homes, others, budget, now }: MoveDeps,
): Promise<boolean> {
  if (homes.source === homes.target) throw new MoveProblem(`The workspace is in home ${homes.source} already.`)
  await prepareHome(runSqlOfStore(source), homes.source)
  const owner = (await readHomeNumber(target)) ?? homes.target
  if (owner !== homes.target)
    throw new MoveProblem(`The database of home ${homes.target} belongs to home ${owner}. Correct HOMES.`)
  // A home that the workspace has left may still delete files, and the new home may have the same bucket.
  if (await hasUnfinishedMove(others, move.workspaceId)) {
    await saveMove(source, move, { nextAttemptAt: now() + MOVE_LEASE_MS })
    return true
  }
  const [from, to] = await Promise.all([source, target].map(readSchemaVersion))
  if (from !== to)
    throw new MoveProblem(
      `Home ${homes.source} is at ${from}, and home ${homes.target} at ${to}. Apply the migrations.`,
    )
  for (const [store, number] of [[source, homes.source] as const, [target, homes.target] as const]) {
    const name = await findWaitingFill(store)
    // A fill that has passed the ids of the workspace would leave its rows unfilled.
    if (name !== undefined)
      throw new MoveProblem(
        `Home ${number} is still filling the rows of a new column (${name}). Repeat the move later.`,
      )
  }
  await requireStandingWorkspace(move, source)
  await prepareHome(runSqlOfStore(target), homes.target)
  await requireIdRange({ source, target, homes })
  if (!(await sharesBucket(files.source, files.target))) {
    // Writes wait for the files of the last moments only.
    let progress: CopyProgress = JSON.parse(move.progress)
    const isCopied = await copyObjects(move.workspaceId, {
      ...{ source: files.source, target: files.target, budget, copied: progress.objects ?? {} },
      save: async (objects) => {
        progress = { ...progress, objects }
        await saveMove(source, move, { progress, nextAttemptAt: now() + MOVE_LEASE_MS })
      },
    })
    if (!isCopied) {
      await saveMove(source, move, { progress, nextAttemptAt: now() })
      return false
    }
  }
  await saveMove(source, move, { state: 'leaving', step: 'copy', progress: {}, nextAttemptAt: now() })
  return false
}

/** Each move back takes a further range of ids. */
async function requireIdRange({ source, target, homes }: Pick<MoveDeps, 'source' | 'target' | 'homes'>): Promise<void> {
  const from = await readHomeIds(runSqlOfStore(source), homes.source)
  const to = await readHomeIds(runSqlOfStore(target), homes.target)
  try {
    if (to.idRange <= from.idRange) findNextRange(homes.target, from.idRange)
  } catch (cause) {
    throw new MoveProblem(`The ranges of ids of home ${homes.target} are used up.`, { cause })
  }
}

async function requireStandingWorkspace({ workspaceId }: ClaimedMove, source: Store): Promise<void> {
  const workspace = await readWorkspace(source, workspaceId)
  if (!workspace) throw new MoveProblem(`The home has no workspace ${workspaceId}.`)
  if (workspace.eraseAt !== null) throw new MoveProblem('The workspace is to be erased.')
}

/** Writes are refused until the commit. */
async function copyWorkspace(move: ClaimedMove, deps: MoveDeps): Promise<boolean> {
  const { source, target, files, homes, budget, now } = deps
  let progress: CopyProgress = JSON.parse(move.progress)
  const save = async (next: CopyProgress) => {
    progress = next
    await saveMove(source, move, { progress, nextAttemptAt: now() + MOVE_LEASE_MS })
  }
  const pause = async () => {
    await saveMove(source, move, { progress, nextAttemptAt: now() })
    return false
  }
  await claimArrival(target, move, homes.source)
  const tables = await listMovedTables(source)
  if (!progress.isCleared) {
    // The last change of the row of the workspace is before the state `leaving`.
    await requireStandingWorkspace(move, source)
    const { idRange } = await readHomeIds(runSqlOfStore(source), homes.source)
    await raiseIdRange(runSqlOfStore(target), homes.target, idRange)
    if (!(await clearTarget(move, tables, deps))) return pause()
    await save({ isCleared: true })
    if (budget.isSpent()) return pause()
  }
  if (!(await sharesBucket(files.source, files.target))) {
    const isCopied = await copyObjects(move.workspaceId, {
      ...{ source: files.source, target: files.target, budget, copied: progress.objects ?? {} },
      save: (objects) => save({ ...progress, objects }),
    })
    if (!isCopied) return pause()
  }
  if (!(await copyRows(move, tables, { source, target, budget, progress, save }))) return pause()
  const moved = await saveMove(source, move, { state: 'moved', step: 'delete', progress: {}, nextAttemptAt: now() })
  await endArrival(target, moved)
  await saveMove(source, moved, { nextAttemptAt: now() + LEFT_ROWS_KEPT_MS })
  return true
}

/** The workspace is in the new home. */
async function deleteLeftRows(move: ClaimedMove, deps: MoveDeps): Promise<boolean> {
  const { source, target, files, homes, budget, now } = deps
  await endArrival(target, move)
  const dueAt = (move.movedAt ?? 0) + LEFT_ROWS_KEPT_MS
  if (now() < dueAt) {
    await saveMove(source, move, { nextAttemptAt: dueAt })
    return true
  }
  await reserveIdsOfAllRows(runSqlOfStore(source), homes.source)
  const tables = await listMovedTables(source)
  // Files of a workspace that has come back stay.
  const keepMove = () => saveMove(source, move, { nextAttemptAt: now() + MOVE_LEASE_MS })
  const isEmpty = await deleteAllRows(source, move, tables, { write: writeLeftRows, budget })
  const isClean =
    isEmpty &&
    ((await sharesBucket(files.source, files.target)) ||
      (await deleteObjects(files.source, move.workspaceId, { budget, keepMove })))
  if (isClean) await saveMove(source, move, { step: 'done', nextAttemptAt: null })
  else await saveMove(source, move, { nextAttemptAt: now() })
  return isClean
}

/** The workspace is here, and the new home forgets its copy. */
async function abandonMove(
  move: ClaimedMove,
  { source, target, files, homes, budget, now }: MoveDeps,
): Promise<boolean> {
  // Before the new home was prepared nothing was copied, and its binding may name the database of the source.
  if (homes.source === homes.target || (await readHomeNumber(target)) !== homes.target) {
    await saveMove(source, move, { step: 'done', nextAttemptAt: null })
    return true
  }
  await claimArrival(target, move, homes.source)
  const keepMove = () => saveMove(source, move, { nextAttemptAt: now() + MOVE_LEASE_MS })
  const tables = await listMovedTables(target)
  const isEmpty = await deleteAllRows(target, move, tables, { write: writeArrivingRows, budget })
  const isClean =
    isEmpty &&
    ((await sharesBucket(files.source, files.target)) ||
      (await deleteObjects(files.target, move.workspaceId, { budget, keepMove })))
  if (isClean) await leaveArrival(target, move)
  await saveMove(source, move, isClean ? { step: 'done', nextAttemptAt: null } : { nextAttemptAt: now() })
  return isClean
}

/** Wakes moves after a lost message. */
export async function enqueueDueMoves({ store, outlet }: { store: Store; outlet: MessageOutlet }): Promise<void> {
  const due = await listDueMoves(store)
  if (due.length) await outlet.sendBatch(due.map((move) => ({ body: { kind: 'workspace.move', ...move } })))
}
