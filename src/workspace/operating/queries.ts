import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../db/client/client'
import { workspaceMoves } from '../../db/schema/homes'
import { imports } from '../../db/schema/imports'
import { cronRuns, deadLetters } from '../../db/schema/operating'
import { emailChunks } from '../../db/schema/segments-and-mail'
import { subscriptions } from '../../db/schema/tenancy'
import { incomingReceipts, webhooks } from '../../db/schema/webhooks'
import { isInThisHome, refuseMovingWorkspace } from '../../db/sql/fence'
import { caller, columnList, inline, insertInto, param, statement } from '../../db/sql/statement'
import { oldestDueAt } from '../../db/sql/turns'
import type { QueueMessage } from '../../messages'

const DAY_MS = 86_400_000

const subscriptionIdOfMessage = sql`coalesce(${param('message')} ->> 'subscriptionId', 0)`
const insertMessage = statement<never, { message: string }>(
  insertInto(
    deadLetters,
    { subscriptionId: subscriptionIdOfMessage, message: param('message'), failedAt: caller.now },
    // Nothing is left of an erased workspace.
    sql`WHERE ${subscriptionIdOfMessage} = 0
      OR EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${subscriptions.id} = ${subscriptionIdOfMessage})`,
  ),
)

/** The batch belongs to no workspace, because a failure of the service uses no quota. */
export const insertDeadLetter = (store: Store, message: QueueMessage) =>
  store.batch(
    null,
    refuseMovingWorkspace({ '@subscription': message?.subscriptionId ?? 0 }),
    insertMessage({ message: JSON.stringify(message) }),
  )

const MAX_REPLAYS_PER_RUN = inline(1_000)
// Outlasts a run of the cron. A run that fails after the claim enqueues the messages again later.
const REPLAY_LEASE_MS = inline(5 * 60_000)

const claimReplays = statement<{ id: number; message: string }>(sql`
  UPDATE ${deadLetters} SET replay_at = ${caller.now} + ${REPLAY_LEASE_MS} WHERE ${deadLetters.id} IN (
    SELECT ${deadLetters.id} FROM ${deadLetters} WHERE ${deadLetters.replayAt} IS NOT NULL
      AND ${deadLetters.replayAt} <= ${caller.now} AND ${isInThisHome(deadLetters.subscriptionId)} ORDER BY ${deadLetters.replayAt} LIMIT ${MAX_REPLAYS_PER_RUN})
  RETURNING ${deadLetters.id} AS "id", ${deadLetters.message} AS "message"`)

const deleteReplayed = statement<never, { ids: string }>(sql`DELETE FROM ${deadLetters}
  WHERE ${deadLetters.id} IN (SELECT value FROM json_each(${param('ids')}))`)

export const claimDeadLetters = async (store: Store) => (await store.batch(null, claimReplays({})))[0]

export const deleteDeadLetters = (store: Store, ids: readonly number[]) =>
  store.batch(null, deleteReplayed({ ids: JSON.stringify(ids) }))

export interface CronRun {
  ranAt: number
  ms: number
  slowestJob: string
  slowestMs: number
  failedJobs: number
}

const RUN_COLUMNS = ['ranAt', 'ms', 'slowestJob', 'slowestMs', 'failedJobs'] as const
const upsertCronRun = statement<never, CronRun & Record<string, string | number>>(
  insertInto(
    cronRuns,
    { id: inline(1), ...Object.fromEntries(RUN_COLUMNS.map((name) => [name, param(name)])) },
    sql`WHERE true ON CONFLICT (id) DO UPDATE SET ran_at = excluded.ran_at, ms = excluded.ms,
      slowest_job = excluded.slowest_job, slowest_ms = excluded.slowest_ms, failed_jobs = excluded.failed_jobs`,
  ),
)

export const storeCronRun = (store: Store, run: CronRun) => store.batch(null, upsertCronRun({ ...run }))

const selectCronRun = statement<CronRun>(
  sql`SELECT ${columnList(cronRuns, RUN_COLUMNS)} FROM ${cronRuns} WHERE ${cronRuns.id} = 1`,
)

export interface Backlog {
  import: number | null
  mailing: number | null
  delivery: number | null
  receipt: number | null
  move: number | null
  deadLetters: number
}

const OLDEST_DUE: Record<Exclude<keyof Backlog, 'deadLetters'>, SQL> = {
  import: oldestDueAt({
    group: imports.subscriptionId,
    dueAt: imports.nextAttemptAt,
    isWaiting: sql`${imports.status} IN ('pending', 'running', 'undoing')`,
  }),
  mailing: oldestDueAt({
    group: emailChunks.emailId,
    dueAt: emailChunks.nextAttemptAt,
    isWaiting: sql`${emailChunks.status} <> 'done'`,
  }),
  delivery: oldestDueAt({
    group: webhooks.subscriptionId,
    dueAt: webhooks.dueAt,
    isWaiting: sql`${webhooks.status} = 'active' AND ${webhooks.deletedAt} IS NULL AND ${webhooks.dueAt} IS NOT NULL`,
  }),
  receipt: oldestDueAt({
    group: incomingReceipts.subscriptionId,
    dueAt: incomingReceipts.nextAttemptAt,
    isWaiting: sql`${incomingReceipts.status} = 'queued'`,
  }),
  move: sql`(SELECT min(${workspaceMoves.nextAttemptAt}) FROM ${workspaceMoves}
    WHERE ${workspaceMoves.nextAttemptAt} IS NOT NULL AND ${workspaceMoves.nextAttemptAt} <= ${caller.now})`,
}

const selectBacklog = statement<Backlog>(
  sql`SELECT ${sql.join(
    Object.entries(OLDEST_DUE).map(([name, oldest]) => sql`${oldest} AS ${sql.identifier(name)}`),
    sql`, `,
  )}, (SELECT count(*) FROM ${deadLetters} WHERE ${deadLetters.failedAt} BETWEEN ${caller.now} - ${inline(DAY_MS)} AND ${caller.now}) AS "deadLetters"`,
)

export interface State {
  run: CronRun | undefined
  backlog: Backlog
}

export async function readState(store: Store): Promise<State> {
  const [[run], [backlog]] = await store.batch(null, selectCronRun({}), selectBacklog({}))
  return { run, backlog: backlog as Backlog }
}
