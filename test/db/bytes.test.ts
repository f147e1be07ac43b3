import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../src/db/client/client'
import { measureStoredBytes } from '../../src/workspace/usage/measure'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { freezeTime } from '../fake-clock'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const TEXT = 'x'.repeat(20_000)

interface Limit {
  limit: number | null
  used: number | null
  resetsAt: string | null
}

async function createLimitedWorkspace(bytes: number, rows = 0) {
  const space = await createWorkspace()
  const settings = { WORKSPACE_BYTES: String(bytes), WORKSPACE_ROWS_PER_DAY: String(rows) }
  const epics = `/api/initiatives/${space.product.externalKey}/epics`
  const ask = (method: string, path: string, json?: unknown) =>
    space.client<{ external_key: string; externalKey: string }>(method, path, {
      ...(json !== undefined && { json }),
      env: settings,
    })
  return {
    ...{ ...space, settings, epics, ask },
    create: (description = TEXT) => ask('POST', epics, { summary: 'An epic', description }),
    limits: async () =>
      (await space.client<{ limits: Record<'rowsPerDay' | 'bytes', Limit> }>('GET', '/api/v2/me', { env: settings }))
        .body.data.limits,
    /** Runs the cron part in the next minute that takes this workspace, as measured `age` milliseconds before. */
    async measure(age: number) {
      const last = await env.DB.prepare('SELECT max(subscription_id) AS id FROM written_rows').first<number>('id')
      let minute = Math.ceil(readClock() / MINUTE)
      const first = () => (minute * 5) % ((last ?? 0) + 1)
      while (!(first() <= space.subscriptionId && space.subscriptionId < first() + 5)) minute++
      await env.DB.prepare('UPDATE written_rows SET bytes = 1, measured_at = ? WHERE subscription_id = ?')
        .bind(minute * MINUTE - age, space.subscriptionId)
        .run()
      await measureStoredBytes({ store: openStore(env.DB, minute * MINUTE), settings: { ...env, ...settings } })
    },
  }
}

test('a workspace with its quota of bytes cannot create, import or upload, and still changes and removes', async () => {
  const it = await createLimitedWorkspace(150_000)
  const keys: string[] = []
  let last = await it.create()
  while (last.status === 200 && keys.length < 20) {
    expect(last.cost.roundTrips).toBe(1)
    keys.push(last.body.data.externalKey)
    last = await it.create()
  }
  // A record is stored in its table and in its event, and the last event is counted by the next write.
  expect([last.status, last.body.error?.code, keys.length]).toEqual([429, 'rate_limited', 5])
  expect([last.headers.get('retry-after'), last.cost.roundTrips]).toEqual(['3600', 1])
  expect(last.body.message).toContain('150000 bytes')
  const at = `/api/initiatives/${it.product.externalKey}`
  expect((await it.ask('POST', `${at}/backlog/import`, [{ type: 'epic', summary: 'New' }])).status).toBe(429)
  const bulk = (op: object) => it.ask('POST', `${at}/backlog/bulk`, [op])
  expect((await bulk({ op: 'create', type: 'epic', body: { summary: 'New' } })).status).toBe(429)
  const [key] = keys
  expect((await bulk({ op: 'update', type: 'epic', externalKey: key, body: { summary: 'Twice' } })).status).toBe(200)
  expect((await it.ask('PUT', `${it.epics}/${key}`, { summary: 'Changed' })).status).toBe(200)
  expect((await it.ask('DELETE', `${it.epics}/${key}`)).status).toBe(200)
  const other = await createLimitedWorkspace(150_000)
  expect((await other.create()).status).toBe(200)
})

test('a change of a large record counts the event that stores the record again', async () => {
  const it = await createLimitedWorkspace(10_000_000)
  const { body } = await it.create()
  const before = (await it.limits()).bytes.used ?? 0
  for (let n = 0; n < 5; n++) await it.ask('PUT', `${it.epics}/${body.data.externalKey}`, { summary: `Name ${n}` })
  // The charge of the last change waits for the next write.
  expect(((await it.limits()).bytes.used ?? 0) - before).toBeGreaterThan(4 * TEXT.length)
})

test('the cron measures the bytes, and removed rows make room', async () => {
  const it = await createLimitedWorkspace(150_000)
  for (let n = 0; n < 6; n++) await it.create()
  expect((await it.create()).status).toBe(429)
  await it.measure(HOUR - 1)
  expect((await it.limits()).bytes.used).toBe(1)
  await it.measure(HOUR)
  const measured = (await it.limits()).bytes.used ?? 0
  expect([measured, measured > 10 * TEXT.length && measured < 11 * TEXT.length]).toEqual([measured, true])
  expect((await it.create()).status).toBe(429)
  for (const table of ['log', 'work_items'])
    await env.DB.prepare(`DELETE FROM ${table} WHERE subscription_id = ?`).bind(it.subscriptionId).run()
  await it.measure(HOUR)
  expect((await it.limits()).bytes.used).toBeLessThan(2_000)
  expect((await it.create()).status).toBe(200)
})

test('GET /api/v2/me shows the stored quotas', async () => {
  const free = await createLimitedWorkspace(0)
  await free.create()
  const none = { limit: null, used: null, resetsAt: null }
  const perMinute = (limit: number) => ({ limit, used: null, resetsAt: null })
  expect(await free.limits()).toEqual({
    ...{ rowsPerDay: none, bytes: none },
    mailingsPerHour: { limit: 200, used: 0, resetsAt: null },
    unitsPerMinute: perMinute(1000),
    workspaceUnitsPerMinute: perMinute(5000),
    bulkOperationsPerMinute: perMinute(60),
  })
  freezeTime(Date.UTC(2026, 5, 30, 12))
  const it = await createLimitedWorkspace(1_000_000, 500)
  await it.create()
  const { rowsPerDay, bytes } = await it.limits()
  expect(rowsPerDay).toEqual({ limit: 500, used: expect.any(Number), resetsAt: '2026-07-01T00:00:00.000Z' })
  expect(bytes).toEqual({ limit: 1_000_000, used: expect.any(Number), resetsAt: null })
  expect([rowsPerDay.used, bytes.used].every((used) => Number(used) > 0)).toBe(true)
  await env.DB.prepare('UPDATE written_rows SET day = day - 1 WHERE subscription_id = ?').bind(it.subscriptionId).run()
  expect((await it.limits()).rowsPerDay.used).toBe(0)
})

test('the quota of bytes adds one written row to a write', async () => {
  const free = await createLimitedWorkspace(0)
  const bound = await createLimitedWorkspace(10_000_000)
  const [without, withQuota] = [await free.create(), await bound.create()]
  expect(withQuota.cost.rowsWritten).toBe(without.cost.rowsWritten + 1)
  expect((await (await createLimitedWorkspace(10_000_000, 10_000)).create()).cost.rowsWritten).toBe(
    withQuota.cost.rowsWritten,
  )
})
