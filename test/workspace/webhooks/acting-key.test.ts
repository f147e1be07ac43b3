import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ROLE_SCOPES } from '../../../src/roles'
import { call } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { createUniqueId } from '../../unique'

const HOOKS = '/api/v2/webhooks'
const INCOMING = '/api/v2/incoming-webhooks'

async function createPerson(here: Workspace) {
  const json = { email: `${createUniqueId()}@example.com`, role: 'admin' }
  const { id } = (await here.client<{ id: number }>('POST', '/api/v2/users', { json })).body.data
  const { headers } = await here.session({ userId: id, scopes: ROLE_SCOPES.admin })
  const request = <D = never>(method: string, path: string, body?: object) =>
    call<D>(method, path, { headers, ...(body && { json: body }) })
  const createKey = async (scopes: readonly string[], more: object = {}) => {
    const { body } = await request<{ id: number }>('POST', '/api/v2/api-keys', { name: 'hooks', scopes, ...more })
    expect(body.message).toMatch(/^API key created/)
    return body.data.id
  }
  return { id, request, createKey }
}

const keyOf = async (table: 'webhooks' | 'incoming_webhooks', id: number) =>
  (await env.DB.prepare(`SELECT key_id AS key FROM ${table} WHERE id = ?`).bind(id).first<{ key: number }>())?.key

const READING = ROLE_SCOPES.admin.filter((scope) => scope.endsWith(':read'))

test('a webhook of a session delivers with the chosen key, and a change by the session keeps the key', async () => {
  const here = await createWorkspace()
  const { request, createKey } = await createPerson(here)
  const [first, second] = [await createKey(READING), await createKey(READING)]
  const created = await request<{ id: number }>('POST', HOOKS, { url: 'https://example.com/hooks', apiKeyId: first })
  const { id } = created.body.data
  expect(await keyOf('webhooks', id)).toBe(first)
  for (const change of [{ status: 'paused' }, { status: 'active' }, { events: ['epic.*'] }]) {
    expect((await request('PUT', `${HOOKS}/${id}`, change)).status).toBe(200)
    expect(await keyOf('webhooks', id)).toBe(first)
  }
  expect((await request('PUT', `${HOOKS}/${id}`, { apiKeyId: second })).status).toBe(200)
  expect(await keyOf('webhooks', id)).toBe(second)
  // A key of a request takes the webhook over.
  await here.client('PUT', `${HOOKS}/${id}`, { json: { status: 'paused' } })
  expect([first, second]).not.toContain(await keyOf('webhooks', id))
})

test('the choice of the same key writes nothing, and another key makes one event', async () => {
  const here = await createWorkspace()
  const { request, createKey } = await createPerson(here)
  const [first, second] = [await createKey(READING), await createKey(READING)]
  const { id } = (await request<{ id: number }>('POST', HOOKS, { url: 'https://example.com/a', apiKeyId: first })).body
    .data
  const countEvents = async () =>
    (await here.client<unknown[]>('GET', `/api/v2/events?type=webhook.updated&key=${id}`)).body.data.length
  await request('PUT', `${HOOKS}/${id}`, { apiKeyId: first })
  expect(await countEvents()).toBe(0)
  await request('PUT', `${HOOKS}/${id}`, { apiKeyId: second })
  expect(await countEvents()).toBe(1)
})

test('a webhook takes no key that the caller lacks, that ends, or that cannot do its work', async () => {
  const here = await createWorkspace()
  const { request, createKey } = await createPerson(here)
  const json = { name: 'Second' }
  const other = (await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json })).body.data
  const refusal = async (path: string, body: object) => (await request('POST', path, body)).body.error?.code
  const hook = (apiKeyId: number, more: object = {}) =>
    refusal(HOOKS, { url: 'https://example.com/hooks', apiKeyId, ...more })
  const incoming = (apiKeyId: number) =>
    refusal(INCOMING, {
      ...{ provider: 'github', product: here.product.externalKey, action: 'upsert_work_item', apiKeyId },
    })
  const ofOwner = await here.client<{ id: number }>('POST', '/api/v2/api-keys', { json: { name: 'o', scopes: ['*'] } })
  const session = await here.session()
  const ended = await createKey(READING)
  await request('DELETE', `/api/v2/api-keys/${ended}`)
  for (const wrong of [999_999, session.id, ended]) {
    expect(await hook(wrong)).toBe('validation_failed')
    expect(await incoming(wrong)).toBe('validation_failed')
  }
  const narrow = await createKey(['backlog:read'])
  const limited = await createKey(['backlog:read', 'backlog:write'], { products: [other.externalKey] })
  for (const [name, one] of Object.entries({ ofOwner: ofOwner.body.data.id, narrow, limited })) {
    expect([name, await hook(one)]).toEqual([name, 'insufficient_scope'])
    expect([name, await incoming(one)]).toEqual([name, 'insufficient_scope'])
  }
  expect(await hook(narrow, { events: ['epic.*'] })).toBeUndefined()
  expect(await hook(limited, { events: ['epic.*'] })).toBe('insufficient_scope')
  expect(await hook(limited, { events: ['epic.*'], products: [other.externalKey] })).toBeUndefined()
})

test('a session widens the events of a webhook only as far as its key reads', async () => {
  const here = await createWorkspace()
  const { request, createKey } = await createPerson(here)
  const narrow = await createKey(['backlog:read'])
  const json = { url: 'https://example.com/hooks', events: ['epic.*'], apiKeyId: narrow }
  const { id } = (await request<{ id: number }>('POST', HOOKS, json)).body.data
  const widen = (more: object = {}) => request('PUT', `${HOOKS}/${id}`, { events: ['epic.*', 'kpi.*'], ...more })
  expect((await widen()).body.error?.code).toBe('insufficient_scope')
  expect((await widen({ apiKeyId: await createKey(READING) })).status).toBe(200)
})

test('an incoming webhook of a session acts as the chosen key', async () => {
  const here = await createWorkspace()
  const { request, createKey } = await createPerson(here)
  const writer = await createKey(['backlog:write'])
  const body = { action: 'upsert_work_item', target: { type: 'epic' } }
  const at = { provider: 'github', product: here.product.externalKey }
  const { id } = (await request<{ id: number }>('POST', INCOMING, { ...at, ...body, apiKeyId: writer })).body.data
  expect(await keyOf('incoming_webhooks', id)).toBe(writer)
  expect((await request('PUT', `${INCOMING}/${id}`, { ...body, target: { type: 'feature' } })).status).toBe(200)
  expect(await keyOf('incoming_webhooks', id)).toBe(writer)
  const idea = { action: 'create_feedback' }
  expect((await request('PUT', `${INCOMING}/${id}`, idea)).body.error?.code).toBe('insufficient_scope')
  const second = await createKey(['feedback:write'])
  expect((await request('PUT', `${INCOMING}/${id}`, { ...idea, apiKeyId: second })).status).toBe(200)
  expect(await keyOf('incoming_webhooks', id)).toBe(second)
})
