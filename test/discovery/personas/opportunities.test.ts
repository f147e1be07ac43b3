import { expect, test } from 'vitest'
import { call } from '../../client'
import { createWorkspace } from '../../factories'
import { createPersona, createSummary, PATH, type Summary } from './records'

interface Opportunity {
  externalKey: string
  summary: string
  description: string
  progress: string
  teamId: number
  order: number
}

async function createOpportunityScenario(product?: boolean) {
  const world = await createWorkspace()
  const nora = await createPersona(world, product ? { product: world.product.externalKey } : {})
  const pain = await createSummary(world, nora.externalKey)
  const at = `${PATH}/${nora.externalKey}/summaries/${pain.id}`
  const make = (valuePropositionName: string) =>
    world.client<Opportunity>('POST', `${at}/opportunities`, { json: { valuePropositionName } })
  const listed = async () =>
    (await world.client<Opportunity[]>('GET', `${PATH}/${nora.externalKey}/opportunities`)).body.data
  return { ...world, nora, pain, at, make, listed }
}

test('an opportunity is listed with its persona, updated, removed and restored', async () => {
  const { client, make, listed } = await createOpportunityScenario()
  const [first, second] = [await make('Dark screen'), await make('Big type')]
  expect(first.headers.get('location')).toBe('/api/v2/opportunities/OP-1')
  expect(await listed()).toEqual([second.body.data, first.body.data])
  const path = '/api/v2/opportunities/OP-1'
  const team = (await client<{ id: number }>('POST', '/api/v2/teams', { json: { name: 'Night' } })).body.data.id
  const json = {
    ...{ summary: 'Darker screen', description: '<p onclick="x()">Hi</p>', spread: 'most', intensity: 'high' },
    ...{ progress: 'done', teamId: team, order: 7 },
  }
  const saved = await client<Opportunity>('PUT', path, { json })
  expect([saved.status, saved.cost.roundTrips]).toEqual([200, 1])
  expect(saved.body.data).toEqual({
    ...first.body.data,
    ...json,
    description: '<p>Hi</p>',
    updatedAt: expect.any(String),
  })
  expect((await client('GET', path)).body.data).toEqual(saved.body.data)
  expect((await client('PUT', path, { json: { ...json, description: '<p>Hi</p>' } })).cost.rowsWritten).toBe(0)
  expect((await client<Opportunity>('PUT', path, { json: { teamId: 0 } })).body.data.teamId).toBe(0)
  const wrong = await client('PUT', path, { json: { summary: '', progress: 'soon', order: -1, teamId: 'x' } })
  expect(wrong.body.error?.issues.map((issue) => issue.path).sort()).toEqual([
    '/order',
    '/progress',
    '/summary',
    '/teamId',
  ])
  expect((await client('PUT', path, { json: { teamId: 999_999 } })).body.error?.code).toBe('unknown_reference')
  await client('DELETE', path)
  expect([(await listed()).map(({ externalKey }) => externalKey), (await client('GET', path)).status]).toEqual([
    ['OP-2'],
    404,
  ])
  expect((await client('POST', `${path}/restore`)).status).toBe(200)
  expect((await listed()).length).toBe(2)
})

test('an opportunity is hidden with its persona and outside the products of the key', async () => {
  const { client, make, nora, key, product } = await createOpportunityScenario(true)
  await make('Dark screen')
  const path = '/api/v2/opportunities/OP-1'
  const apiKey = await key({ products: [product.id + 1] })
  expect((await call('GET', path, { apiKey })).body.error?.code).toBe('opportunity_not_found')
  expect((await call('PUT', path, { apiKey, json: { summary: 'x' } })).body.error?.code).toBe('opportunity_not_found')
  const stranger = await createWorkspace()
  expect((await stranger.client('GET', path)).status).toBe(404)
  await client('DELETE', path)
  await client('DELETE', `${PATH}/${nora.externalKey}`)
  expect((await client('POST', `${path}/restore`)).body.error?.code).toBe('opportunity_not_found')
  await client('POST', `${PATH}/${nora.externalKey}/restore`)
  expect((await client('POST', `${path}/restore`)).status).toBe(200)
})

test('a summary is read, updated, removed and restored, and its opportunities stay', async () => {
  const { client, at, make, listed, pain, nora } = await createOpportunityScenario()
  await make('Dark screen')
  expect((await client<Summary>('GET', at)).body.data).toEqual(pain)
  const saved = await client<Summary>('PUT', at, { json: { type: 'job', text: 'Reads <b onclick="x()">charts</b>' } })
  expect(saved.body.data).toMatchObject({ id: pain.id, type: 'job', text: 'Reads <b>charts</b>' })
  for (const json of [{ type: 'wish' }, { text: ' ' }, { text: '<script>x</script>' }]) {
    expect((await client('PUT', at, { json })).status).toBe(400)
  }
  const other = await createPersona({ ...(await createWorkspace()), client })
  expect((await client('GET', at.replace(nora.externalKey, other.externalKey))).body.error?.code).toBe(
    'summary_not_found',
  )
  await client('DELETE', at)
  expect([(await make('Another')).body.error?.code, (await client('GET', at)).status]).toEqual([
    'summary_not_found',
    404,
  ])
  expect((await listed()).map(({ externalKey }) => externalKey)).toEqual(['OP-1'])
  expect((await client<Summary>('POST', `${at}/restore`)).body.data).toEqual({ ...saved.body.data })
})
