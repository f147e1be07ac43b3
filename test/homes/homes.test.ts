import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { startCronJobs } from '../../src/cron'
import { deriveSignInCodes } from '../../src/http/sign-in-token'
import type { QueueMessage } from '../../src/messages'
import { handleQueueBatch } from '../../src/queue'
import { call, send } from '../client'
import { readClock } from '../clock'
import { createWorkspace, type Workspace } from '../factories'
import { holdNextTimer } from '../fake-clock'
import { createEuWorkspace, EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { createUniqueId } from '../unique'
import { slowDatabase } from './spies'

await openTwoHomes()
const HOMES = { env: { HOMES: TWO_HOMES } }

const modifyPortal = ({ client }: Workspace, json: object) =>
  client<{ slug: string }>('PUT', '/api/v2/settings/portal', { json, ...HOMES })

const databaseOf = (workspace: Workspace) => (workspace.subscriptionId < 2 ** 20 ? env.DB : env.DB_EU)

async function readCode(workspace: Workspace): Promise<string> {
  const variables = await databaseOf(workspace)
    .prepare('SELECT variables FROM email_recipients WHERE subscription_id = ? ORDER BY email_id DESC LIMIT 1')
    .bind(workspace.subscriptionId)
    .first<string>('variables')
  const { signIn } = JSON.parse(variables ?? '{}') as { signIn: string }
  const [code = ''] = await deriveSignInCodes(env.SIGNING_SECRETS, signIn)
  return code
}

async function addPerson({ client }: Workspace, email: string): Promise<void> {
  await client('POST', '/api/v2/users', { json: { email, role: 'member' }, ...HOMES })
}

test('a slug is unique in all homes, and each portal is found', async () => {
  const [first, second] = [await createWorkspace(), await createEuWorkspace()]
  const slug = `orbit-${first.subscriptionId}`
  const open = { slug, visibility: 'public' }
  expect((await modifyPortal(first, open)).status).toBe(200)
  const refused = await modifyPortal(second, { slug })
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Another portal has this slug')])
  expect((await modifyPortal(first, { slug })).status).toBe(200)
  const other = `${slug}-eu`
  expect((await modifyPortal(second, { ...open, slug: other })).status).toBe(200)
  for (const found of [slug, other]) {
    const { status } = await call('GET', `/api/v2/portal/${found}/ideas`, HOMES)
    expect([found, status]).toEqual([found, 200])
    const { response } = await send('GET', `/p/${found}`, HOMES)
    expect([found, response.status]).toEqual([found, 200])
  }
  expect((await call('GET', `/api/v2/portal/${slug}-nobody/ideas`, HOMES)).status).toBe(404)
})

test('a person signs in to a workspace of any home, with the code of either home, once', async () => {
  const [first, second] = [await createWorkspace(), await createEuWorkspace()]
  const email = `${createUniqueId()}@example.com`
  for (const workspace of [first, second]) await addPerson(workspace, email)
  const ask = (json: object, path = '') =>
    call<{ workspaces: object[] }>('POST', `/api/v2/sign-in${path}`, { json, ...HOMES })
  expect((await ask({ email })).status).toBe(200)
  const code = await readCode(first)
  const choice = await ask({ email, code }, '/code')
  expect(choice.body.data.workspaces).toHaveLength(2)
  const signedIn = await ask({ email, code, workspaceId: second.subscriptionId }, '/code')
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const me = await call<{ workspace: { id: number } }>('GET', '/api/v2/me', { headers: { cookie }, ...HOMES })
  expect([me.status, me.body.data.workspace.id]).toEqual([200, second.subscriptionId])
  expect((await ask({ email, code, workspaceId: first.subscriptionId }, '/code')).status).toBe(401)
})

test('a bookmark of another home is ignored', async () => {
  const [first, second] = [await createWorkspace(), await createEuWorkspace()]
  const readWith = async ({ client }: Workspace, bookmark = '') => {
    const { status, headers } = await client('GET', '/api/initiatives', {
      ...(bookmark && { headers: { 'x-d1-bookmark': bookmark } }),
      ...HOMES,
    })
    expect(status).toBe(200)
    return headers.get('x-d1-bookmark') ?? ''
  }
  const [own, foreign] = [await readWith(first), await readWith(second)]
  expect([own.includes(':'), foreign.startsWith(`${EU_NUMBER}:`)]).toEqual([false, true])
  await readWith(first, foreign)
  await readWith(second, foreign)
  await readWith(second, own)
})

test('the cron runs in each home, in an invocation of its own', async () => {
  const sent: QueueMessage[] = []
  const sendBatch = async (messages: Iterable<{ body: QueueMessage }>) =>
    void sent.push(...[...messages].map(({ body }) => body))
  const bindings = { ...env, HOMES: TWO_HOMES, QUEUE: { ...env.QUEUE, sendBatch } as never }
  await startCronJobs(bindings, createExecutionContext())
  expect(sent).toEqual([0, 2 ** 20].map((subscriptionId) => ({ kind: 'home.cron', subscriptionId })))
  const readLastRun = (d1: D1Database) => d1.prepare('SELECT ran_at FROM cron_runs').first<number>('ran_at')
  const runs = async () => [await readLastRun(env.DB), await readLastRun(env.DB_EU)]
  const now = readClock()
  const handle = async (bodies: readonly QueueMessage[]) => {
    const messages = bodies.map((body, n) => ({ id: String(n), timestamp: new Date(readClock()), attempts: 1, body }))
    const batch = createMessageBatch<QueueMessage>('groundwork-outside', messages)
    await handleQueueBatch(batch, { ...createBackgroundDeps(bindings, createExecutionContext()), now: () => now })
    return (await getQueueResult(batch, createExecutionContext())).retryMessages.map(({ msgId }) => msgId)
  }
  expect(await handle(sent)).toEqual(['1'])
  expect((await runs())[0]).toBe(now)
  expect(await handle(sent.slice(1))).toEqual([])
  expect(await runs()).toEqual([now, now])
})

test('an invocation handles one move', async () => {
  const bodies = [1, 2, 3].map((subscriptionId) => ({ kind: 'workspace.move' as const, subscriptionId, home: 0 }))
  const messages = bodies.map((body, n) => ({ id: String(n), timestamp: new Date(readClock()), attempts: 1, body }))
  const batch = createMessageBatch<QueueMessage>('groundwork-outside', messages)
  await handleQueueBatch(batch, createBackgroundDeps({ ...env, HOMES: TWO_HOMES }, createExecutionContext()))
  const { retryMessages } = await getQueueResult(batch, createExecutionContext())
  expect(retryMessages.map(({ msgId }) => msgId)).toEqual(['1', '2'])
})

test('a home that lags is named by /health, and the homes that do not lag answer', async () => {
  const [first, second] = [await createWorkspace(), await createEuWorkspace()]
  const row = await env.DB_EU.prepare('SELECT id, name FROM d1_migrations ORDER BY id DESC').first<{
    id: number
    name: string
  }>()
  await env.DB_EU.prepare('DELETE FROM d1_migrations WHERE id = ?').bind(row?.id).run()
  const health = await call('GET', '/health', HOMES)
  expect([health.status, health.body.message]).toEqual([503, expect.stringContaining('Apply the migrations')])
  for (const { client } of [first, second]) expect((await client('GET', '/api/initiatives', HOMES)).status).toBe(200)
  await env.DB_EU.prepare('INSERT INTO d1_migrations (id, name) VALUES (?, ?)').bind(row?.id, row?.name).run()
})

test.each([
  ['0:default:DB:FILES 1:eu:DB_ASIA', 'DB_ASIA'],
  ['0:default:DB:FILES 0:eu:DB_EU', 'HOMES'],
  ['0=DB', 'HOMES'],
])('HOMES = "%s" is a 503 that names %s', async (text, named) => {
  const { client } = await createWorkspace()
  const { status, body } = await client('GET', '/api/initiatives', { env: { HOMES: text } })
  expect([status, body.error?.code, body.message]).toEqual([503, 'not_configured', expect.stringContaining(named)])
})

test('a home that is not in HOMES is a 503 for its workspaces, and a hook of an unknown home is unknown', async () => {
  const { client } = await createEuWorkspace()
  expect((await client('GET', '/api/initiatives')).status).toBe(503)
  const hook = await call('GET', `/api/hooks/${(9 * 2 ** 20 + 1).toString()}-${'a'.repeat(43)}`, HOMES)
  expect(hook.status).toBe(404)
})

/** A database whose batches never answer, or fail at once. */
const failingDatabase = (fail: () => Promise<never>) =>
  new Proxy(env.DB_EU, {
    get(target, property) {
      if (property === 'withSession')
        return () => ({ ...target.withSession(), prepare: target.prepare.bind(target), batch: fail })
      if (property === 'prepare') return (text: string) => ({ ...target.prepare(text), bind: () => ({}), first: fail })
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The deadline of the database ends the wait at once. */
const hang = () => {
  const deadline = holdNextTimer()
  queueMicrotask(() => deadline.elapse())
  return new Promise<never>(() => {})
}

test.each([
  ['is down', () => Promise.reject(new Error('D1_ERROR: no such host'))],
  ['hangs', hang],
])('a home that %s stops no workspace of another home', async (_, fail) => {
  const here = await createWorkspace()
  const down = { env: { HOMES: TWO_HOMES, DB_EU: failingDatabase(fail) } }
  const slug = `up-${here.subscriptionId}`
  expect((await modifyPortal(here, { slug, visibility: 'public' })).status).toBe(200)
  expect((await call('GET', `/api/v2/portal/${slug}/ideas`, down)).status).toBe(200)
  const email = `${createUniqueId()}@example.com`
  await addPerson(here, email)
  expect((await call('POST', '/api/v2/sign-in', { json: { email }, ...down })).status).toBe(200)
  const json = { email, code: await readCode(here) }
  expect((await call('POST', '/api/v2/sign-in/code', { json, ...down })).status).toBe(200)
  const state = await call<{ homes: object[] }>('GET', '/health?deep=1', {
    headers: { authorization: 'Bearer operator' },
    env: { ...down.env, OPS_TOKEN: 'operator' },
  })
  expect(state.body.data.homes).toEqual([expect.objectContaining({ home: 'default' }), { home: 'eu', isDown: true }])
})

test('a person is offered the workspaces of a home that answers late', async () => {
  const [first, second] = [await createWorkspace(), await createEuWorkspace()]
  const email = `${createUniqueId()}@example.com`
  for (const workspace of [first, second]) await addPerson(workspace, email)
  const DB_EU = slowDatabase(env.DB_EU, 400)
  const far = { env: { HOMES: TWO_HOMES, DB_EU } }
  expect((await call('POST', '/api/v2/sign-in', { json: { email }, ...far })).status).toBe(200)
  const json = { email, code: await readCode(first) }
  const { body } = await call<{ workspaces: object[] }>('POST', '/api/v2/sign-in/code', { json, ...far })
  expect(body.data.workspaces).toHaveLength(2)
})
