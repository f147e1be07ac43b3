import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

const MEMBERS = '/api/v2/idea-manager/members'

interface Member {
  id: number
  email: string
  segmentIds: number[]
}

async function createListScenario() {
  const here = await createWorkspace()
  const segment = (name: string) =>
    here.row('segments', { subscription_id: here.subscriptionId, name, created_at: 1, updated_at: 1 })
  const [one, two] = [await segment('One'), await segment('Two')]
  const json = [
    { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', segmentIds: [one, two] },
    { firstName: 'Élise', lastName: 'Adam', email: 'elise@example.org', segmentIds: [two] },
    { firstName: 'Grace', lastName: 'Hopper', email: 'grace@navy.test' },
  ]
  await here.client('POST', `${MEMBERS}/bulk-create`, { json })
  const emails = async (query: Record<string, string>) => {
    const { status, body } = await here.client<Member[]>('GET', `${MEMBERS}?${new URLSearchParams(query)}`)
    expect([query, status]).toEqual([query, 200])
    return body.data.map(({ email }) => email.split('@')[0]).sort()
  }
  return { here, one, two, emails }
}

test('members are found by words of name and address, role and segment, alone and combined', async () => {
  const { here, one, two, emails } = await createListScenario()
  expect(await emails({})).toEqual(['ada', 'elise', 'grace', 'owner'])
  expect(await emails({ q: 'ad' })).toEqual(['ada', 'elise'])
  expect(await emails({ q: 'love ada' })).toEqual(['ada'])
  expect(await emails({ q: 'elise' })).toEqual(['elise'])
  expect(await emails({ q: 'navy.test' })).toEqual(['grace'])
  expect(await emails({ q: '" OR olga' })).toEqual([])
  expect(await emails({ q: '"*()' })).toEqual([])
  expect(await emails({ role: 'owner' })).toEqual(['owner'])
  expect(await emails({ segmentId: String(one) })).toEqual(['ada'])
  expect(await emails({ segmentId: String(two) })).toEqual(['ada', 'elise'])
  expect(await emails({ segmentId: String(two), q: 'elise' })).toEqual(['elise'])
  expect(await emails({ segmentId: String(one), q: 'elise' })).toEqual([])
  expect(await emails({ email: 'ADA@example.com', role: 'idm_member' })).toEqual(['ada'])
  const unknown = await here.client('GET', `${MEMBERS}?segmentId=9007199254740991`)
  expect([unknown.status, unknown.body.error?.issues[0]?.path]).toEqual([400, '/query/segmentId'])

  await here.client('PUT', `/api/v2/users/${here.userId}`, { json: { lastName: 'Renamed' } })
  expect([await emails({ q: 'olga renamed' }), await emails({ q: 'olga owner renamed' })]).toEqual([
    ['owner'],
    ['owner'],
  ])
  await here.client('PUT', `/api/v2/users/${here.userId}`, { json: { firstName: 'Nora' } })
  expect(await emails({ q: 'olga' })).toEqual([])
})

test('a removed segment and a removed person disappear from the list and return with a restore', async () => {
  const { here, one, two, emails } = await createListScenario()
  const ids = async () =>
    (await here.client<Member[]>('GET', `${MEMBERS}?email=ada@example.com`)).body.data.map(
      (member) => member.segmentIds,
    )
  expect(await ids()).toEqual([[one, two]])
  await here.client('DELETE', `/api/v2/segments/${one}`)
  expect(await ids()).toEqual([[two]])
  expect((await here.client('GET', `${MEMBERS}?segmentId=${one}`)).status).toBe(400)
  await here.client('POST', `/api/v2/segments/${one}/restore`)
  expect([await ids(), await emails({ segmentId: String(one) })]).toEqual([[[one, two]], ['ada']])

  const [ada] = (await here.client<Member[]>('GET', `${MEMBERS}?email=ada@example.com`)).body.data
  await here.client('DELETE', `/api/v2/users/${ada?.id}`)
  expect((await here.client('GET', `${MEMBERS}/${ada?.id}`)).body.error?.code).toBe('member_not_found')
  expect([await emails({ q: 'ada' }), await emails({ segmentId: String(two) })]).toEqual([['elise'], ['elise']])
  await here.client('POST', `/api/v2/users/${ada?.id}/restore`)
  expect([await ids(), await emails({ q: 'love' })]).toEqual([[[one, two]], ['ada']])
})

test('no filter finds members of another workspace', async () => {
  const { one, two } = await createListScenario()
  const stranger = await createWorkspace()
  for (const id of [one, two])
    expect((await stranger.client('GET', `${MEMBERS}?segmentId=${id}`)).body.error?.code).toBe('unknown_reference')
  for (const query of ['q=ada', 'email=ada@example.com', 'role=idm_member']) {
    const { status, body } = await stranger.client('GET', `${MEMBERS}?${query}`)
    expect([query, status, body.data]).toEqual([query, 200, []])
  }
  const row = await env.DB.prepare("SELECT id FROM users WHERE email = 'ada@example.com'").first<{ id: number }>()
  expect((await stranger.client('GET', `${MEMBERS}/${row?.id}`)).status).toBe(404)
})
