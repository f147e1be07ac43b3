import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { makeArchiveObjectKey } from '../../../src/workspace/events/archive'
import { listExportedColumns } from '../../../src/workspace/exports/queries/rows'
import { EXPORTED_TABLES } from '../../../src/workspace/exports/queries/tables'
import { PART_BYTES } from '../../../src/workspace/exports/work/archive'
import { archiveDueLogs } from '../../../src/workspace/retention/archive'
import { send } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { seededRandom } from '../../random'
import type { ZipFile } from '../../zip'
import { createFullWorkspace } from './every-table'
import {
  DAY,
  downloadZip,
  exportWorkspace,
  MINUTE,
  readExport,
  simulateExports,
  startExport,
} from './export-simulation'
import { createEmptyWorkspace, downloadExport, restoreWorkspace } from './restore-simulation'

interface Manifest {
  format: number
  createdAt: string
  counts: Record<string, number>
  files: Record<string, string>
}

const readManifest = async (zip: ZipFile) => JSON.parse(await zip.readText('manifest.json')) as Manifest

const hexOf = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The rows of each table of the workspace, from the database. */
async function readStoredRows({ subscriptionId }: Workspace): Promise<Record<string, Record<string, unknown>[]>> {
  const rows: Record<string, Record<string, unknown>[]> = {}
  for (const exported of EXPORTED_TABLES) {
    const columns = getTableColumns(exported.table)
    const list = listExportedColumns(exported).map((name) => `"${columns[name]?.name}" AS "${name}"`)
    const tenant = 'subscriptionId' in columns ? 'subscription_id' : 'id'
    const name = getTableName(exported.table)
    const found = await env.DB.prepare(`SELECT ${list} FROM ${name} WHERE ${tenant} = ?`).bind(subscriptionId).all()
    rows[name] = found.results
  }
  return rows
}

const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()

async function expectWholeExport(zip: ZipFile, stored: Record<string, Record<string, unknown>[]>) {
  const manifest = await readManifest(zip)
  for (const [name, rows] of Object.entries(stored)) {
    expect([name, sorted(await zip.readRows(`records/${name}.ndjson`))]).toEqual([name, sorted(rows)])
    expect([name, manifest.counts[name]]).toEqual([name, rows.length])
  }
  expect(Object.keys(manifest.files).sort()).toEqual(zip.paths.filter((path) => path !== 'manifest.json').sort())
  for (const [path, sha256] of Object.entries(manifest.files)) {
    expect([path, sha256]).toEqual([path, hexOf(await crypto.subtle.digest('SHA-256', await zip.read(path)))])
  }
  return manifest
}

const { here: full } = await createFullWorkspace()

/** Calls of a cron run that finds nothing. */
const CRON_ACTIONS = 2

async function upload({ client, product }: Workspace, bytes: Uint8Array<ArrayBuffer>, name: string) {
  const form = new FormData()
  form.set('file', new File([bytes], name))
  const { body } = await client<{ id: number; path: string }>(
    'POST',
    `/api/initiatives/${product.externalKey}/assets`,
    { raw: form },
  )
  return { id: body.data.id, objectKey: body.data.path }
}

/** Bytes that a compression leaves as they are. */
const noise = seededRandom(86)

/** Events of one export. */
async function countExportEvents({ subscriptionId }: Workspace, id: number, type: string): Promise<number> {
  const found = await env.DB.prepare(
    'SELECT count(*) AS n FROM log WHERE subscription_id = ? AND type = ? AND resource_key = ?',
  )
    .bind(subscriptionId, type, String(id))
    .first<{ n: number }>()
  return found?.n ?? 0
}

test('an export has every row of every table, with counts and digests', async () => {
  const stored = await readStoredRows(full)
  const { run, zip } = await exportWorkspace(full)
  const manifest = await expectWholeExport(zip, stored)
  expect(manifest).toMatchObject({ format: 1, createdAt: expect.stringMatching(/Z$/) })
  const count = Object.values(stored).reduce((sum, rows) => sum + rows.length, 0)
  expect(run).toMatchObject({ status: 'completed', progress: 100, problem: null })
  expect(run.totals).toEqual({ records: count, files: 0, events: 0 })
  expect(await countExportEvents(full, run.id, 'export.completed')).toBe(1)
  expect(Object.keys(stored).filter((name) => !stored[name]?.length)).toEqual([])
})

