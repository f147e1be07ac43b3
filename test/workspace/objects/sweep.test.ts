import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../../src/background'
import { runCronJobs } from '../../../src/cron'
import { openStore } from '../../../src/db/client/client'
import { makeObjectKey } from '../../../src/workspace/objects/fields'
import { sweepObjects } from '../../../src/workspace/objects/sweep'
import { readClock } from '../../clock'
import { createWorkspace } from '../../factories'
import { createUniqueId } from '../../unique'

const HOUR = 3_600_000

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  for (const { key } of (await env.FILES.list()).objects) await env.FILES.delete(key)
})

// Each home has a key for the progress of its sweep.
const listObjectKeys = async () =>
  (await env.FILES.list()).objects.map(({ key }) => key).filter((key) => !/^sweep(-\d+)?\.json$/.test(key))

type BucketOverrides = Partial<Pick<R2Bucket, 'list' | 'delete' | 'put'>>

const runSweep = (hours: number, otherwise: BucketOverrides = {}) => {
  const now = readClock() + hours * HOUR
  const files = new Proxy(env.FILES, {
    get(target, name: keyof BucketOverrides) {
      return otherwise[name] ?? (target[name] as () => unknown).bind(target)
    },
  })
  return sweepObjects({ store: openStore(env.DB, now), files, now })
}

const ONE_OBJECT_PER_PAGE: BucketOverrides = { list: (options) => env.FILES.list({ ...options, limit: 1 }) }

async function uploadAsset({ client, product }: Awaited<ReturnType<typeof createWorkspace>>) {
  const form = new FormData()
  form.set('file', new File(['some bytes'], 'notes.txt'))
  const path = `/api/initiatives/${product.externalKey}/assets`
  const { body } = await client<{ id: number; path: string }>('POST', path, { raw: form })
  return { key: body.data.path, at: `${path}/${body.data.id}` }
}

const insertImport = (subscriptionId: number, key: string | null) =>
  env.DB.prepare(
    `INSERT INTO imports (subscription_id, reference, kind, area, status, file_name, file_type, object_key, on_conflict,
      mapping, header, user_id, total, created_at, updated_at)
     VALUES (?, ?, 'people', 'segments', 'pending', 'a.csv', 'csv', ?, 'skip', '{}', '[]', 0, 1, 0, 0)`,
  )
    .bind(subscriptionId, createUniqueId(), key)
    .run()

test('an object without a record is deleted after a day, and an object with a record stays', async () => {
  const [here, there] = [await createWorkspace(), await createWorkspace()]
  const [kept, removed] = [await uploadAsset(here), await uploadAsset(here)]
  expect((await here.client('DELETE', removed.at)).status).toBe(200)
  const file = makeObjectKey('importFile', here.subscriptionId)
  await insertImport(here.subscriptionId, file)
  // An object counts as an orphan when its key is stored for a different subscription or in a different kind of record.
  const orphans = [makeObjectKey('asset', here.subscriptionId), makeObjectKey('importFile', here.subscriptionId)]
  const foreign = makeObjectKey('asset', here.subscriptionId)
  const mistaken = makeObjectKey('asset', here.subscriptionId)
  await env.DB.prepare('UPDATE assets SET object_key = ? WHERE object_key = ?')
    .bind(foreign, (await uploadAsset(there)).key)
    .run()
  await insertImport(here.subscriptionId, mistaken)
  for (const key of [...orphans, foreign, mistaken, file]) await env.FILES.put(key, 'bytes')
  const before = await listObjectKeys()

  await runSweep(0)
  await runSweep(23.9)
  expect(await listObjectKeys()).toEqual(before)
  await runSweep(24.1)
  expect(await listObjectKeys()).toEqual([kept.key, removed.key, file].sort())
})

test('an object of an unknown kind stays', async () => {
  const strange = [
    'archive/1/events.ndjson',
    '1/exports/a.csv',
    '1/01234567-89ab-cdef-0123-456789abcdeg',
    '0/x',
    '1/',
    'x',
  ]
  for (const key of strange) await env.FILES.put(key, 'bytes')
  await runSweep(48)
  expect(await listObjectKeys()).toEqual([...strange].sort())
})

test('the sweep continues page by page, starts again a day later, and queries only pages with old objects', async () => {
  const { subscriptionId } = await createWorkspace()
  const orphans = Array.from({ length: 4 }, () => makeObjectKey('asset', subscriptionId)).sort()
  for (const key of orphans) await env.FILES.put(key, 'bytes')
  for (let run = 1; run <= 4; run++) {
    await runSweep(30, ONE_OBJECT_PER_PAGE)
    expect(await listObjectKeys()).toEqual(orphans.slice(run))
  }
  // This run reaches the end of the bucket, where the sweep's own cursor object lies.
  await runSweep(30, ONE_OBJECT_PER_PAGE)
  await env.FILES.put(orphans[0] ?? '', 'bytes')
  await runSweep(53, ONE_OBJECT_PER_PAGE)
  expect(await listObjectKeys()).toHaveLength(1)
  await runSweep(55, ONE_OBJECT_PER_PAGE)
  expect(await listObjectKeys()).toEqual([])
})

test('a killed sweep repeats its page, and two parallel sweeps do no harm', async () => {
  const space = await createWorkspace()
  const { key } = await uploadAsset(space)
  const orphans = Array.from({ length: 3 }, () => makeObjectKey('asset', space.subscriptionId))
  for (const orphan of orphans) await env.FILES.put(orphan, 'bytes')
  const gone = () => Promise.reject(new Error('The process is gone'))
  await expect(runSweep(30, { delete: gone })).rejects.toThrow('gone')
  expect(await listObjectKeys()).toHaveLength(4)
  await expect(runSweep(30, { put: gone as R2Bucket['put'] })).rejects.toThrow('gone')
  expect(await listObjectKeys()).toEqual([key])
  for (const orphan of orphans) await env.FILES.put(orphan, 'bytes')
  await Promise.all([runSweep(30), runSweep(30), runSweep(30)])
  expect(await listObjectKeys()).toEqual([key])
})

test('the cron runs the sweep', async () => {
  const orphan = makeObjectKey('asset', (await createWorkspace()).subscriptionId)
  await env.FILES.put(orphan, 'bytes')
  await runCronJobs({ ...createBackgroundDeps(env, createExecutionContext()), now: () => readClock() + 25 * HOUR })
  expect(await listObjectKeys()).toEqual([])
})
