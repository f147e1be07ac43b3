import { expect, test } from 'vitest'
import { call } from '../../client'
import { createWorkspace } from '../../factories'

interface Experiment {
  externalKey: string
  title: string
  status: string
  result: string | null
  kpi: string | null
  opportunity: string | null
  personas: string[]
  workItems: string[]
  startedAt: string | null
  stoppedAt: string | null
}

interface LoggedEvent {
  type: string
  data: Experiment
  previous: Record<string, unknown> | null
}

async function createExperimentScenario() {
  const world = await createWorkspace()
  const { client, product } = world
  const base = `/api/initiatives/${product.externalKey}`
  const made = async (path: string, json: object) =>
    (await client<{ id: number; externalKey: string }>('POST', path, { json })).body.data
  const kpi = await made(`${base}/kpi`, { title: 'K' })
  const persona = await made('/api/v2/persona', { name: 'Nora' })
  const summary = await made(`/api/v2/persona/${persona.externalKey}/summaries`, { type: 'pain', text: 'x' })
  const opportunity = await made(`/api/v2/persona/${persona.externalKey}/summaries/${summary.id}/opportunities`, {
    valuePropositionName: 'O',
  })
  const story = await made(`${base}/storyMap/card`, { summary: 'S' })
  const create = (json: object) => client<Experiment>('POST', `${base}/experiments`, { json })
  const at = (key: string) => `${base}/experiments/${key}`
  const get = async (key = 'EX-1') => (await client<Experiment>('GET', at(key))).body.data
  const put = (json: object, key = 'EX-1') => client<Experiment>('PUT', at(key), { json })
  const act = (what: string, json?: object, key = 'EX-1') =>
    client<Experiment>('POST', `${at(key)}/${what}`, json ? { json } : {})
  const events = async (key = 'EX-1') => (await client<LoggedEvent[]>('GET', `/api/v2/events?key=${key}`)).body.data
  return { ...world, base, made, kpi, persona, opportunity, story, create, at, get, put, act, events }
}

test('an experiment holds its hypothesis and links, and an update changes only the sent members', async () => {
  const { create, get, put, kpi, persona, opportunity, story, events, client, base } = await createExperimentScenario()
  const json = {
    title: ' Dark screen ',
    hypothesis: 'They hand over faster',
    targetValue: '10.005',
    kpi: kpi.externalKey,
    opportunity: opportunity.externalKey,
    personas: [persona.externalKey, persona.externalKey],
    workItems: [story.externalKey],
  }
  const created = await create(json)
  expect([created.status, created.cost.roundTrips, created.headers.get('location')]).toEqual([
    201,
    1,
    `${base}/experiments/EX-1`,
  ])
  expect(created.body.data).toEqual({
    ...{ id: expect.any(Number), externalKey: 'EX-1', initiativeId: expect.any(Number), title: 'Dark screen' },
    ...{ hypothesis: json.hypothesis, method: null, successCriteria: null, targetValue: '10.01', actualValue: null },
    ...{ status: 'draft', result: null, decision: null, learnings: null, kpi: 'KPI-1', opportunity: 'OP-1' },
    ...{ personas: ['PE-1'], workItems: ['US-1'], startedAt: null, stoppedAt: null },
    ...{ createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/) },
  })
  expect(await get()).toEqual(created.body.data)

  const saved = await put({ method: 'Two wards', targetValue: null, kpi: null, personas: [], workItems: ['US-1'] })
  expect(saved.body.data).toMatchObject({
    method: 'Two wards',
    targetValue: null,
    kpi: null,
    personas: [],
    workItems: ['US-1'],
  })
  expect((await events()).at(-1)).toEqual(
    expect.objectContaining({
      type: 'experiment.updated',
      data: saved.body.data,
      previous: { method: null, targetValue: '10.01', kpi: 'KPI-1', personas: ['PE-1'] },
    }),
  )
  expect((await put({ method: 'Two wards', personas: [], workItems: ['US-1'] })).cost.rowsWritten).toBe(0)
  await put({ kpi: kpi.externalKey, personas: [persona.externalKey] })
  // A removed record disappears from the links, and a restore brings the link back.
  const linked = async () => {
    const { kpi, opportunity, personas, workItems } = await get()
    return [kpi, opportunity, personas, workItems]
  }
  const all = await linked()
  const paths = [
    `${base}/kpi/KPI-1`,
    '/api/v2/opportunities/OP-1',
    '/api/v2/persona/PE-1',
    `${base}/storyMap/card/US-1`,
  ]
  for (const path of paths) await client('DELETE', path)
  expect(await linked()).toEqual([null, null, [], []])
  for (const path of paths.toReversed()) await client('POST', `${path}/restore`)
  expect(await linked()).toEqual(all)
})

