import { expect, test } from 'vitest'
import { countingKeyOfAddress } from '../../src/http/rate'
import { call } from '../client'
import { operationTable } from '../contract/table'
import { createWorkspace } from '../factories'

function createLimit(most: number) {
  const keys: string[] = []
  const limit = { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) <= most }) }
  return { keys, limit }
}

test('bulk operations and imports have a rate limit of their own', async () => {
  const { client, product, subscriptionId } = await createWorkspace()
  const { keys, limit } = createLimit(1)
  const env = { BULK_RATE: limit }
  const path = `/api/initiatives/${product.externalKey}/backlog/bulk`
  const json = [{ op: 'create', type: 'epic', body: { summary: 'One of many' } }]
  const first = await client('POST', path, { json, env })
  expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([
    200,
    '"key";q=1000;w=60, "workspace";q=5000;w=60, "bulk";q=60;w=60',
  ])

  const second = await client('POST', path, { json, env })
  expect([second.status, second.body.error?.code, second.headers.get('retry-after'), second.cost.roundTrips]).toEqual([
    ...[429, 'rate_limited', '60', 0],
  ])
  expect(second.body.message).toContain('bulk operations, imports, previews')
  expect(second.headers.get('ratelimit-policy')).toBe('"key";q=1000;w=60, "workspace";q=5000;w=60, "bulk";q=60;w=60')
  const epics = await client<unknown[]>('GET', `/api/initiatives/${product.externalKey}/epics`, { env })
  expect([epics.body.data.length, epics.headers.get('ratelimit-policy')]).toEqual([
    1,
    '"key";q=1000;w=60, "workspace";q=5000;w=60',
  ])
  const other = await createWorkspace()
  await other.client('POST', `/api/initiatives/${other.product.externalKey}/backlog/bulk`, { json, env })
  expect(new Set(keys).size).toBe(2)
  expect(keys[0]).toMatch(new RegExp(`^${subscriptionId}:`))
})

test('every operation on many records has the bulk rate limit', () => {
  const many = operationTable.filter(({ method, path }) => method !== 'get' && /bulk|import|undo/.test(path))
  const others = ['cancelImport', 'createIncomingWebhook']
  const evaluateRules = [
    'listSegmentsWithUsers',
    'getSegment',
    'previewSegment',
    'previewSegmentEmail',
    'listSegmentUsers',
  ]
  const expected = [...many.map(({ id }) => id).filter((id) => !others.includes(id)), ...evaluateRules]
  const limited = operationTable.filter(({ bulk }) => bulk).map(({ id }) => id)
  expect(limited.toSorted()).toEqual(expected.toSorted())
})

const PUBLIC = [
  ['GET', '/'],
  ['GET', '/.well-known/security.txt'],
  ['GET', '/health'],
  ['GET', '/unsubscribe/no-such-link'],
  ['POST', '/unsubscribe/no-such-link'],
  ['GET', '/confirmations/no-such-link'],
  ['POST', '/confirmations/no-such-link'],
  ['GET', '/invitations/no-such-link'],
  ['POST', '/invitations/no-such-link'],
  ['POST', '/api/hooks/mail/resend'],
  ['GET', `/api/hooks/1-${'a'.repeat(43)}`],
  ['POST', `/api/hooks/1-${'a'.repeat(43)}`],
] as const

test.each(PUBLIC)('%s %s is limited by the client address', async (method, path) => {
  const { keys, limit } = createLimit(1)
  const from = (address: string) =>
    call(method, path, { env: { ADDRESS_RATE: limit }, headers: { 'cf-connecting-ip': address } }).catch(() => null)
  await from('203.0.113.7')
  const refused = await from('203.0.113.7')
  expect([refused?.status, refused?.body.error?.code, refused?.headers.get('retry-after')]).toEqual([
    ...[429, 'rate_limited', '60'],
  ])
  expect(refused?.headers.get('ratelimit-policy')).toBe('"address";q=600;w=60')
  expect(refused?.cost.roundTrips).toBe(0)
  expect(keys).toEqual(['203.0.113.7', '203.0.113.7'])
})

test('the addresses of an IPv6 network count as one address', () => {
  const network = '2001:db8:0:7::/64'
  for (const address of ['2001:db8:0:7::1', '2001:0db8:0000:0007:ffff:1:2:3', '2001:DB8::7:0:0:0:1'])
    expect(countingKeyOfAddress(address)).toBe(network)
  expect(countingKeyOfAddress('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(countingKeyOfAddress('::1')).toBe('0:0:0:0::/64')
  expect(countingKeyOfAddress('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(countingKeyOfAddress('2001:db8:0:8::1')).not.toBe(network)
})
