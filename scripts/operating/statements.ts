import { sqlLiteral } from '../wrangler.ts'

// Requests and the queue take seconds, and the cron wakes lost work after a minute.
const LATE_AFTER_MS = 15 * 60_000
const DAY_MS = 86_400_000
const MAX_LISTED = 50

export interface LateRow {
  kind: string
  id: number
  workspace: number
  since: number
}

/** One statement per kind, because D1 limits the parts of a UNION. */
export function listLateWork(now: number): string[] {
  const late = now - LATE_AFTER_MS
  const select = (kind: string, from: string, columns: string, moment: string, waits: string) =>
    `SELECT '${kind}' AS kind, ${columns}, ${moment} AS since FROM ${from}
     WHERE ${waits} AND ${moment} <= ${late} ORDER BY ${moment} LIMIT ${MAX_LISTED}`
  const own = 'id, subscription_id AS workspace'
  return [
    select('import', 'imports', own, 'next_attempt_at', "status IN ('pending', 'running', 'undoing')"),
    select(
      'mailing',
      'email_chunks',
      'email_id AS id, subscription_id AS workspace',
      'next_attempt_at',
      "status <> 'done'",
    ),
    select('mail about changes', 'notice_digests', 'user_id AS id, subscription_id AS workspace', 'due_at', 'true'),
    select(
      'confirmation',
      'segment_confirmations',
      'segment_id AS id, subscription_id AS workspace',
      'due_at',
      'due_at IS NOT NULL',
    ),
    select('delivery', 'webhooks', own, 'due_at', "status = 'active' AND deleted_at IS NULL"),
    select(
      'move',
      'workspace_moves',
      'workspace_id AS id, workspace_id AS workspace',
      'next_attempt_at',
      'next_attempt_at IS NOT NULL',
    ),
    select('receipt', 'incoming_receipts', own, 'next_attempt_at', "status = 'queued'"),
    `SELECT 'dead letter' AS kind, ${own}, failed_at AS since FROM dead_letters WHERE message <> '' ORDER BY failed_at LIMIT ${MAX_LISTED}`,
  ]
}

/** Without an id, marks all dead letters. Marked dead letters stay as they are. */
export const markForReplay = (now: number, id: number | undefined) =>
  `UPDATE dead_letters SET replay_at = ${now} WHERE replay_at IS NULL
   ${id === undefined ? '' : `AND id = ${sqlLiteral(id)}`} RETURNING id`

// D1 allows no pragma of its own tables, and virtual tables name no types.
export const SELECT_WORKSPACE_TABLES = `SELECT name FROM sqlite_schema
  WHERE type = 'table' AND sql LIKE '%subscription_id INTEGER NOT NULL%' ORDER BY name`

export const countRows = (table: string, workspace: number) =>
  `SELECT '${table}' AS name, count(*) AS "rows" FROM ${table} WHERE subscription_id = ${sqlLiteral(workspace)}`

export const selectWorkspace = (workspace: number) => [
  `SELECT id, name FROM subscriptions WHERE id = ${sqlLiteral(workspace)}`,
  `SELECT id, name, last_used_at AS lastUsedAt FROM api_keys WHERE subscription_id = ${sqlLiteral(workspace)}
   ORDER BY last_used_at DESC LIMIT ${MAX_LISTED}`,
]

const usageColumns = (now: number) =>
  `subscription_id AS workspace, iif(day = ${Math.floor(now / DAY_MS)}, written, 0) AS writtenToday, bytes`

export const selectUsage = (workspace: number, now: number) =>
  `SELECT ${usageColumns(now)} FROM written_rows WHERE subscription_id = ${sqlLiteral(workspace)}`

export const selectTopWorkspaces = (now: number) => [
  `SELECT ${usageColumns(now)} FROM written_rows ORDER BY bytes DESC LIMIT 20`,
  `SELECT ${usageColumns(now)} FROM written_rows ORDER BY writtenToday DESC LIMIT 20`,
  `SELECT subscription_id AS workspace, count(*) AS "rows" FROM work_items
   WHERE subscription_id % 1048576 > 0 GROUP BY subscription_id ORDER BY 2 DESC LIMIT 20`,
]

/** Requests the move of a workspace. No row: the workspace does not exist in this database, or is moving. */
export const requestMove = (workspace: number, home: number, now: number) =>
  `INSERT INTO workspace_moves (workspace_id, state, home, next_attempt_at, created_at, updated_at)
    SELECT id, 'requested', ${sqlLiteral(home)}, ${sqlLiteral(now)}, ${sqlLiteral(now)}, ${sqlLiteral(now)}
    FROM subscriptions WHERE id = ${sqlLiteral(workspace)}
    ON CONFLICT (workspace_id) DO UPDATE SET state = 'requested', home = excluded.home, step = 'prepare', progress = '{}',
      attempts = 0, problem = NULL, next_attempt_at = excluded.next_attempt_at, created_at = excluded.created_at,
      updated_at = excluded.updated_at
    WHERE workspace_moves.state = 'failed' AND workspace_moves.next_attempt_at IS NULL
    RETURNING workspace_id`

export interface MoveRow {
  state: 'requested' | 'leaving' | 'moved' | 'failed'
  step: string
  /** JSON. */
  progress: string
  home: number
  problem: string | null
  createdAt: number
  nextAttemptAt: number | null
}

/** The move out of the database. The row of an arrival belongs to a move out of another home. */
export const selectMove = (workspace: number) =>
  `SELECT state, step, progress, home, problem, created_at AS createdAt, next_attempt_at AS nextAttemptAt
    FROM workspace_moves WHERE workspace_id = ${sqlLiteral(workspace)} AND state <> 'arriving'`

/** The last unfinished move, or the newest. After a failure the other home has a row of the same moment, `moved`. */
export function chooseMove<M extends MoveRow>(moves: readonly M[]): M | undefined {
  const rank = ({ nextAttemptAt, state, createdAt }: MoveRow) => [
    nextAttemptAt === null ? 0 : 1,
    createdAt,
    state === 'failed' ? 1 : 0,
  ]
  const compare = (one: M, other: M) => rank(one).reduce((order, value, n) => order || value - (rank(other)[n] ?? 0), 0)
  return moves.toSorted(compare).at(-1)
}
