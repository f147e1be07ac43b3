import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { app } from '../../src/app'
import { BodyMemory } from '../../src/http/memory'
import { call } from '../client'
import { createWorkspace, type Workspace } from '../factories'

const MIB = 1024 * 1024

function createLimit(most: number) {
  const limit = vi.fn(async (_: RateLimitOptions) => ({ success: limit.mock.calls.length <= most }))
  return { limit }
}

async function createHook({ client, product }: Workspace, { signed = false } = {}): Promise<string> {
  const json = {
    ...{ provider: 'generic', product: product.externalKey, action: 'create_feedback' },
    ...{ mapping: { title: '$.title' }, target: {} },
  }
  const made = await client<{ id: number; url: string }>('POST', '/api/v2/incoming-webhooks', { json })
  expect(made.status).toBe(201)
  if (signed) await client('POST', `/api/v2/incoming-webhooks/${made.body.data.id}/rotate`, { json: {} })
  return new URL(made.body.data.url).pathname
}

const MAIL_EVENTS_PATH = '/api/hooks/mail/postmark'
const secrets = { MAIL_EVENTS_SECRETS: 'postmark=somebody:of-sixteen-chars' }
const credentials = { authorization: `Basic ${btoa('somebody:of-sixteen-chars')}`, 'content-type': 'application/json' }

/** Sends a request with a body that is still being written. */
function sendSlowly(path: string, headers: Record<string, string> = {}, settings: object = {}) {
  const { readable, writable } = new IdentityTransformStream()
  const request = new Request(new URL(path, 'https://groundwork.test'), { method: 'POST', headers, body: readable })
  const response = Promise.resolve(app.fetch(request, { ...env, ...settings }, createExecutionContext()))
  return { response, writer: writable.getWriter() }
}

afterEach(() => {
  vi.useRealTimers()
})

test('an address at its limit is refused before the body of a mail event arrives', async () => {
  const ADDRESS_RATE = createLimit(0)
  const headers = { ...credentials, 'cf-connecting-ip': '203.0.113.20' }
  const { response } = sendSlowly(MAIL_EVENTS_PATH, headers, { ...secrets, ADDRESS_RATE })
  expect((await response).status).toBe(429)
  expect(ADDRESS_RATE.limit).toHaveBeenCalledTimes(1)
})

test('an address is limited only for requests that are not from the provider', async () => {
  const ADDRESS_RATE = createLimit(3)
  const send = async (headers: object, address = '203.0.113.21') => {
    const given = { ...credentials, ...headers, 'cf-connecting-ip': address }
    return (await call('POST', MAIL_EVENTS_PATH, { env: { ...secrets, ADDRESS_RATE }, headers: given, raw: '{}' }))
      .status
  }
  for (let n = 0; n < 10; n++) expect(await send({})).toBe(200)
  expect(ADDRESS_RATE.limit).toHaveBeenCalledTimes(1)
  const forged = { authorization: 'Basic bm9ib2R5' }
  expect([await send(forged), await send(forged), await send(forged)]).toEqual([401, 401, 429])
  expect(ADDRESS_RATE.limit).toHaveBeenCalledTimes(4)
  expect(await send({}, '203.0.113.22')).toBe(429)
})

describe('the whole body of a hook must arrive within thirty seconds', () => {
  test.each(['mail', 'incoming'])('%s', async (kind) => {
    const it = await createWorkspace()
    const path = kind === 'mail' ? MAIL_EVENTS_PATH : await createHook(it)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { response, writer } = sendSlowly(path, kind === 'mail' ? credentials : {}, secrets)
    let answered: Response | undefined
    response.then((answer) => {
      answered = answer
    })
    // The service looks up an incoming webhook before the body is read.
    for (let n = 0; n < 20; n++) await env.DB.prepare('SELECT 1').run()
    let seconds = 0
    for (; seconds < 60 && !answered; seconds += 5) {
      writer.write(new Uint8Array([32])).catch(() => {})
      await env.DB.prepare('SELECT 1').run()
      await vi.advanceTimersByTimeAsync(5_000)
      await env.DB.prepare('SELECT 1').run()
    }
    expect([answered?.status, seconds]).toEqual([408, 30])
    expect(await answered?.json()).toMatchObject({ error: { code: 'request_timeout' } })
  })
})

test('the body of a hook counts in the shared memory and is released', async () => {
  const it = await createWorkspace()
  const path = await createHook(it)
  const post = (to: string, headers: Record<string, string>) => call('POST', to, { headers, raw: '{}', env: secrets })
  const others = [1, 2].map((subscription) => new BodyMemory(subscription, () => {}))
  for (const other of others) other.reserve(40 * MIB)
  for (const [to, headers] of [
    [path, {}],
    [MAIL_EVENTS_PATH, credentials],
  ] as const) {
    const refused = await post(to, headers)
    expect([to, refused.status, refused.headers.get('retry-after')]).toEqual([to, 503, '2'])
  }
  for (const other of others) other.release()
  // Each request reserves at least 64 KiB. Without the releases, the reservations would exceed the limit of a
  // workspace.
  for (let n = 0; n < 700; n++) {
    const { response, writer } = sendSlowly(MAIL_EVENTS_PATH, credentials, secrets)
    await writer.write(new TextEncoder().encode('{}'))
    await writer.close()
    expect((await response).status).toBe(200)
  }
  expect((await post(path, {})).status).toBe(202)
})

test('a delivery without a signature is refused before its body arrives', async () => {
  const it = await createWorkspace()
  const path = await createHook(it, { signed: true })
  const { response } = sendSlowly(path)
  expect((await response).status).toBe(401)
})

test('a body above the limit of a hook is a 413 that names the limit', async () => {
  const it = await createWorkspace()
  const answer = await call('POST', await createHook(it), { raw: ' '.repeat(1_000_001) })
  expect([answer.status, answer.body.message]).toEqual([
    413,
    'The body is larger than 1,000,000 bytes. Send less at once.',
  ])
})
