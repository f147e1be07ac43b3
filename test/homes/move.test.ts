import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { operations } from '../../src/operations'
import { type CallOptions, send } from '../client'
import { readClock } from '../clock'
import { createScenario } from '../contract/table'
import { wrapBatches } from '../d1'
import { createWorkspace, type Workspace } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { createFullWorkspace } from '../workspace/exports/every-table'
import { type Clock, dumpWorkspace, fillEmptyTables, finishMove, readMove, requestMove, runMoves } from './moving'

const bindings = await openTwoHomes()

const countRows = (dump: Record<string, unknown[]>) => Object.values(dump).flat().length

async function moveToEu({ subscriptionId }: Workspace): Promise<void> {
  const clock = { now: readClock() }
  await requestMove(env.DB, subscriptionId, EU_NUMBER, clock.now)
  await finishMove(bindings, clock)
  expect(await readMove(env.DB, subscriptionId)).toMatchObject({ state: 'moved', step: 'done', home: EU_NUMBER })
}

test('a workspace with rows in every table moves with all its rows, and leaves nothing behind', async () => {
  const { here } = await createFullWorkspace()
  await fillEmptyTables(here.subscriptionId)
  const before = await dumpWorkspace(env.DB, here.subscriptionId)
  expect(Object.entries(before).flatMap(([name, rows]) => (rows.length ? [] : [name]))).toEqual([])
  await moveToEu(here)
  expect(await readMove(env.DB_EU, here.subscriptionId)).toBeNull()
  expect(await dumpWorkspace(env.DB_EU, here.subscriptionId)).toEqual(before)
  expect(countRows(await dumpWorkspace(env.DB, here.subscriptionId))).toBe(0)
})

/** The invocation ends after a number of batches to the two databases. */
function killAfter(batches: number) {
  let left = batches
  const count = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left <= 0) throw new Error('The invocation is killed')
    const done = await work()
    left--
    if (left <= 0) throw new Error('The invocation is killed')
    return done
  }
  const wrapDatabase = (d1: D1Database) => wrapBatches(d1, count)
  const killed = { ...bindings, DB: wrapDatabase(env.DB), DB_EU: wrapDatabase(env.DB_EU) }
  return { killed, isKilled: () => left <= 0 }
}

test('a move that is killed after any batch ends in one home with all rows', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { here } = await createScenario()
  const id = here.subscriptionId
  const before = await dumpWorkspace(env.DB, id)
  const clock: Clock = { now: readClock() }
  const states = new Set<string>()
  for (let batches = 1; ; batches++) {
    const [from, to] = batches % 2 ? [env.DB, env.DB_EU] : [env.DB_EU, env.DB]
    await requestMove(from, id, batches % 2 ? EU_NUMBER : 0, clock.now)
    const { killed, isKilled } = killAfter(batches)
    for (let round = 0; round < 5 && !isKilled(); round++) {
      await runMoves(killed, clock).catch(() => undefined)
      clock.now += 61_000
    }
    const [left, arrived] = [await readMove(from, id), await readMove(to, id)]
    states.add(`${left?.state} ${arrived?.state}`)
    // Requests find all rows in the home that has the workspace.
    const isMoved = left?.state === 'moved'
    expect(await dumpWorkspace(isMoved ? to : from, id)).toEqual(before)
    await finishMove(bindings, clock)
    expect((await readMove(from, id))?.state).toBe('moved')
    expect(await readMove(to, id)).toBeNull()
    expect(await dumpWorkspace(to, id)).toEqual(before)
    expect(countRows(await dumpWorkspace(from, id))).toBe(0)
    if (!isKilled()) break
  }
  expect([...states].sort()).toEqual([
    ...['leaving arriving', 'leaving moved', 'moved arriving', 'moved undefined', 'requested moved'],
    'requested undefined',
  ])
}, 300_000)

