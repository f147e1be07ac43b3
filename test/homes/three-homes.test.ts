import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { openStore } from '../../src/db/client/client'
import { openHome } from '../../src/db/client/home'
import { rememberMove } from '../../src/homes'
import { openStoreOfHomes } from '../../src/http/home'
import { findPerson } from '../../src/workspace/sessions/sign-in/queries/team'
import { call } from '../client'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { createEuWorkspace, EU_NUMBER, openTwoHomes } from '../homes'
import { migrateDatabase } from '../migrate'
import { type Clock, finishMove, readMove, requestMove, runMoves } from './moving'
import { slowDatabase } from './spies'

/* Home 2 shares the bucket of home 0. */

const US_NUMBER = 2
const HOMES = `0:default:DB:FILES ${EU_NUMBER}:eu:DB_EU:FILES_EU ${US_NUMBER}:us:DB_US:FILES`
const bindings = { ...(await openTwoHomes()), HOMES }
await migrateDatabase(env.DB_US)
await openHome(env.DB_US, US_NUMBER)

/** Runs the moves until the home has committed the move of the workspace. */
async function commitMove(d1: D1Database, id: number, home: number, clock: Clock): Promise<void> {
  await requestMove(d1, id, home, clock.now)
  for (let n = 0; n < 200; n++) {
    await runMoves(bindings, clock)
    if ((await readMove(d1, id))?.state === 'moved') return
    clock.now += 1_000
  }
  throw new Error(`The move stays ${JSON.stringify(await readMove(d1, id))}`)
}

async function moveTwice() {
  const space = await createWorkspace()
  const id = space.subscriptionId
  const key = `${id}/file`
  await env.FILES.put(key, 'precious')
  const clock = { now: readClock() }
  await commitMove(env.DB, id, EU_NUMBER, clock)
  await commitMove(env.DB_EU, id, US_NUMBER, clock)
  await finishMove(bindings, clock)
  return { ...space, key }
}

test('a home that a workspace has left deletes no file of a later home with the same bucket', async () => {
  const { subscriptionId, key } = await moveTwice()
  for (const d1 of [env.DB, env.DB_EU])
    expect(await readMove(d1, subscriptionId)).toMatchObject({ state: 'moved', step: 'done' })
  expect(await (await env.FILES.get(key))?.text()).toBe('precious')
  expect(await env.FILES_EU.get(key)).toBeNull()
})

test('a request follows a workspace through two homes', async () => {
  const { client, subscriptionId } = await moveTwice()
  for (const known of [0, EU_NUMBER, US_NUMBER, 0]) {
    rememberMove(subscriptionId, known)
    const read = await client('GET', '/api/initiatives', { env: { HOMES } })
    expect([known, read.status, read.headers.get('x-d1-bookmark')?.split(':')[0]]).toEqual([known, 200, '2'])
  }
})

test('the first home of HOMES answers for a name that two homes have', async () => {
  const email = 'twice@example.com'
  const [first, second] = [await createWorkspace(), await createEuWorkspace()]
  for (const { client } of [first, second])
    await client('POST', '/api/v2/users', { json: { email, role: 'member' }, env: { HOMES } })
  const slow = { ...bindings, DB: slowDatabase(env.DB, 100) }
  const store = openStoreOfHomes(slow, (d1) => openStore(d1, readClock()))
  expect((await findPerson(store, email))?.subscriptionId).toBe(first.subscriptionId)
})

test('a move that fails while files are copied leaves no file in the new home', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { subscriptionId: id } = await createWorkspace()
  for (let n = 0; n < 300; n++) await env.FILES.put(`${id}/${n}`, 'private')
  const clock = { now: readClock() }
  await requestMove(env.DB, id, EU_NUMBER, clock.now)
  await runMoves(bindings, clock, { messages: 1 })
  expect((await env.FILES_EU.list({ prefix: `${id}/` })).objects.length).toBeGreaterThan(50)
  expect(await readMove(env.DB, id)).toMatchObject({ state: 'requested' })
  await env.DB.prepare('UPDATE subscriptions SET erase_at = 1 WHERE id = ?').bind(id).run()
  clock.now += 61_000
  await finishMove(bindings, clock)
  expect(await readMove(env.DB, id)).toMatchObject({ state: 'failed', problem: 'The workspace is to be erased.' })
  expect((await env.FILES_EU.list({ prefix: `${id}/` })).objects).toEqual([])
})

test('a bookmark names its own home when another request learns of a move meanwhile', async () => {
  const space = await createWorkspace()
  const DB = slowDatabase(env.DB, 0, () => rememberMove(space.subscriptionId, EU_NUMBER))
  const read = await call('GET', '/api/initiatives', { apiKey: await space.key(), env: { HOMES, DB } })
  expect([read.status, read.headers.get('x-d1-bookmark')?.includes(':')]).toEqual([200, false])
})
