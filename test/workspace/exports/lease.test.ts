import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { claimExport, passExportTurn } from '../../../src/workspace/exports/queries/work'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { MINUTE, readExport, simulateExports, startExport } from './export-simulation'

const readStoredRun = (id: number) =>
  env.DB.prepare(
    `SELECT status, step, position, archive, progress, record_count, size, attempts, next_attempt_at, version,
       (SELECT count(*) FROM export_entries WHERE export_id = exports.id) AS entries
     FROM exports WHERE id = ?`,
  )
    .bind(id)
    .first()

const listExportEvents = async ({ client }: Workspace) =>
  (await client<{ type: string }[]>('GET', '/api/v2/events')).body.data.map(({ type }) => type)

test.each([
  { before: 'stores its progress', action: 'put', attempts: 0, end: 'completed' },
  { before: 'completes the export', action: 'head', attempts: 0, end: 'completed' },
  { before: 'gives the export up', action: 'batch', attempts: 20, end: 'failed' },
])('an invocation that loses its lease before it $before changes nothing', async ({ action, attempts, end }) => {
  const space = await createWorkspace()
  const { id, message } = await startExport(space)
  await env.DB.prepare('UPDATE exports SET attempts = ? WHERE id = ?').bind(attempts, id).run()
  const simulation = simulateExports()
  simulation.queue.push(message)
  let claimed: unknown
  simulation.beforeAction = async (name) => {
    // The first action is the claim.
    if (claimed || name !== action || simulation.actionCount === 1) return
    await claimExport(openStore(env.DB, simulation.now + 10 * MINUTE), message)
    claimed = await readStoredRun(id)
  }
  await simulation.drain()
  expect(claimed).toMatchObject({ status: 'running' })
  expect(await readStoredRun(id)).toEqual(claimed)
  expect(await listExportEvents(space)).toEqual(['export.created'])
  // The invocation with the lease was killed, and the cron wakes the export.
  simulation.now += 15 * MINUTE
  await simulation.drain()
  expect((await readExport(space, id)).status).toBe(end)
  expect(await listExportEvents(space)).toEqual(['export.created', `export.${end}`])
})

test('an invocation without the lease does not end the lease of another', async () => {
  const space = await createWorkspace()
  const { message } = await startExport(space)
  const now = readClock()
  const first = await claimExport(openStore(env.DB, now), message)
  if (!first) throw new Error('The export was not claimed')
  const store = openStore(env.DB, now + 10 * MINUTE)
  const second = await claimExport(store, message)
  if (!second) throw new Error('The export was not claimed again')
  await passExportTurn(store, first)
  expect(await claimExport(store, message)).toBeUndefined()
  await passExportTurn(store, second)
  expect(await claimExport(store, message)).toMatchObject({ version: second.version + 1 })
})