const unlimited = { limit: async () => ({ success: true }) }
const REQUEST_ENV = {
  ...{
    HOMES: TWO_HOMES,
    KEY_RATE: unlimited,
    WORKSPACE_RATE: unlimited,
    BULK_RATE: unlimited,
    ADDRESS_RATE: unlimited,
  },
}

/** Answers of all operations that read, by operation. */
async function readEverything({ records }: Awaited<ReturnType<typeof createScenario>>, apiKey: string) {
  const answers: Record<string, unknown> = {}
  for (const { id, method, path } of operations) {
    if (method !== 'get' || /download/i.test(id)) continue
    const { response } = await send('GET', await records.path(path), { apiKey, env: REQUEST_ENV })
    // A request id differs. The score of a record depends on the texts of all workspaces of the database.
    const text = (await response.text()).replace(/"score":[\d.]+/g, '"score":1')
    answers[id] = [response.status, response.ok ? text : response.headers.get('link')]
  }
  return answers
}

test('a moved workspace answers as before, and its new records have ids of the new home', async () => {
  const scenario = await createFullWorkspace()
  const { here } = scenario
  const session = await here.session()
  const key = await here.key()
  const before = await readEverything(scenario, key)
  await moveToEu(here)
  expect(await readEverything(scenario, key)).toEqual(before)

  const ask = (method: string, path: string, options: CallOptions = {}) =>
    here.client<{ id: number; externalKey: string }>(method, path, { ...options, env: REQUEST_ENV })
  const at = `/api/initiatives/${here.product.externalKey}`
  const epic = await ask('POST', `${at}/epics`, { json: { summary: 'Zebra crossing' } })
  expect(epic.status).toBe(200)
  const found = await ask('GET', '/api/v2/search?q=zebra')
  expect(JSON.stringify(found.body.data)).toContain('Zebra crossing')
  const stored = await env.DB_EU.prepare('SELECT max(id) AS id FROM work_items').first<{ id: number }>()
  expect(Math.floor(Number(stored?.id) / 2 ** 32) % 2_048).toBe(EU_NUMBER)
  const signedIn = await ask('GET', '/api/v2/me', { apiKey: null, headers: session.headers })
  expect(signedIn.status).toBe(200)
  // Search finds what was written before the move.
  const old = await ask('GET', '/api/v2/search?q=Linked')
  expect(JSON.stringify(old.body.data)).toContain('Linked')
})

test('a workspace that cannot move stays, and the row says why', async () => {
  const clock = { now: readClock() }
  const space = await createWorkspace()
  const id = space.subscriptionId
  const ask = async (home: number) => {
    await requestMove(env.DB, id, home, clock.now)
    await finishMove(bindings, clock)
    return readMove(env.DB, id)
  }
  expect(await ask(9)).toMatchObject({ state: 'failed', step: 'done', problem: 'HOMES names no home 9.' })
  expect(await ask(0)).toMatchObject({ state: 'failed', problem: 'The workspace is in home 0 already.' })
  await env.DB.prepare('UPDATE subscriptions SET erase_at = 1 WHERE id = ?').bind(id).run()
  expect(await ask(EU_NUMBER)).toMatchObject({ state: 'failed', problem: 'The workspace is to be erased.' })
  await env.DB.prepare('UPDATE subscriptions SET erase_at = NULL WHERE id = ?').bind(id).run()

  // The address of a portal is unique in a database.
  await env.DB.prepare(`UPDATE portals SET slug = 'taken' WHERE subscription_id = ?`).bind(id).run()
  const other = await env.DB_EU.prepare(
    `INSERT INTO subscriptions (name, created_at) VALUES ('Other', 1) RETURNING id`,
  ).first<{ id: number }>()
  await env.DB_EU.prepare(`UPDATE portals SET slug = 'taken' WHERE subscription_id = ?`).bind(other?.id).run()
  const before = await dumpWorkspace(env.DB, id)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(await ask(EU_NUMBER)).toMatchObject({
    ...{ state: 'failed', step: 'done', problem: 'Another workspace of the new home has the same portals.slug.' },
  })
  expect(await dumpWorkspace(env.DB, id)).toEqual(before)
  expect(countRows(await dumpWorkspace(env.DB_EU, id))).toBe(0)
  expect(
    (await space.client('POST', '/api/v2/teams', { json: { name: 'Here' }, env: { HOMES: TWO_HOMES } })).status,
  ).toBe(201)

  await env.DB_EU.prepare(`UPDATE portals SET slug = 'free' WHERE subscription_id = ?`).bind(other?.id).run()
  // After a restore to an earlier moment, the other home may have assigned the same id.
  await env.DB_EU.prepare(
    `INSERT INTO products (id, subscription_id, external_key, name, created_at, updated_at) VALUES (?, ?, 'GW-TAKEN', '', 1, 1)`,
  )
    .bind(space.product.id, other?.id)
    .run()
  expect(await ask(EU_NUMBER)).toMatchObject({
    ...{ state: 'failed', problem: 'A workspace of the other home has the same key in products.' },
  })
  expect(await dumpWorkspace(env.DB, id)).toMatchObject({ products: before.products })
  await env.DB_EU.prepare('DELETE FROM products WHERE id = ?').bind(space.product.id).run()
  expect(await ask(EU_NUMBER)).toMatchObject({ state: 'moved', step: 'done' })
})

