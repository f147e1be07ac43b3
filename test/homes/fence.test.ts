import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createDatabaseMeter } from '../../src/db/client/batch'
import { openStore } from '../../src/db/client/client'
import { WorkspaceMoved } from '../../src/db/client/fence'
import { reserveIdsOfAllRows, runSqlOf } from '../../src/db/client/home'
import { param, statement } from '../../src/db/sql/statement'
import { listHomes, rememberMove } from '../../src/homes'
import type { CallOptions } from '../client'
import { readClock } from '../clock'
import { wrapBatches } from '../d1'
import { createWorkspace } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'

listHomes(await openTwoHomes())

const TABLES = ['subscriptions', 'users', 'products', 'api_keys']

async function copyWorkspace(id: number): Promise<void> {
  for (const table of TABLES) {
    const tenant = table === 'subscriptions' ? 'id' : 'subscription_id'
    const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE ${tenant} = ?`).bind(id).all()
    for (const row of results)
      await env.DB_EU.prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`)
        .bind(...Object.values(row))
        .run()
  }
}

const setMove = (d1: D1Database, id: number, state: string, home: number) =>
  d1
    .prepare(
      `INSERT INTO workspace_moves (workspace_id, state, home, created_at, updated_at) VALUES (?, ?, ?, 1, 1)
        ON CONFLICT DO UPDATE SET state = excluded.state, home = excluded.home`,
    )
    .bind(id, state, home)
    .run()

async function createMovable() {
  const space = await createWorkspace()
  const client = (method: string, path: string, options: CallOptions = {}) =>
    space.client<{ name: string }[]>(method, path, { ...options, env: { HOMES: TWO_HOMES, ...options.env } })
  return { ...space, client }
}

const selectProducts = statement<{ id: number }>(
  sql`SELECT id FROM products WHERE subscription_id = ${param('@subscription')}`,
)
const renameProducts = statement<never>(
  sql`UPDATE products SET name = 'Renamed' WHERE subscription_id = ${param('@subscription')}`,
)
const storeOf = (d1: D1Database) => openStore(d1, readClock(), createDatabaseMeter())

test('a workspace that leaves can be read, and its writes wait', async () => {
  const { client, subscriptionId, product } = await createMovable()
  await setMove(env.DB, subscriptionId, 'leaving', EU_NUMBER)
  expect((await client('GET', '/api/initiatives')).status).toBe(200)
  const path = `/api/initiatives/${product.externalKey}/epics`
  const refused = await client('POST', path, { json: { summary: 'Late' } })
  expect([refused.status, refused.body.error?.code, refused.headers.get('retry-after')]).toEqual([
    ...[503, 'temporarily_unavailable', '5'],
  ])
  expect(refused.body.message).toBe(
    'This workspace is moving to another region. Reads work; repeat the change in a few seconds.',
  )
  const store = storeOf(env.DB)
  expect(await store.batch(subscriptionId, selectProducts({}))).toEqual([[{ id: product.id }]])
  await expect(store.batch(subscriptionId, renameProducts({}))).rejects.toMatchObject({ status: 503 })

  await setMove(env.DB, subscriptionId, 'failed', EU_NUMBER)
  expect((await client('POST', path, { json: { summary: 'Late' } })).status).toBe(200)
})

test('a batch of a workspace that is in another home names the home and does nothing', async () => {
  const { subscriptionId, product } = await createMovable()
  for (const state of ['moved', 'arriving']) {
    await setMove(env.DB, subscriptionId, state, EU_NUMBER)
    const store = storeOf(env.DB)
    for (const make of [selectProducts, renameProducts]) {
      const failure = await store.batch(subscriptionId, make({})).catch((cause: unknown) => cause)
      expect(failure).toBeInstanceOf(WorkspaceMoved)
      expect((failure as WorkspaceMoved).home).toBe(EU_NUMBER)
    }
  }
  const stored = await env.DB.prepare('SELECT name FROM products WHERE id = ?').bind(product.id).first()
  expect(stored).toEqual({ name: 'Test' })
})

test('requests follow a moved workspace with its key, also after the old home has deleted its rows', async () => {
  const { client, subscriptionId, product } = await createMovable()
  await copyWorkspace(subscriptionId)
  await setMove(env.DB_EU, subscriptionId, 'arriving', 0)
  await env.DB_EU.prepare(`UPDATE products SET name = 'In the new home' WHERE id = ?`).bind(product.id).run()
  const nameOf = async () => (await client('GET', '/api/initiatives')).body.data[0]?.name
  expect(await nameOf()).toBe('Test')

  await setMove(env.DB, subscriptionId, 'moved', EU_NUMBER)
  await env.DB_EU.prepare('DELETE FROM workspace_moves WHERE workspace_id = ?').bind(subscriptionId).run()
  await reserveIdsOfAllRows(runSqlOf(env.DB), 0)
  await env.DB.prepare('DELETE FROM api_keys WHERE subscription_id = ?').bind(subscriptionId).run()
  expect(await nameOf()).toBe('In the new home')
  const created = await client('POST', `/api/initiatives/${product.externalKey}/epics`, { json: { summary: 'New' } })
  expect(created.status).toBe(200)
  const stored = await env.DB_EU.prepare('SELECT summary FROM work_items WHERE subscription_id = ?')
    .bind(subscriptionId)
    .all()
  expect(stored.results).toEqual([{ summary: 'New' }])
})

test.each([
  ['old', 0],
  ['new', EU_NUMBER],
])('a request that asks the %s home first ends an arrival that a killed move has left', async (_, first) => {
  const { client, subscriptionId } = await createMovable()
  await copyWorkspace(subscriptionId)
  await setMove(env.DB, subscriptionId, 'leaving', EU_NUMBER)
  await setMove(env.DB_EU, subscriptionId, 'arriving', 0)
  const ask = async () => {
    rememberMove(subscriptionId, first)
    return (await client('GET', '/api/initiatives')).status
  }
  const isArriving = async () =>
    (await env.DB_EU.prepare('SELECT 1 FROM workspace_moves WHERE workspace_id = ?').bind(subscriptionId).first()) !==
    null
  expect([await ask(), await isArriving()]).toEqual([200, true])
  await setMove(env.DB, subscriptionId, 'moved', EU_NUMBER)
  const refused = await client('GET', '/api/initiatives')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect([await isArriving(), await ask()]).toEqual([false, 200])
})

/** The connection is lost after the first write. */
function loseFirstAnswer(afterwards: () => Promise<unknown>): D1Database {
  let isLost = false
  return wrapBatches(env.DB, async (run, statements) => {
    const results = await run()
    if (isLost || statements.length < 3) return results
    isLost = true
    await afterwards()
    throw new Error('D1_ERROR: Network connection lost.')
  })
}

test.each(['leaving', 'moved'])(
  'a write whose answer is lost before the workspace is %s is not repeated',
  async (state) => {
    const { client, subscriptionId, product } = await createMovable()
    await copyWorkspace(subscriptionId)
    const DB = loseFirstAnswer(() => setMove(env.DB, subscriptionId, state, EU_NUMBER))
    const answer = await client('POST', `/api/initiatives/${product.externalKey}/epics`, {
      json: { summary: 'Once' },
      env: { DB },
    })
    expect([answer.status, answer.body.error?.code]).toEqual([409, 'already_done'])
  },
)
