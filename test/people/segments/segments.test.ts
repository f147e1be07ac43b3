import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

interface Segment {
  id: number
  name: string
  type: string
  userCount: number
}

test('a segment is created, found, listed, and hidden from another workspace', async () => {
  const { client } = await createWorkspace()
  const json = { name: '  Beta testers ', description: 'They see it first.', color: '#2f80ed' }
  const created = await client<Segment>('POST', '/api/v2/segments', { json })
  expect(created.status).toBe(201)
  expect(created.cost.roundTrips).toBe(1)
  expect(created.body.data).toEqual({
    ...json,
    name: 'Beta testers',
    id: expect.any(Number),
    type: 'manual',
    rules: null,
    doubleOptIn: false,
    userCount: 0,
    countedAt: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })

  const path = created.headers.get('location') ?? ''
  const found = await client<Segment>('GET', path)
  expect(found.body.data).toEqual(created.body.data)
  expect([found.headers.get('etag'), found.cost.roundTrips]).toEqual([expect.stringMatching(/^"v1-/), 1])

  await client('POST', '/api/v2/segments', { json: { name: 'Others' } })
  const listed = await client<Segment[]>('GET', '/api/v2/segments')
  expect(listed.body.data.map(({ name }) => name)).toEqual(['Others', 'Beta testers'])
  expect(listed.cost.roundTrips).toBe(1)

  const stranger = await createWorkspace()
  const foreign = await stranger.client('GET', path)
  expect([foreign.status, foreign.body.error?.code]).toEqual([404, 'segment_not_found'])
  const theirs = await stranger.client<Segment[]>('GET', '/api/v2/segments')
  expect(theirs.body.data).toEqual([])
})

test('a used name is a conflict, even in parallel, and another workspace may use it', async () => {
  const { client } = await createWorkspace()
  const create = () => client('POST', '/api/v2/segments', { json: { name: 'Beta' } })
  const answers = await Promise.all([create(), create(), create()])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.error?.code).toBe('conflict')
  const stranger = await createWorkspace()
  expect((await stranger.client('POST', '/api/v2/segments', { json: { name: 'Beta' } })).status).toBe(201)
})

test('an invalid segment or id is refused with the path of the field', async () => {
  const { client } = await createWorkspace()
  const cases: [object, string][] = [
    [{}, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 'Beta', type: 'automatic' }, '/type'],
    [{ name: 'Beta', type: 'dynamic' }, '/rules'],
    [{ name: 'Beta', color: 7 }, '/color'],
  ]
  for (const [json, path] of cases) {
    const answer = await client('POST', '/api/v2/segments', { json })
    expect([answer.status, answer.body.error?.issues[0]?.path]).toEqual([400, path])
  }
  for (const id of ['abc', '0', '-1', '1.5', '1e30']) {
    const answer = await client('GET', `/api/v2/segments/${id}`)
    expect([id, answer.status, answer.body.error?.issues[0]?.path]).toEqual([id, 400, '/path/segmentId'])
  }
  expect((await client<Segment[]>('GET', '/api/v2/segments')).body.data).toEqual([])
})
