import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { signUnsubscription } from '../../../src/http/token'
import { send } from '../../client'
import { MESSAGE, segmentOf } from '../mail/post'

test('the unsubscribe link asks on GET and acts on POST, once, without a key', async () => {
  const { client, segmentId, subscriptionId } = await segmentOf(2)
  const claims = { subscriptionId, email: 'm0@example.com', segmentId }
  const link = `/unsubscribe/${await signUnsubscription(env.SIGNING_SECRETS, claims)}`

  const suppressed = async () => {
    const { results } = await env.DB.prepare('SELECT email, segment_id FROM suppressions WHERE subscription_id = ?')
      .bind(subscriptionId)
      .all()
    return results
  }
  const asked = await send('GET', link)
  expect(asked.response.status).toBe(200)
  expect(asked.response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await asked.response.text()).toContain('<form method="post">')
  expect(await suppressed()).toEqual([])

  const oneClick = {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: 'List-Unsubscribe=One-Click',
  }
  for (let n = 0; n < 2; n++) {
    const done = await send('POST', link, oneClick)
    expect(done.response.status).toBe(200)
    expect(done.cost.roundTrips).toBe(1)
  }
  expect(await suppressed()).toEqual([{ email: 'm0@example.com', segment_id: segmentId }])
  const events = await client<object[]>('GET', '/api/v2/events?type=member.unsubscribed')
  expect(events.body.data).toMatchObject([{ data: { email: 'm0@example.com', segmentId } }])

  const next = await client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE })
  expect(next.body.data).toEqual([{ email: 'm1@example.com' }])
})

test('the log keeps no address of whoever unsubscribes', async () => {
  const { client, segmentId, subscriptionId } = await segmentOf(1)
  const users = await client<{ id: number }[]>('GET', '/api/v2/users?email=m0@example.com')
  const known = users.body.data[0]?.id
  for (const email of ['m0@example.com', 'former@example.com']) {
    const token = await signUnsubscription(env.SIGNING_SECRETS, { subscriptionId, email, segmentId })
    expect((await send('POST', `/unsubscribe/${token}`)).response.status).toBe(200)
  }
  const { results } = await env.DB.prepare(
    `SELECT resource_key, person_id, data FROM events WHERE subscription_id = ? AND type = 'member.unsubscribed'`,
  )
    .bind(subscriptionId)
    .all()
  const data = `{"email":"\\u0000email","segmentId":${segmentId}}`
  expect(results).toEqual([
    { resource_key: String(known), person_id: known, data },
    { resource_key: '0', person_id: null, data },
  ])
})

test('the link of a message that is shown acts for nobody', async () => {
  const { client, segmentId, subscriptionId } = await segmentOf(1)
  const sent = await client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE })
  const path = `${sent.headers.get('location')}/recipients/0`
  const shown = await client<{ message: { headers: Record<string, string> } }>('GET', path)
  const { headers } = shown.body.data.message
  const { origin, pathname } = new URL(/^<(.+)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? '')
  expect([origin, headers['List-Unsubscribe-Post']]).toEqual(['https://groundwork.test', 'List-Unsubscribe=One-Click'])
  for (const method of ['GET', 'POST']) expect((await send(method, pathname)).response.status).toBe(404)
  const { results } = await env.DB.prepare('SELECT * FROM suppressions WHERE subscription_id = ?')
    .bind(subscriptionId)
    .all()
  expect(results).toEqual([])
})

test('an unsubscribe token that is not ours does nothing and tells nothing', async () => {
  const { subscriptionId, segmentId, key } = await segmentOf(1)
  const link = { subscriptionId, email: 'm0@example.com', segmentId }
  const token = await signUnsubscription(env.SIGNING_SECRETS, link)
  const [header, payload] = token.split('.')
  const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
  const other = env.SIGNING_SECRETS.replace(/:[^,]+/, `:${btoa('another secret of thirty-two bytes!')}`)
  const tokens = [
    'nonsense',
    '%00',
    `${header}.${payload}.`,
    `${encode({ alg: 'none', kid: 'test-new' })}.${payload}.`,
    token.slice(0, -3),
    await signUnsubscription(other, link),
    (await key()).replace('Bearer ', ''),
  ]
  for (const bad of tokens) {
    for (const method of ['GET', 'POST']) {
      const { response } = await send(method, `/unsubscribe/${bad}`)
      const text = await response.text()
      expect([bad, method, response.status]).toEqual([bad, method, 404])
      expect(text).not.toContain('example.com')
    }
  }
  const { response } = await send('GET', '/api/initiatives', { apiKey: `Bearer ${token}` })
  expect(response.status).toBe(401)
  const count = await env.DB.prepare('SELECT count(*) AS n FROM suppressions WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first()
  expect(count).toEqual({ n: 0 })
})

test('the unsubscribe page shows an address as text', async () => {
  const email = `"<img src=x onerror='alert(1)'>"@example.com`
  const token = await signUnsubscription(env.SIGNING_SECRETS, { subscriptionId: 1, email, segmentId: 0 })
  const { response } = await send('GET', `/unsubscribe/${token}`)
  const text = await response.text()
  expect(text).not.toContain('<img')
  expect(text).toContain('&lt;img src=x onerror=&#39;alert(1)&#39;&gt;')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('each page of the link is kept nowhere, frames and scripts are shut out, and other methods are refused', async () => {
  const { subscriptionId, segmentId } = await segmentOf(1)
  const link = { subscriptionId, email: 'm0@example.com', segmentId }
  const path = `/unsubscribe/${await signUnsubscription(env.SIGNING_SECRETS, link)}`
  for (const [method, at, status] of [
    ['GET', path, 200],
    ['POST', path, 200],
    ['HEAD', path, 200],
    ['GET', '/unsubscribe/nonsense', 404],
    ['POST', `${path}.${'x'.repeat(5000)}`, 404],
  ] as const) {
    const { response } = await send(method, at)
    const headers = ['content-type', 'cache-control', 'referrer-policy', 'content-security-policy', 'x-request-id']
    const told = headers.map((name) => response.headers.get(name))
    expect([method, response.status, ...told]).toEqual([
      method,
      status,
      'text/html; charset=utf-8',
      'no-store',
      'no-referrer',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      expect.any(String),
    ])
    expect((await response.text()).startsWith('<!doctype html>')).toBe(method !== 'HEAD')
  }
  const { response } = await send('DELETE', path)
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD'])
})