test('an export contains no key, secret or token', async () => {
  const { zip } = await exportWorkspace(full, { include: ['events', 'files'] })
  const { results: keys } = await env.DB.prepare('SELECT jti FROM api_keys WHERE subscription_id = ?')
    .bind(full.subscriptionId)
    .all<{ jti: string }>()
  const { results: hooks } = await env.DB.prepare(
    `SELECT secret AS a, sealed_url AS b, hook_token_hash AS c FROM webhooks WHERE subscription_id = ?1
     UNION ALL SELECT secret, token_hash, base_url FROM incoming_webhooks WHERE subscription_id = ?1`,
  )
    .bind(full.subscriptionId)
    .all<Record<string, string | null>>()
  const secrets = hooks.flatMap(({ a, b }) => [a, b]).filter((value) => typeof value === 'string')
  expect(keys.length).toBeGreaterThan(0)
  expect(secrets.length).toBeGreaterThan(1)
  const records = await Promise.all(
    zip.paths.filter((path) => path !== 'records/events.ndjson').map((path) => zip.readText(path).catch(() => '')),
  )
  const text = records.join('\n')
  for (const secret of [...keys.map(({ jti }) => jti), ...secrets]) expect(text.includes(secret)).toBe(false)
  expect(zip.paths.filter((path) => /api_keys|address|idempotency/.test(path))).toEqual([])
})

// A busy machine needs three seconds for an export.
const ELEVEN_EXPORTS_TIMEOUT = 120_000

describe('a process that dies', () => {
  test.each([1, 2, 3])('ten times at random changes nothing of the export (seed %i)', async (seed) => {
    const stored = await readStoredRows(full)
    const random = seededRandom(seed)
    const at = Array.from({ length: 10 }, (_, n) => 1 + n * 25 + random.below(25))
    const kill = { at, when: random.chance(50) ? ('before' as const) : ('after' as const) }
    const { run, zip, simulation } = await exportWorkspace(full, { include: ['files', 'events'], kill })
    expect(simulation.killCount).toBeGreaterThan(5)
    await expectWholeExport(zip, stored)
    expect(await countExportEvents(full, run.id, 'export.completed')).toBe(1)
  })

  test.each(['before', 'after'] as const)(
    '%s each of the last actions, which end the file',
    async (when) => {
      const space = await createWorkspace()
      await upload(space, noise.bytes(10_000), 'noise.bin')
      const stored = await readStoredRows(space)
      const first = await exportWorkspace(space, { include: ['files'] })
      const count = first.simulation.actionCount
      // The cron runs seven times after the end.
      const last = count - 7 * CRON_ACTIONS
      for (let at = last - 9; at <= last; at++) {
        const { zip } = await exportWorkspace(space, { include: ['files'], kill: { at: [at], when } })
        await expectWholeExport(zip, stored)
      }
    },
    ELEVEN_EXPORTS_TIMEOUT,
  )
})

test('files are part of the export on request, in parts of one size, and a missing object is left out', async () => {
  const space = await createWorkspace()
  const files = [noise.bytes(9_000_000), noise.bytes(8_000_000), noise.bytes(10)]
  const stored = []
  for (const [n, bytes] of files.entries()) stored.push(await upload(space, bytes, `é ${n}.bin`))
  const gone = await upload(space, noise.bytes(10), 'gone.bin')
  await env.FILES.delete(gone.objectKey)
  const removed = stored[2]?.id
  await space.client('DELETE', `/api/initiatives/${space.product.externalKey}/assets/${removed}`)
  const { run, zip, simulation } = await exportWorkspace(space, { include: ['files'] })
  expect(run.totals.files).toBe(3)
  expect(simulation.maxBytes).toBe(PART_BYTES)
  const manifest = await readManifest(zip)
  for (const [n, bytes] of files.entries()) {
    const path = `files/${stored[n]?.id}/é ${n}.bin`
    const sha256 = hexOf(await crypto.subtle.digest('SHA-256', bytes))
    expect(hexOf(await crypto.subtle.digest('SHA-256', await zip.read(path)))).toBe(sha256)
    expect(manifest.files[path]).toBe(sha256)
  }
  expect(zip.paths.filter((path) => path.startsWith('files/')).length).toBe(3)
  // Without the parts of the export, only the objects of the files and the finished export remain.
  const objects = (await env.FILES.list({ prefix: `${space.subscriptionId}/exports/` })).objects
  expect(objects.map(({ size }) => size)).toEqual([run.size])
})

