import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { runCronJobs } from '../../src/cron'
import { SELECT_TENANT_TABLES, type TenantTable } from '../../src/db/sql/home-ids'
import { listHomes } from '../../src/homes'
import { sealSecret } from '../../src/http/sealed-secret'
import type { QueueMessage } from '../../src/messages'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { EU_NUMBER, openTwoHomes } from '../homes'
import { DUE_ROWS_BY_JOB, makeDueRow } from './due-rows'
import { dumpWorkspace } from './moving'

const bindings = await openTwoHomes()
const [home] = listHomes(bindings)
const { results: tables } = await env.DB.prepare(SELECT_TENANT_TABLES).all<TenantTable>()

const SETTINGS = { BACKUP_DAYS: '7', WORKSPACE_BYTES: '1000000', PUBLIC_URL: 'https://groundwork.test' }

/** Runs the cron of home 0, and returns its messages and the names of its jobs. */
async function runCron(now: number) {
  const sent: QueueMessage[] = []
  const jobs: string[] = []
  await runCronJobs({
    ...createBackgroundDeps({ ...bindings, ...SETTINGS }, createExecutionContext(), home),
    now: () => now,
    record: ({ operation }) => void jobs.push(operation),
    outlet: { sendBatch: async (messages) => void sent.push(...Array.from(messages, ({ body }) => body)) },
  })
  return { sent, jobs }
}

async function createWorkspaceWithDueRows(job: string) {
  const { subscriptionId } = await createWorkspace()
  const sealed = await sealSecret(env.SIGNING_SECRETS, subscriptionId, 'secret')
  for (const row of DUE_ROWS_BY_JOB[job] ?? [])
    await env.DB.prepare(makeDueRow(row, tables, subscriptionId).replaceAll(':sealed', `'${sealed}'`)).run()
  return subscriptionId
}

test.each(Object.keys(DUE_ROWS_BY_JOB).filter((job) => DUE_ROWS_BY_JOB[job]?.length))(
  'the cron leaves a workspace that moves alone: %s',
  async (job) => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ Status: 0 }))
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await env.DB.prepare('DELETE FROM written_rows').run()
    // The last workspace has the highest ids, which the cron never deletes.
    const [leaving, staying] = [
      await createWorkspaceWithDueRows(job),
      await createWorkspaceWithDueRows(job),
      await createWorkspaceWithDueRows(job),
    ]
    await env.DB.prepare(
      `INSERT INTO workspace_moves (workspace_id, state, home, created_at, updated_at) VALUES (?, 'leaving', ?, 1, 1)`,
    )
      .bind(leaving, EU_NUMBER)
      .run()
    const [leavingRows, stayingRows] = [await dumpWorkspace(env.DB, leaving), await dumpWorkspace(env.DB, staying)]
    const now = readClock()
    // A run measures a few workspaces, or deletes the rows of a workspace before its row.
    const runs = [await runCron(now), await runCron(now + 60_000)]
    const sent = runs.flatMap((run) => run.sent)
    expect(sent.filter(({ subscriptionId }) => subscriptionId === leaving)).toEqual([])
    expect(await dumpWorkspace(env.DB, leaving)).toEqual(leavingRows)
    // The rows are due indeed.
    const stayingRowsAfter = await dumpWorkspace(env.DB, staying)
    const isEnqueued = sent.some(({ subscriptionId }) => subscriptionId === staying)
    for (const { table } of DUE_ROWS_BY_JOB[job] ?? [])
      if (!isEnqueued) expect(stayingRowsAfter[table]).not.toEqual(stayingRows[table])
  },
)

test('each job of the cron has its due rows here', async () => {
  expect((await runCron(readClock())).jobs.sort()).toEqual(Object.keys(DUE_ROWS_BY_JOB).sort())
})
