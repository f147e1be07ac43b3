import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

const URLS = { url: 'https://hooks.invalid/' }
type Made = { id: number; apiKeyId: number }

async function createKeyScenario() {
  const space = await createWorkspace()
  const { client, subscriptionId, product } = space
  const incoming = { provider: 'github', product: product.externalKey, action: 'create_feedback' }
  return {
    ...{ ...space, incoming },
    create: (path: 'webhooks' | 'incoming-webhooks', json: object, apiKey?: string) =>
      client<Made>('POST', `/api/v2/${path}`, { json, ...(apiKey && { apiKey }) }),
    keys: async () => (await client<{ id: number; name: string }[]>('GET', '/api/v2/api-keys')).body.data,
    events: async () => {
      const { results } = await env.DB.prepare('SELECT type, request_id FROM log WHERE subscription_id = ? ORDER BY id')
        .bind(subscriptionId)
        .all<{ type: string; request_id: string }>()
      return results
    },
  }
}

test('a webhook and its key are created by one request', async () => {
  const it = await createKeyScenario()
  const made = await it.create('webhooks', {
    ...URLS,
    events: ['epic.*'],
    apiKey: { name: 'Chat', scopes: ['backlog:read'] },
  })
  expect([made.status, made.body.message]).toEqual([201, expect.stringContaining('Webhook created')])
  const { apiKeyId } = made.body.data
  const [key] = await it.keys()
  expect(key).toMatchObject({
    id: apiKeyId,
    name: 'Chat',
    scopes: ['backlog:read'],
    userId: it.userId,
    revokedAt: null,
  })
  const [first, second] = (await it.events()).slice(-2)
  expect([first?.type, second?.type]).toEqual(['api_key.created', 'webhook.created'])
  expect(first?.request_id).toBe(second?.request_id)
  await it.client('DELETE', `/api/v2/api-keys/${apiKeyId}`)
  expect((await it.client('GET', `/api/v2/webhooks/${made.body.data.id}`)).body.data).toMatchObject({
    status: 'paused',
  })

  const apiKey = { name: 'Sender', scopes: ['feedback:read', 'feedback:write'] }
  const incoming = await it.create('incoming-webhooks', { ...it.incoming, apiKey })
  expect((await it.keys())[0]).toMatchObject({ id: incoming.body.data.apiKeyId, name: 'Sender' })
})

test('a new key of a webhook that is refused leaves nothing', async () => {
  const it = await createKeyScenario()
  const before = [(await it.keys()).length, (await it.events()).length]
  const narrow = { name: 'Narrow', scopes: ['kpis:read'] }
  const token = (scopes: string[]) => it.key({ scopes })
  const writer = { name: 'Writer', scopes: ['feedback:write'] }
  const cases: [Awaited<ReturnType<typeof it.create>>, number, string][] = [
    [await it.create('webhooks', { ...URLS, apiKey: narrow }), 400, 'needs the scope'],
    [await it.create('incoming-webhooks', { ...it.incoming, apiKey: narrow }), 400, 'feedback:write'],
    [await it.create('webhooks', { ...URLS, apiKey: narrow, apiKeyId: 1 }), 400, 'apiKeyId'],
    [await it.create('webhooks', { url: 'http://localhost', apiKey: { name: 'All', scopes: ['*'] } }), 400, '/url'],
  ]
  for (const [{ status, body }, expected, message] of cases)
    expect([status, body.message]).toEqual([expected, expect.stringContaining(message)])
  const after = [(await it.keys()).length, (await it.events()).length]
  expect(after).toEqual(before)
  const noKeys = await it.create(
    'incoming-webhooks',
    { ...it.incoming, apiKey: writer },
    await token(['webhooks:write', 'feedback:write']),
  )
  expect([noKeys.status, noKeys.body.message]).toEqual([403, expect.stringContaining('keys:write')])
  const noGrant = await it.create(
    'webhooks',
    { ...URLS, events: ['kpi.*'], apiKey: { name: 'More', scopes: ['kpis:read', 'mail:read'] } },
    await token(['webhooks:write', 'keys:write', 'kpis:read']),
  )
  expect([noGrant.status, noGrant.body.message]).toEqual([403, expect.stringContaining('mail:read')])
})
