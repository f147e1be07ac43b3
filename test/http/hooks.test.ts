import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { app } from '../../src/app'
import { Held } from '../../src/http/memory'
import { call } from '../client'
import { type Workspace, workspace } from '../factories'

const MIB = 1024 * 1024

function limitOf(most: number) {
  const limit = vi.fn(async (_: RateLimitOptions) => ({ success: limit.mock.calls.length <= most }))
  return { limit }
}

async function hookOf({ client, product }: Workspace, { signed = false } = {}): Promise<string> {
  const json = {
    ...{ provider: 'generic', product: product.externalKey, action: 'create_feedback' },
    ...{ mapping: { title: '$.title' }, target: {} },
  }
  const made = await client<{ id: number; url: string }>('POST', '/api/v2/incoming-webhooks', { json })
  expect(made.status).toBe(201)
  if (signed) await client('POST', `/api/v2/incoming-webhooks/${made.body.data.id}/rotate`, { json: {} })
  return new URL(made.body.data.url).pathname
}

const MAIL = '/api/hooks/mail/postmark'
const secrets = { MAIL_EVENTS_SECRETS: 'postmark=somebody:of-sixteen-chars' }
const own = { authorization: `Basic ${btoa('somebody:of-sixteen-chars')}`, 'content-type': 'application/json' }

/** Sends a request with a body that is still being written. */
function slowly(path: string, headers: Record<string, string> = {}, settings: object = {}) {
  const { readable, writable } = new IdentityTransformStream()
  const request = new Request(new URL(path, 'https://groundwork.test'), { method: 'POST', headers, body: readable })
  const response = Promise.resolve(app.fetch(request, { ...env, ...settings }, createExecutionContext()))
  return { response, writer: writable.getWriter() }
}

afterEach(() => {
  vi.useRealTimers()
})

test('an address at its limit is refused before the body of a mail event has arrived', async () => {
  const ADDRESS_RATE = limitOf(0)
  const headers = { ...own, 'cf-connecting-ip': '203.0.113.20' }
  const { response } = slowly(MAIL, headers, { ...secrets, ADDRESS_RATE })
  expect((await response).status).toBe(429)
  expect(ADDRESS_RATE.limit).toHaveBeenCalledTimes(1)
})

test('an address is not limited in the events of the provider, and again once it sends others', async () => {
  const ADDRESS_RATE = limitOf(3)
  const send = async (headers: object, address = '203.0.113.21') => {
    const given = { ...own, ...headers, 'cf-connecting-ip': address }
    return (await call('POST', MAIL, { env: { ...secrets, ADDRESS_RATE }, headers: given, raw: '{}' })).status
  }
  for (let n = 0; n < 10; n++) expect(await send({})).toBe(200)
  expect(ADDRESS_RATE.limit).toHaveBeenCalledTimes(1)
  const forged = { authorization: 'Basic bm9ib2R5' }
  expect([await send(forged), await send(forged), await send(forged)]).toEqual([401, 401, 429])
  expect(ADDRESS_RATE.limit).toHaveBeenCalledTimes(4)
  expect(await send({}, '203.0.113.22')).toBe(429)
})

describe('the whole body of a hook has thirty seconds', () => {
  test.each(['mail', 'incoming'])('%s', async (kind) => {
    const it = await workspace()
    const path = kind === 'mail' ? MAIL : await hookOf(it)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { response, writer } = slowly(path, kind === 'mail' ? own : {}, secrets)
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

test('the body of a hook is counted with all others, and given back', async () => {
  const it = await workspace()
  const path = await hookOf(it)
  const post = (to: string, headers: Record<string, string>) => call('POST', to, { headers, raw: '{}', env: secrets })
  const others = [1, 2].map((subscription) => new Held(subscription, () => {}))
  for (const other of others) other.take(40 * MIB)
  for (const [to, headers] of [
    [path, {}],
    [MAIL, own],
  ] as const) {
    const refused = await post(to, headers)
    expect([to, refused.status, refused.headers.get('retry-after')]).toEqual([to, 503, '2'])
  }
  for (const other of others) other.release()
  // Each request reserves at least 64 KiB. Without the releases, the reservations would exceed the limit of a
  // workspace.
  for (let n = 0; n < 700; n++) {
    const { response, writer } = slowly(MAIL, own, secrets)
    await writer.write(new TextEncoder().encode('{}'))
    await writer.close()
    expect((await response).status).toBe(200)
  }
  expect((await post(path, {})).status).toBe(202)
})

test('a delivery without a signature is refused before its body has arrived', async () => {
  const it = await workspace()
  const path = await hookOf(it, { signed: true })
  const { response } = slowly(path)
  expect((await response).status).toBe(401)
})

test('a body that is too large for a hook is told the limit', async () => {
  const it = await workspace()
  const answer = await call('POST', await hookOf(it), { raw: ' '.repeat(1_000_001) })
  expect([answer.status, answer.body.message]).toEqual([
    413,
    'The body is larger than 1,000,000 bytes. Send less at once.',
  ])
})