test('an experiment needs a hypothesis to start and a result to stop, and does each once', async () => {
  const { create, get, put, act, events, at, client } = await createExperimentScenario()
  await create({ title: 'A' })
  const refused = async (answer: ReturnType<typeof act>) => {
    const { status, body } = await answer
    return [status, body.error?.code]
  }
  const conflict = [409, 'conflict']
  const before = await get()
  expect(await refused(act('start'))).toEqual(conflict)
  expect(await refused(act('stop', { result: 'validated' }))).toEqual(conflict)
  expect(await refused(put({ result: 'validated' }))).toEqual(conflict)
  expect([await get(), (await events()).length]).toEqual([before, 1])

  await put({ hypothesis: 'It helps' })
  const started = await act('start')
  expect([started.status, started.cost.roundTrips, started.body.data]).toMatchObject([
    200,
    1,
    { status: 'running', startedAt: expect.stringMatching(/Z$/), stoppedAt: null },
  ])
  expect((await events()).at(-1)).toMatchObject({
    type: 'experiment.started',
    data: started.body.data,
    previous: { status: 'draft', startedAt: null },
  })
  expect(await refused(act('start'))).toEqual(conflict)
  for (const hypothesis of [null, '', '  ']) expect(await refused(put({ hypothesis }))).toEqual(conflict)
  const without = await act('stop', { result: 'perhaps', decision: 'go', actualValue: '1,5' })
  expect([without.status, without.body.error?.issues.map(({ path }) => path).sort()]).toEqual([
    400,
    ['/actualValue', '/decision', '/result'],
  ])
  expect((await act('stop', {})).body.error?.issues.map(({ path }) => path)).toEqual(['/result'])
  const stop = { result: 'invalidated', decision: 'pivot', learnings: 'No.', actualValue: '9.5' }
  const stopped = await act('stop', stop)
  expect(stopped.body.data).toMatchObject({
    ...stop,
    actualValue: '9.50',
    status: 'stopped',
    stoppedAt: expect.any(String),
  })
  expect((await events()).at(-1)).toMatchObject({ type: 'experiment.stopped', data: stopped.body.data })
  expect(await refused(act('stop', stop))).toEqual(conflict)
  expect(await refused(act('start'))).toEqual(conflict)
  expect((await put({ result: 'inconclusive', decision: null })).body.data).toMatchObject({ result: 'inconclusive' })
  await client('DELETE', at('EX-1'))
  expect((await act('start')).body.error?.code).toBe('experiment_not_found')
})

test('parallel starts or stops of an experiment succeed once', async () => {
  const { create, act, events } = await createExperimentScenario()
  await create({ title: 'A', hypothesis: 'B' })
  const starts = await Promise.all([1, 2, 3].map(() => act('start')))
  expect(starts.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const stops = await Promise.all([1, 2, 3].map(() => act('stop', { result: 'validated' })))
  expect(stops.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await events()).map(({ type }) => type)).toEqual([
    'experiment.created',
    ...['experiment.updated', 'experiment.started'],
    ...['experiment.updated', 'experiment.stopped'],
  ])
})

test('unknown and foreign references of an experiment are all listed', async () => {
  const { create, made, client, product, key, base } = await createExperimentScenario()
  const other = await made('/api/initiatives', { name: 'Other' })
  const theirs = `/api/initiatives/${other.externalKey}`
  const kpi = await made(`${theirs}/kpi`, { title: 'K' })
  const persona = await made('/api/v2/persona', { name: 'N', product: other.externalKey })
  const epic = await made(`${theirs}/epics`, { summary: 'E' })
  const wrong = await create({
    ...{ title: 'A', kpi: kpi.externalKey, opportunity: 'OP-99' },
    ...{ personas: [persona.externalKey], workItems: ['US-1', epic.externalKey] },
  })
  expect([wrong.status, wrong.body.error?.code, wrong.body.error?.issues.map(({ path }) => path).sort()]).toEqual([
    400,
    'unknown_reference',
    ['/kpi', '/opportunity', '/personas/0', '/workItems/1'],
  ])
  const misspelt = await create({ title: ' ', kpi: 'PE-1', personas: ['x'], workItems: 'US-1', targetValue: 'much' })
  expect(misspelt.body.error?.issues.map(({ path }) => path).sort()).toEqual([
    '/kpi',
    '/personas/0',
    '/targetValue',
    '/title',
    '/workItems',
  ])
  const stranger = await createWorkspace()
  expect((await stranger.client('GET', `${base}/experiments`)).body.error?.code).toBe('product_not_found')
  const apiKey = await key({ products: [product.id + 1_000] })
  expect((await call('POST', `${base}/experiments`, { apiKey, json: { title: 'A' } })).status).toBe(403)
  expect((await client<Experiment[]>('GET', `${base}/experiments`)).body.data).toEqual([])
})

test('the experiments of a persona are listed within the products of the key and filtered by status', async () => {
  const { create, made, client, product, persona, key, base, act } = await createExperimentScenario()
  const other = await made('/api/initiatives', { name: 'Other' })
  for (const title of ['One', 'Two', 'Three']) await create({ title, hypothesis: 'H', personas: [persona.externalKey] })
  await create({ title: 'Of nobody' })
  await made(`/api/initiatives/${other.externalKey}/experiments`, {
    title: 'Elsewhere',
    personas: [persona.externalKey],
  })
  const path = `/api/v2/persona/${persona.externalKey}/experiments`
  const titles = async (at: string, options = {}) =>
    (await client<Experiment[]>('GET', at, options)).body.data.map(({ title }) => title)
  expect(await titles(path)).toEqual(['Elsewhere', 'Three', 'Two', 'One'])
  expect(await titles(`${path}?limit=2&sort=createdAt`)).toEqual(['One', 'Two'])
  expect(await titles(path, { apiKey: await key({ products: [product.id] }) })).toEqual(['Three', 'Two', 'One'])
  await client('DELETE', `${base}/experiments/EX-2`)
  expect(await titles(path)).toEqual(['Elsewhere', 'Three', 'One'])
  await act('start')
  expect(await titles(`${base}/experiments?status=running`)).toEqual(['One'])
  expect(await titles(`${base}/experiments`)).toEqual(['Of nobody', 'Three', 'One'])
})