test('a message makes a bounded number of calls, however many small files and rows a workspace has', async () => {
  const space = await createWorkspace()
  const { id, objectKey } = await upload(space, noise.bytes(10), 'small.bin')
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
     INSERT INTO assets (subscription_id, product_id, user_id, name, mime, size, sha256, object_key, created_at, updated_at)
     SELECT a.subscription_id, a.product_id, a.user_id, a.name, a.mime, a.size, a.sha256, a.object_key || '-' || i, 1, 1
     FROM n CROSS JOIN assets a WHERE a.id = ?`,
  )
    .bind(id)
    .run()
  const bytes = await (await env.FILES.get(objectKey))?.arrayBuffer()
  for (let n = 1; n <= 150; n++) await env.FILES.put(`${objectKey}-${n}`, bytes ?? '')
  const { run, zip, simulation } = await exportWorkspace(space, { include: ['files'] })
  expect(run.totals.files).toBe(151)
  expect(simulation.messageCount).toBeGreaterThan(1)
  expect(simulation.maxActionsPerMessage).toBeLessThan(200)
  await expectWholeExport(zip, await readStoredRows(space))

  const target = await createEmptyWorkspace()
  const restored = await restoreWorkspace(target, await downloadExport(space, run.id))
  expect(restored.run).toMatchObject({ status: 'completed', totals: { files: 151 } })
  expect(restored.simulation.maxActionsPerMessage).toBeLessThan(200)
})

test('events come from the archive and the log, each once and in order', async () => {
  const space = await createWorkspace()
  for (let n = 0; n < 12; n++) await space.client('POST', '/api/v2/teams', { json: { name: `Team ${n}` } })
  const { subscriptionId } = space
  await env.DB.prepare(
    'UPDATE log SET created_at = created_at - ? WHERE subscription_id = ? AND place & 4294967295 <= 7',
  )
    .bind(90 * DAY, subscriptionId)
    .run()
  const now = readClock()
  const settings = { ...env, EVENTS_KEPT_DAYS: '30' }
  await archiveDueLogs({ store: openStore(env.DB, now), files: env.FILES, settings })
  expect(await env.FILES.head(makeArchiveObjectKey(subscriptionId, 7))).not.toBeNull()
  const { run, zip } = await exportWorkspace(space, { include: ['events'] })
  const events = await zip.readRows<{ id: number; type: string }>('records/events.ndjson')
  expect(events.slice(0, 12).map(({ type }) => type)).toEqual(Array.from({ length: 12 }, () => 'team.created'))
  expect(events.map(({ id }) => id)).toEqual(events.map((_, n) => n + 1))
  expect(run.totals.events).toBe(events.length)
  expect((await readManifest(zip)).counts.events).toBe(events.length)
})

test('a table of many rows and of long texts is read in pages', async () => {
  const space = await createWorkspace()
  const { subscriptionId, product } = space
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
     INSERT INTO work_items (subscription_id, product_id, type, external_key, rank, summary, description, created_at, updated_at)
     SELECT ?1, ?2, 'userstory', 'US-' || i, 'a' || i, 'Story ' || i, CASE WHEN i <= 20 THEN hex(zeroblob(200000)) ELSE '' END, 1, 1 FROM n`,
  )
    .bind(subscriptionId, product.id)
    .run()
  const stored = await readStoredRows(space)
  const { zip, simulation } = await exportWorkspace(space)
  await expectWholeExport(zip, stored)
  // Pages of 2 MB and of 1,000 rows.
  expect(simulation.actionCount).toBeGreaterThan(EXPORTED_TABLES.length + 2 + 4)
})

