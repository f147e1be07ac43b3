import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario } from '../../workspace/imports/scenario'

interface Segment {
  id: number
  name: string
  type: string
  userCount: number
  version?: number
}

const HEADER = { firstName: '', lastName: '', role: 'idm_member', createdAt: '', updatedAt: '' }
const toFile = (people: object[]) => JSON.stringify(people.map((person) => ({ ...HEADER, ...person })))
const NAME = { name: 'members.json' }

async function createScenario() {
  const here = await createImportScenario()
  const segments = async () => {
    const { body } = await here.client<Segment[]>('GET', '/api/v2/segments?sort=name')
    return body.data.map(({ name, userCount }) => [name, userCount])
  }
  const namesOf = async (email: string) => {
    const path = '/api/v2/idea-manager/members/export?format=json'
    const { response } = await send('GET', path, { apiKey: await here.key() })
    const all = (await response.json()) as { email: string; segments: string[] }[]
    return all.find((one) => one.email === email)?.segments
  }
  return { ...here, segments, namesOf }
}

test('an own export joins people to segments by name, creates missing segments, and the undo takes both back', async () => {
  const here = await createScenario()
  await here.segment('Beta')
  const stranger = await createImportScenario()
  await stranger.segment('Foreign')
  const file = toFile([
    { email: 'ada@example.com', segments: ['Beta', 'New', 'Beta', '=1+1'] },
    { email: 'bob@example.com', segments: ['New', 'Foreign'] },
    { email: 'eve@example.com', segments: [] },
  ])
  const dry = await here.run(file, { ...NAME, query: '?dryRun=true' })
  const made = await here.run(file, NAME)
  expect(made.body.data).toMatchObject({ totals: { created: 3, rejected: 0 }, warnings: [] })
  expect(dry.body.data).toMatchObject({ totals: made.body.data.totals, warnings: [] })
  expect(await here.segments()).toEqual([
    ['=1+1', 1],
    ['Beta', 1],
    ['Foreign', 1],
    ['New', 2],
  ])
  expect(await here.namesOf('ada@example.com')).toEqual(['=1+1', 'Beta', 'New'])
  expect((await stranger.client<Segment[]>('GET', '/api/v2/segments')).body.data).toMatchObject([{ userCount: 0 }])
  const undone = await here.client<{ status: string }>('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect(undone.body.data).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  expect(await here.segments()).toEqual([['Beta', 0]])
  expect(await here.people()).toEqual([])
})

test('a known person joins further segments with an update only, and the undo leaves the former segments', async () => {
  const here = await createScenario()
  const beta = await here.segment('Beta')
  await here.segment('Gamma')
  const ada = { email: 'ada@example.com', segmentIds: [beta] }
  await here.client('POST', '/api/v2/idea-manager/members/bulk-create', { json: [ada] })
  const file = toFile([{ email: 'ada@example.com', segments: ['Beta', 'Gamma', 'Delta'] }])
  expect((await here.run(file, NAME)).body.data.totals).toMatchObject({ updated: 0, skipped: 1 })
  expect(await here.namesOf('ada@example.com')).toEqual(['Beta'])
  const query = '?onConflict=update'
  const dry = await here.run(file, { ...NAME, query: `${query}&dryRun=true` })
  const made = await here.run(file, { ...NAME, query })
  expect([dry.body.data.totals.updated, made.body.data.totals.updated]).toEqual([1, 1])
  expect(await here.namesOf('ada@example.com')).toEqual(['Beta', 'Delta', 'Gamma'])
  expect((await here.run(file, { ...NAME, query })).body.data.totals).toMatchObject({ updated: 0, skipped: 1 })
  await here.client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect(await here.namesOf('ada@example.com')).toEqual(['Beta'])
  expect(await here.segments()).toEqual([
    ['Beta', 1],
    ['Gamma', 0],
  ])
})

test('an import into a segment counts a person once, also when the file names the segment', async () => {
  const here = await createScenario()
  const beta = await here.segment('Beta')
  const path = `/api/v2/segments/${beta}/import-users`
  const made = await here.run(toFile([{ email: 'ada@example.com', segments: ['Beta', 'New'] }]), { ...NAME, path })
  expect(await here.segments()).toEqual([
    ['Beta', 1],
    ['New', 1],
  ])
  await here.client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect(await here.segments()).toEqual([['Beta', 0]])
})

test.each([
  ['', ['Everybody']],
  ['createMissing=tags', ['Everybody', 'New']],
])('names of segments that nobody can join are warnings with the query "%s"', async (parameters, expected) => {
  const here = await createScenario()
  const rules = { match: 'all', conditions: [{ attribute: 'attributes.plan', operator: 'eq', value: 'pro' }] }
  const dynamic = await here.client('POST', '/api/v2/segments', { json: { name: 'Everybody', type: 'dynamic', rules } })
  expect(dynamic.status).toBe(201)
  const file = toFile([{ email: 'ada@example.com', segments: ['Everybody', 'New'] }])
  for (const query of [`?dryRun=true&${parameters}`, `?${parameters}`]) {
    const run = await here.run(file, { ...NAME, query })
    expect(run.body.data.warnings.map(({ field, value }) => [field, value])).toEqual(
      expected.map((name) => ['segments', name]),
    )
  }
  expect(await here.namesOf('ada@example.com')).toEqual(expected.includes('New') ? [] : ['New'])
})

test('a column of segments in the file of another product stays an attribute', async () => {
  const here = await createScenario()
  await here.run('email,segments\nada@example.com,"[""Beta""]"\n')
  expect((await here.people()).map(({ attributes }) => JSON.parse(attributes))).toEqual([{ segments: '["Beta"]' }])
  expect(await here.segments()).toEqual([])
})