test('a workspace stays whole if the new home names the same database', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { subscriptionId: id } = await createWorkspace()
  const before = await dumpWorkspace(env.DB, id)
  const same = { ...bindings, DB_EU: new Proxy(env.DB, { get: (d1, name) => Reflect.get(d1, name).bind(d1) }) }
  const clock = { now: readClock() }
  await requestMove(env.DB, id, EU_NUMBER, clock.now)
  for (let n = 0; n < 20; n++) {
    await runMoves(same, clock).catch(() => undefined)
    clock.now += 61_000
  }
  expect(await readMove(env.DB, id)).toMatchObject({
    ...{ state: 'failed', step: 'done', problem: 'The database of home 1 belongs to home 0. Correct HOMES.' },
  })
  expect(await dumpWorkspace(env.DB, id)).toEqual(before)
})

test('the files of a workspace move to the bucket of the new home', async () => {
  const space = await createWorkspace()
  const id = space.subscriptionId
  const keys = Array.from({ length: 120 }, (_, n) => `${id}/file-${String(n).padStart(3, '0')}`).concat(
    `archive/${id}/events/000000000007.ndjson`,
  )
  for (const key of keys) await env.FILES.put(key, `bytes of ${key}`, { httpMetadata: { contentType: 'text/x-test' } })
  await moveToEu(space)
  for (const key of keys) {
    const object = await env.FILES_EU.get(key)
    expect([await object?.text(), object?.httpMetadata?.contentType]).toEqual([`bytes of ${key}`, 'text/x-test'])
    expect(await env.FILES.head(key)).toBeNull()
  }
})

test('texts beyond the size of a page move unchanged', async () => {
  const space = await createWorkspace()
  const id = space.subscriptionId
  const insert = (title: string, content: string) =>
    env.DB.prepare(
      `INSERT INTO documents (subscription_id, product_id, external_key, title, content, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, 1, 1)`,
    ).bind(id, space.product.id, title, title, content)
  const texts = ['\n"\\'.repeat(200_000), 'ü'.repeat(90_000), '\u0001'.repeat(190_000), 'a\0b', '']
  await env.DB.batch(texts.map((text, n) => insert(`D-${n}`, text)))
  await env.DB.batch(Array.from({ length: 2_300 }, (_, n) => insert(`E-${n}`, 'short')))
  await env.DB.prepare(`INSERT INTO log (place, subscription_id, type, resource_key, created_at, data)
    VALUES ((? << 32) + 4294967295, ?, 'x', 'x', 1, '{}')`)
    .bind(id, id)
    .run()
  const before = await dumpWorkspace(env.DB, id)
  await moveToEu(space)
  expect(await dumpWorkspace(env.DB_EU, id)).toEqual(before)
})