describe('the file', () => {
  test('is a conflict before the end, has ranges, and is gone after seven days', async () => {
    const space = await createWorkspace()
    const apiKey = await space.key()
    const { id, run, message, location } = await startExport(space)
    expect(run).toMatchObject({ kind: 'export', status: 'queued', progress: 0, size: null, expiresAt: null })
    expect(location).toBe(`/api/v2/exports/${id}`)
    const path = `/api/v2/exports/${id}/download`
    expect((await space.client('GET', path)).body).toMatchObject({ error: { code: 'conflict' } })
    const simulation = simulateExports()
    simulation.queue.push(message)
    await simulation.drain()
    const done = await readExport(space, id)
    expect(Date.parse(done.expiresAt ?? '') - Date.parse(done.completedAt ?? '')).toBe(7 * DAY)
    const { response } = await send('GET', path, { apiKey, headers: { range: 'bytes=0-3' } })
    expect([response.status, await response.text()]).toEqual([206, 'PK\u0003\u0004'])
    expect(response.headers.get('content-range')).toBe(`bytes 0-3/${done.size}`)
    simulation.now += 7 * DAY - 20 * MINUTE
    await simulation.drain()
    expect((await readExport(space, id)).status).toBe('completed')
    simulation.now += 20 * MINUTE
    await simulation.drain()
    expect(await readExport(space, id)).toMatchObject({ status: 'expired', size: done.size })
    expect((await space.client('GET', path)).body).toMatchObject({ error: { code: 'gone' } })
    expect((await env.FILES.list({ prefix: `${space.subscriptionId}/` })).objects).toEqual([])
    simulation.now += 31 * DAY
    await simulation.drain()
    expect((await space.client('GET', `/api/v2/exports/${id}`)).status).toBe(404)
    const rows = await env.DB.prepare('SELECT count(*) AS n FROM export_entries WHERE export_id = ?').bind(id).first()
    expect(rows).toEqual({ n: 0 })
  })

  test('needs a key with the scope *', async () => {
    const { id } = await startExport(full)
    const apiKey = await full.key({ scopes: ['products:read', 'products:write', 'files:read'] })
    const { response } = await send('GET', `/api/v2/exports/${id}/download`, { apiKey })
    expect(response.status).toBe(403)
  })
})

test('an export that makes no progress fails with the reason, and leaves no bytes', async () => {
  const space = await createWorkspace()
  const { id, message } = await startExport(space)
  const simulation = simulateExports()
  simulation.queue.push(message)
  // The first write to R2 always kills the process.
  simulation.beforeAction = async (action) => {
    if (action !== 'put') return
    simulation.killed = true
    throw new Error('The process is gone')
  }
  await env.DB.prepare('UPDATE exports SET attempts = 18 WHERE id = ?').bind(id).run()
  for (let n = 0; n < 4; n++) await simulation.drain()
  expect(await readExport(space, id)).toMatchObject({
    status: 'failed',
    problem: 'The export made no progress. Start another export.',
  })
  expect(await countExportEvents(space, id, 'export.failed')).toBe(1)
  expect((await env.FILES.list({ prefix: `${space.subscriptionId}/` })).objects).toEqual([])
})

test('an invocation whose lease another invocation took stores nothing', async () => {
  const space = await createWorkspace()
  const { id, message } = await startExport(space)
  const slow = simulateExports()
  slow.queue.push(message)
  let other: Promise<unknown> | undefined
  slow.beforeAction = async (action) => {
    if (action !== 'put' || other) return
    const fast = simulateExports()
    fast.now = slow.now + 10 * MINUTE
    fast.queue.push(message)
    other = fast.drain()
    await other
  }
  await slow.drain()
  expect((await readExport(space, id)).status).toBe('completed')
  await expectWholeExport(await downloadZip(space, id), await readStoredRows(space))
})
