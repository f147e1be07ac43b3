import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { depsOf } from '../../../src/background'
import { everyMinute } from '../../../src/cron'
import { openStore } from '../../../src/db/client'
import { newObjectKey } from '../../../src/workspace/objects/fields'
import { sweepObjects } from '../../../src/workspace/objects/sweep'
import { workspace } from '../../factories'

const HOUR = 3_600_000

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  for (const { key } of (await env.FILES.list()).objects) await env.FILES.delete(key)
})

const keys = async () => (await env.FILES.list()).objects.map(({ key }) => key).filter((key) => key !== 'sweep.json')

type Wrapped = Partial<Pick<R2Bucket, 'list' | 'delete' | 'put'>>

const sweep = (hours: number, otherwise: Wrapped = {}) => {
  const now = Date.now() + hours * HOUR
  const files = new Proxy(env.FILES, {
    get(target, name: keyof Wrapped) {
      return otherwise[name] ?? (target[name] as () => unknown).bind(target)
    },
  })
  return sweepObjects({ store: openStore(env.DB, now), files, now })
}

const slowly: Wrapped = { list: (options) => env.FILES.list({ ...options, limit: 1 }) }

async function assetOf({ client, product }: Awaited<ReturnType<typeof workspace>>) {
  const form = new FormData()
  form.set('file', new File(['some bytes'], 'notes.txt'))
  const path = `/api/initiatives/${product.externalKey}/assets`
  const { body } = await client<{ id: number; path: string }>('POST', path, { raw: form })
  return { key: body.data.path, at: `${path}/${body.data.id}` }
}

const importOf = (subscriptionId: number, key: string | null) =>
  env.DB.prepare(
    `INSERT INTO imports (subscription_id, reference, kind, area, status, file_name, file_type, object_key, on_conflict,
      mapping, header, user_id, total, created_at, updated_at)
     VALUES (?, ?, 'people', 'segments', 'pending', 'a.csv', 'csv', ?, 'skip', '{}', '[]', 0, 1, 0, 0)`,
  )
    .bind(subscriptionId, crypto.randomUUID(), key)
    .run()

test('bytes without a record go after a day, and what has one stays, a removed one too', async () => {
  const [here, there] = [await workspace(), await workspace()]
  const [kept, removed] = [await assetOf(here), await assetOf(here)]
  expect((await here.client('DELETE', removed.at)).status).toBe(200)
  const file = newObjectKey('importFile', here.subscriptionId)
  await importOf(here.subscriptionId, file)
  // An object counts as an orphan when its key is stored for a different subscription or in a different kind of record.
  const orphans = [newObjectKey('asset', here.subscriptionId), newObjectKey('importFile', here.subscriptionId)]
  const foreign = newObjectKey('asset', here.subscriptionId)
  const mistaken = newObjectKey('asset', here.subscriptionId)
  await env.DB.prepare('UPDATE assets SET object_key = ? WHERE object_key = ?')
    .bind(foreign, (await assetOf(there)).key)
    .run()
  await importOf(here.subscriptionId, mistaken)
  for (const key of [...orphans, foreign, mistaken, file]) await env.FILES.put(key, 'bytes')
  const before = await keys()

  await sweep(0)
  await sweep(23.9)
  expect(await keys()).toEqual(before)
  await sweep(24.1)
  expect(await keys()).toEqual([kept.key, removed.key, file].sort())
})

test('what is of no known kind is left alone', async () => {
  const strange = [
    'archive/1/events.ndjson',
    '1/exports/a.csv',
    '1/01234567-89ab-cdef-0123-456789abcdeg',
    '0/x',
    '1/',
    'x',
  ]
  for (const key of strange) await env.FILES.put(key, 'bytes')
  await sweep(48)
  expect(await keys()).toEqual([...strange].sort())
})

test('it goes on where it was, a page a run, begins anew a day after its end, and asks the database for pages with old bytes alone', async () => {
  const { subscriptionId } = await workspace()
  const orphans = Array.from({ length: 4 }, () => newObjectKey('asset', subscriptionId)).sort()
  for (const key of orphans) await env.FILES.put(key, 'bytes')
  for (let run = 1; run <= 4; run++) {
    await sweep(30, slowly)
    expect(await keys()).toEqual(orphans.slice(run))
  }
  // This run reaches the end of the bucket, where the sweep's own cursor object lies.
  await sweep(30, slowly)
  await env.FILES.put(orphans[0] ?? '', 'bytes')
  await sweep(53, slowly)
  expect(await keys()).toHaveLength(1)
  await sweep(55, slowly)
  expect(await keys()).toEqual([])
})

test('killed before or after it deletes, it does the same page again, and two at once do no harm', async () => {
  const space = await workspace()
  const { key } = await assetOf(space)
  const orphans = Array.from({ length: 3 }, () => newObjectKey('asset', space.subscriptionId))
  for (const orphan of orphans) await env.FILES.put(orphan, 'bytes')
  const gone = () => Promise.reject(new Error('The process is gone'))
  await expect(sweep(30, { delete: gone })).rejects.toThrow('gone')
  expect(await keys()).toHaveLength(4)
  await expect(sweep(30, { put: gone as R2Bucket['put'] })).rejects.toThrow('gone')
  expect(await keys()).toEqual([key])
  for (const orphan of orphans) await env.FILES.put(orphan, 'bytes')
  await Promise.all([sweep(30), sweep(30), sweep(30)])
  expect(await keys()).toEqual([key])
})

test('the cron sweeps', async () => {
  const orphan = newObjectKey('asset', (await workspace()).subscriptionId)
  await env.FILES.put(orphan, 'bytes')
  await everyMinute({ ...depsOf(env, createExecutionContext()), now: () => Date.now() + 25 * HOUR })
  expect(await keys()).toEqual([])
})
