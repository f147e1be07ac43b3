import { ApiError } from '../../text/errors'
import { refuseMovingWorkspace, selectNewHome } from '../sql/fence'
import type { Statement } from '../sql/statement'
import type { BatchResult } from './batch'

/*
 * With several homes, a batch first asks whether the workspace is in this database. With one home no workspace can
 * move, and no batch asks.
 */

const homeByFencedDatabase = new WeakMap<D1Database, number>()

/** `home`: number of the home. */
export const fenceDatabase = (d1: D1Database, home: number): void => void homeByFencedDatabase.set(d1, home)

export const isFenced = (d1: D1Database): boolean => homeByFencedDatabase.has(d1)

/** Number of the home with the database; the only home counts as 0. */
export const homeOfDatabase = (d1: D1Database): number => homeByFencedDatabase.get(d1) ?? 0

/** Thrown by a batch of a workspace that is in another home. The batch did nothing. */
export class WorkspaceMoved extends Error {
  readonly home: number

  constructor(home: number) {
    super(`The workspace is in home ${home}.`)
    this.home = home
  }
}

/** The workspace is about to be in another home. Writes are refused until the copy is complete. */
export class WorkspaceLeaving extends ApiError {}

export const workspaceLeavingError = () =>
  new WorkspaceLeaving(
    'temporarily_unavailable',
    'This workspace is moving to another region. Reads work; repeat the change in a few seconds.',
    { headers: { 'Retry-After': '5' } },
  )

type RunStatements = (statements: readonly Statement[]) => Promise<BatchResult>

/** Runs a read of a workspace. Throws WorkspaceMoved if the workspace is in another home. */
export async function runFencedRead(
  d1: D1Database,
  statements: readonly Statement[],
  run: RunStatements,
): Promise<BatchResult> {
  if (!isFenced(d1)) return run(statements)
  const done = await run([selectNewHome({}), ...statements])
  const [[moved], ...rows] = done.rows as [{ home: number }[], ...BatchResult['rows']]
  if (moved) throw new WorkspaceMoved(moved.home)
  return { ...done, rows }
}

const READING_TEXT_PATTERN = /^\s*SELECT\b/i

const isRead = (statements: readonly Statement[]) =>
  statements.every(({ template }) => READING_TEXT_PATTERN.test(template().text))

/** Runs a batch of a workspace without a key. A batch that writes is refused while the workspace leaves. */
export async function runFencedBatch(
  d1: D1Database,
  statements: readonly Statement[],
  run: RunStatements,
): Promise<BatchResult> {
  if (!isFenced(d1) || isRead(statements)) return runFencedRead(d1, statements, run)
  const done = await run([refuseMovingWorkspace({}), ...statements])
  return { ...done, rows: done.rows.slice(1) }
}
