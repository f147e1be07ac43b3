import { expect, test } from 'vitest'
import { acceptMailing, createSegment } from '../mail/queue-simulation'

const PATH = '/api/v2/suppressions'

interface Suppression {
  id: number
  email: string
  segmentId: number | null
  reason: string
}

type Space = Awaited<ReturnType<typeof createSegment>>

const addSuppression = ({ client }: Space, json: object) => client<Suppression>('POST', PATH, { json })
const listSuppressions = async ({ client }: Space, query = '') =>
  (await client<Suppression[]>('GET', `${PATH}?${query}`)).body.data

test('an address is suppressed once per segment or for all mail, until the suppression is removed', async () => {
  const space = await createSegment(3)
  const { segmentId, client } = space
  const one = await addSuppression(space, { email: ' M0@Example.com ', segmentId })
  expect([one.status, one.headers.get('location')]).toEqual([201, `${PATH}/${one.body.data.id}`])
  expect(one.body.data).toMatchObject({ email: 'm0@example.com', segmentId, reason: 'manual' })
  const again = await addSuppression(space, { email: 'm0@example.com', segmentId })
  expect([again.status, again.cost.rowsWritten, again.body.data]).toEqual([200, 0, one.body.data])
  const all = await addSuppression(space, { email: 'm1@example.com', segmentId: null })
  // An address without a user.
  await addSuppression(space, { email: 'later@example.com' })

  expect((await acceptMailing(space)).to).toEqual(['m2@example.com'])
  const MEMBERS = '/api/v2/segments/email-members'
  const emails = ['m0@example.com', 'm1@example.com']
  expect((await acceptMailing(space, undefined, { emails }, MEMBERS)).to).toEqual(['m0@example.com'])

  for (const { body } of [one, all]) {
    expect((await client('DELETE', `${PATH}/${body.data.id}`)).body).toMatchObject({ data: {} })
    const gone = await client('DELETE', `${PATH}/${body.data.id}`)
    expect([gone.status, gone.body.error?.code]).toEqual([404, 'suppression_not_found'])
  }
  expect((await acceptMailing(space)).to).toEqual(['m0@example.com', 'm1@example.com', 'm2@example.com'])
  // Ids are never reused.
  const next = await addSuppression(space, { email: 'm0@example.com' })
  expect(next.body.data.id).toBeGreaterThan(all.body.data.id + 1)
  const events = await client<{ type: string; data: object }[]>('GET', '/api/v2/events?type=suppression.deleted')
  expect(events.body.data.map(({ data }) => data)).toEqual([one.body.data, all.body.data])
})

test('suppressions are listed newest first, by address, segment and reason', async () => {
  const space = await createSegment(1)
  const { segmentId, row, subscriptionId } = space
  const store = (email: string, reason: string, segment: number, at: number) =>
    row('suppressions', { subscription_id: subscriptionId, email, reason, segment_id: segment, created_at: at })
  await store('a@example.com', 'unsubscribe', segmentId, 1)
  await store('a@example.com', 'complaint', 0, 2)
  await store('b@example.com', 'hard_bounce', 0, 3)
  const shown = async (query: string) =>
    (await listSuppressions(space, query)).map(({ email, segmentId, reason }) => [email, segmentId, reason])
  const [a, all, b] = [
    ['a@example.com', segmentId, 'unsubscribe'],
    ['a@example.com', null, 'complaint'],
    ['b@example.com', null, 'hard_bounce'],
  ]
  expect(await shown('')).toEqual([b, all, a])
  expect(await shown('sort=createdAt')).toEqual([a, all, b])
  expect(await shown('email=A@example.com')).toEqual([all, a])
  expect(await shown(`segmentId=${segmentId}`)).toEqual([a])
  expect(await shown('reason=hard_bounce')).toEqual([b])
})

test('an invalid address, a foreign segment and a limited key are refused', async () => {
  const space = await createSegment(1)
  const stranger = await createSegment(1)
  const broken = [
    '',
    'a',
    'a@',
    '@b.example',
    'a b@example.com',
    'a@example.com,b@example.com',
    'a@example.com\nBcc: b@x.y',
    `${'x'.repeat(250)}@example.com`,
    7,
    null,
    { toString: 'a@example.com' },
    ['a@example.com'],
  ]
  for (const email of broken) {
    const { status, body } = await addSuppression(space, { email })
    expect([email, status, body.error?.issues[0]?.path]).toEqual([email, 400, '/email'])
  }
  for (const segmentId of [stranger.segmentId, 0, -1, 1.5, '1', 2 ** 53]) {
    const { status, body } = await addSuppression(space, { email: 'a@example.com', segmentId })
    expect([segmentId, status, body.error?.issues[0]?.path]).toEqual([segmentId, 400, '/segmentId'])
  }
  expect(await listSuppressions(space)).toEqual([])

  const foreign = (await addSuppression(stranger, { email: 'm0@example.com' })).body.data.id
  for (const method of ['GET', 'DELETE']) {
    const { status, body } = await space.client(method, `${PATH}/${foreign}`)
    expect([method, status, body.error?.code]).toEqual([method, 404, 'suppression_not_found'])
  }
  expect((await acceptMailing(space)).to).toEqual(['m0@example.com'])
  const limited = await space.key({ products: [space.product.id] })
  const reader = await space.key({ scopes: ['mail:read'] })
  for (const apiKey of [limited, reader]) {
    const refused = await space.client('POST', PATH, { json: { email: 'a@example.com' }, apiKey })
    expect(refused.status).toBe(403)
  }
})
