import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { createWorkspace } from '../../factories'
import { createPersona, createSummary, listEvents, PATH, type Persona, type Summary, toListItem } from './records'

/** The nineteen fields of the interface specification's table. */
const Opportunity = z.strictObject({
  id: z.int(),
  summary: z.string(),
  description: z.string(),
  externalKey: z.string(),
  userId: z.null(),
  color: z.string(),
  urls: z.null(),
  spread: z.string(),
  intensity: z.string(),
  progress: z.string(),
  status: z.string(),
  teamId: z.int(),
  subscriptionId: z.int(),
  initiativeId: z.int(),
  wikiPageId: z.null(),
  order: z.int(),
  planOrder: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
type Opportunity = z.infer<typeof Opportunity>

test('a persona is created with the given members, found, listed, and hidden from another workspace', async () => {
  const world = await createWorkspace()
  const json = {
    name: ' Nora Night ',
    occupation: 'Nurse',
    quote: '"Ten seconds" <b>',
    description: '<p onclick="x()">Works in shifts.<script>alert(1)</script></p>',
    color: '#123456',
    goals: ['Sleep', 'Hand over without paper'],
    pains: ['Glare'],
    product: world.product.externalKey,
  }
  const created = await world.client<Persona>('POST', PATH, { json })
  expect([created.status, created.cost.roundTrips]).toEqual([201, 1])
  expect(created.body.data).toEqual({
    ...json,
    name: 'Nora Night',
    description: '<p>Works in shifts.</p>',
    id: expect.any(Number),
    externalKey: 'PE-1',
    avatar: null,
    boardSegmentId: null,
    source: null,
    externalId: null,
    customFields: {},
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  const path = created.headers.get('location') ?? ''
  const found = await world.client<Persona>('GET', path)
  expect(found.body.data).toEqual(created.body.data)
  expect([found.headers.get('etag'), found.cost.roundTrips]).toEqual([expect.stringMatching(/^"v1-/), 1])

  const least = await createPersona(world)
  expect(least).toMatchObject({ externalKey: 'PE-2', description: null, product: null, goals: [], pains: [] })
  const listed = await world.client<Persona[]>('GET', PATH)
  expect(listed.body.data).toEqual([toListItem(least), toListItem(created.body.data)])
  expect(listed.cost.roundTrips).toBe(1)
  expect(await listEvents(world, 'persona.created')).toMatchObject([
    { resource_key: 'PE-1', product_id: world.product.id, data: created.body.data },
    { resource_key: 'PE-2', product_id: null, data: least },
  ])

  const stranger = await createWorkspace()
  const foreign = await stranger.client('GET', path)
  expect([foreign.status, foreign.body.error?.code]).toEqual([404, 'persona_not_found'])
  expect((await stranger.client<Persona[]>('GET', PATH)).body.data).toEqual([])
})

test('a persona with invalid members or a product of another workspace is refused', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const cases: [object, string][] = [
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 'A', goals: 'sleep' }, '/goals'],
    [{ name: 'A', pains: [7] }, '/pains/0'],
    [{ name: 'A', product: stranger.product.externalKey }, '/product'],
  ]
  for (const [json, path] of cases) {
    const answer = await world.client('POST', PATH, { json })
    expect([json, answer.status, answer.body.error?.issues[0]?.path]).toEqual([json, 400, path])
  }
  expect((await world.client<Persona[]>('GET', PATH)).body.data).toEqual([])
})

test('summaries are added without scripts and listed newest first', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createPersona(world)
  const path = `${PATH}/${externalKey}/summaries`
  const json = { type: 'gain', text: ' Sleeps <b>well</b><script>alert(1)</script> ' }
  const first = await world.client<Summary>('POST', path, { json })
  expect([first.status, first.cost.roundTrips]).toEqual([201, 1])
  expect(first.body.data).toMatchObject({ type: 'gain', text: 'Sleeps <b>well</b>' })
  const second = await createSummary(world, externalKey)
  const listed = await world.client<Summary[]>('GET', path)
  expect(listed.body.data).toEqual([second, first.body.data])
  expect(listed.cost.roundTrips).toBe(1)
  const page = await world.client<Summary[]>('GET', `${path}?limit=1`)
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  expect((await world.client<Summary[]>('GET', next)).body.data).toEqual([first.body.data])
  expect(await listEvents(world, 'summary.created')).toMatchObject([{ resource_key: externalKey }, {}])

  for (const [wrong, at] of [
    [{ type: 'hope', text: 'A' }, '/type'],
    [{ type: 'pain' }, '/text'],
    [{ type: 'pain', text: '  ' }, '/text'],
    [{ type: 'pain', text: '<script>alert(1)</script>' }, '/text'],
    [{ type: 'pain', text: '<!-- nothing --> <style>p{}</style>' }, '/text'],
  ] as const) {
    const answer = await world.client('POST', path, { json: wrong })
    expect([wrong, answer.status, answer.body.error?.issues[0]?.path]).toEqual([wrong, 400, at])
  }
  expect((await world.client<Summary[]>('GET', path)).body.data.length).toBe(2)
})

test('an opportunity from a summary has all nineteen documented fields', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createPersona(world, { product: world.product.externalKey })
  const { id } = await createSummary(world, externalKey)
  const path = `${PATH}/${externalKey}/summaries/${id}/opportunities`
  const headers = { 'idempotency-key': 'once' }
  const made = await world.client<Opportunity>('POST', path, { json: { valuePropositionName: 'Kind light' }, headers })
  expect([made.status, made.cost.roundTrips, typeof made.body.message]).toEqual([201, 1, 'string'])
  Opportunity.parse(made.body.data)
  expect(made.body.data).toMatchObject({
    summary: 'Kind light',
    description: 'The screen blinds her.',
    externalKey: 'OP-1',
    subscriptionId: world.subscriptionId,
    initiativeId: world.product.id,
    status: 'active',
    teamId: 0,
  })
  const again = await world.client<Opportunity>('POST', path, { json: { valuePropositionName: 'Kind light' }, headers })
  expect(again.body).toEqual(made.body)
  const next = await world.client<Opportunity>('POST', path, { json: { valuePropositionName: 'Another' } })
  expect(next.body.data.externalKey).toBe('OP-2')
  expect(await listEvents(world, 'opportunity.created')).toMatchObject([
    { resource_key: 'OP-1', product_id: world.product.id, data: made.body.data },
    { resource_key: 'OP-2', data: next.body.data },
  ])

  for (const json of [{}, { valuePropositionName: '' }, { valuePropositionName: 7 }, []]) {
    const answer = await world.client('POST', path, { json })
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'validation_failed'])
  }
})

test('a summary of another persona or workspace and a persona of another workspace are not found', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const { externalKey } = await createPersona(world)
  const twin = await createPersona(world, { name: 'Twin' })
  const of = { mine: await createSummary(world, externalKey), twins: await createSummary(world, twin.externalKey) }
  await createPersona(stranger)
  const theirs = await createSummary(stranger, 'PE-1')
  const cases: [string, string | number, number, string | undefined][] = [
    [externalKey, of.twins.id, 404, 'summary_not_found'],
    [externalKey, theirs.id, 404, 'summary_not_found'],
    [externalKey, 9_007_199_254_740_991, 404, 'summary_not_found'],
    ['PE-99', of.mine.id, 404, 'persona_not_found'],
    ['__proto__', of.mine.id, 404, 'persona_not_found'],
    [externalKey, 'one', 400, 'validation_failed'],
    [externalKey, of.mine.id, 201, undefined],
  ]
  for (const [key, id, status, code] of cases) {
    const answer = await world.client('POST', `${PATH}/${key}/summaries/${id}/opportunities`, {
      json: { valuePropositionName: 'Kind light' },
    })
    expect([key, id, answer.status, answer.body.error?.code]).toEqual([key, id, status, code])
  }
  const row = await env.DB.prepare('SELECT count(*) AS n FROM opportunities WHERE subscription_id IN (?, ?)')
    .bind(world.subscriptionId, stranger.subscriptionId)
    .first()
  expect(row).toEqual({ n: 1 })
})

test('notes are empty at first, written per member, and read with 201 like an opportunity', async () => {
  const world = await createWorkspace()
  const { id, externalKey } = await createPersona(world, { product: world.product.externalKey })
  const path = `${PATH}/${externalKey}/documentation`
  const empty = await world.client<Opportunity>('GET', path)
  expect([empty.status, empty.cost.roundTrips, empty.headers.get('etag')]).toEqual([
    201,
    1,
    expect.stringMatching(/^"v1-/),
  ])
  Opportunity.parse(empty.body.data)
  expect(empty.body.data).toMatchObject({
    id,
    summary: '',
    description: '',
    externalKey,
    initiativeId: world.product.id,
    status: 'active',
  })

  const html = '<h2>Shift</h2><p onclick="x()">At ten.<script>alert(1)</script></p>'
  const written = await world.client<Opportunity>('PUT', path, { json: { title: 'Notes', content: html } })
  expect([written.status, written.cost.roundTrips, written.headers.get('etag')]).toEqual([200, 1, '"v2"'])
  const read = await world.client<Opportunity>('GET', path)
  expect([read.status, read.headers.get('etag')]).toEqual([201, expect.stringMatching(/^"v2-/)])
  Opportunity.parse(read.body.data)
  expect(read.body.data).toEqual(written.body.data)
  expect(read.body.data).toMatchObject({ summary: 'Notes', description: '<h2>Shift</h2><p>At ten.</p>' })

  const renamed = await world.client<Opportunity>('PUT', path, { json: { title: 'More notes' } })
  expect(renamed.body.data).toMatchObject({ summary: 'More notes', description: '<h2>Shift</h2><p>At ten.</p>' })
  expect(await listEvents(world, 'persona.documentation_updated')).toEqual([
    {
      resource_key: externalKey,
      product_id: world.product.id,
      data: written.body.data,
      previous: { summary: '', description: '' },
    },
    {
      resource_key: externalKey,
      product_id: world.product.id,
      data: renamed.body.data,
      previous: { summary: 'Notes' },
    },
  ])
  const nothing = await world.client<Opportunity>('PUT', path, { json: {} })
  expect([nothing.status, nothing.headers.get('etag'), nothing.cost.rowsWritten]).toEqual([200, '"v3"', 0])
})

test('notes can also be written by the member names of the response', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createPersona(world)
  const path = `${PATH}/${externalKey}/documentation`
  const put = async (json: object) => {
    const { status, body } = await world.client<Opportunity>('PUT', path, { json })
    return [status, body.data.summary, body.data.description]
  }
  expect(await put({ summary: 'Notes', description: '<p>At ten.<script>x</script></p>' })).toEqual([
    200,
    'Notes',
    '<p>At ten.</p>',
  ])
  const { body } = await world.client<Opportunity>('GET', path)
  expect(await put({ ...body.data, summary: 'More' })).toEqual([200, 'More', '<p>At ten.</p>'])
  expect(await put({ title: 'Title', summary: 'Summary' })).toEqual([200, 'Title', '<p>At ten.</p>'])
})

test('notes are not overwritten with a stale ETag', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createPersona(world)
  const path = `${PATH}/${externalKey}/documentation`
  const put = async (etag: string, title: string) =>
    (await world.client('PUT', path, { json: { title }, headers: { 'if-match': etag } })).status
  expect(await put('"v0"', 'Never')).toBe(412)
  expect(await put('"foreign"', 'Never')).toBe(412)
  expect((await Promise.all([put('"v1"', 'One'), put('"v1"', 'Two')])).sort()).toEqual([200, 412])
  expect(await put('"v1"', 'Never')).toBe(412)
  expect(await put('W/"v1"', 'Never')).toBe(412)
  expect(await put('"v2"', 'Three')).toBe(200)
  const read = await world.client<Opportunity>('GET', path)
  expect(read.body.data.summary).toBe('Three')
  // A compressing proxy turns an ETag into its weak form.
  expect(await put(`W/${read.headers.get('etag')}`, 'Four')).toBe(200)
  expect(await put(`W/${read.headers.get('etag')}`, 'Never')).toBe(412)
  expect((await world.client<Opportunity>('GET', path)).body.data.summary).toBe('Four')
  const wrong = await world.client('PUT', path, { json: { title: null } })
  expect([wrong.status, wrong.body.error?.issues[0]?.path]).toEqual([400, '/title'])
})

test('a limited key sees personas of its product and of all products, and no other persona', async () => {
  const world = await createWorkspace()
  const other = await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const ours = await createPersona(world, { name: 'Ours', product: world.product.externalKey })
  const shared = await createPersona(world, { name: 'Shared' })
  const hidden = await createPersona(world, { name: 'Hidden', product: other.body.data.externalKey })
  const { id } = await createSummary(world, hidden.externalKey)
  const apiKey = await world.key({ products: [world.product.id] })
  const listed = await world.client<Persona[]>('GET', PATH, { apiKey })
  expect(listed.body.data).toEqual([toListItem(shared), toListItem(ours)])
  const path = `${PATH}/${hidden.externalKey}`
  const answers = await Promise.all([
    world.client('GET', path, { apiKey }),
    world.client('GET', `${path}/summaries`, { apiKey }),
    world.client('POST', `${path}/summaries`, { apiKey, json: { type: 'pain', text: 'A' } }),
    world.client('GET', `${path}/documentation`, { apiKey }),
    world.client('PUT', `${path}/documentation`, { apiKey, json: { title: 'A' } }),
    world.client('POST', `${path}/summaries/${id}/opportunities`, { apiKey, json: { valuePropositionName: 'A' } }),
  ])
  expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(
    Array(6).fill([404, 'persona_not_found']),
  )
  const refused = await world.client('POST', PATH, {
    apiKey,
    json: { name: 'A', product: other.body.data.externalKey },
  })
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'unknown_reference'])
})

test('a limited key cannot detect or link a persona of another product', async () => {
  const world = await createWorkspace()
  const other = await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const ours = await createPersona(world, { name: 'Ours', product: world.product.externalKey })
  const shared = await createPersona(world, { name: 'Shared' })
  const hidden = await createPersona(world, { name: 'Hidden', product: other.body.data.externalKey })
  const apiKey = await world.key({ products: [world.product.id] })
  const epics = `/api/initiatives/${world.product.externalKey}/epics`
  const link = (personaId: number) =>
    world.client('POST', epics, {
      apiKey,
      json: { summary: 'Linked', persona: [{ personaId, personaValue: 'buyer' }] },
    })
  const [foreign, unknown] = [await link(hidden.id), await link(9_007_199_254_740_991)]
  for (const { status, body } of [foreign, unknown]) {
    expect([status, body.error?.code, body.error?.issues[0]?.path]).toEqual([
      400,
      'unknown_reference',
      '/persona/0/personaId',
    ])
  }
  expect(foreign.body.message).toBe(unknown.body.message)
  for (const { id } of [ours, shared]) expect((await link(id)).status).toBe(200)
  const unlimited = await world.client('POST', epics, {
    json: { summary: 'Linked', persona: [{ personaId: hidden.id, personaValue: 'buyer' }] },
  })
  expect(unlimited.status).toBe(200)
})

test('a limited key reads personas of all products and writes only personas of its product', async () => {
  const world = await createWorkspace()
  const ours = await createPersona(world, { name: 'Ours', product: world.product.externalKey })
  const shared = await createPersona(world, { name: 'Shared' })
  const apiKey = await world.key({ products: [world.product.id] })
  const work = async ({ externalKey }: Persona) => {
    const { id } = await createSummary(world, externalKey)
    const path = `${PATH}/${externalKey}`
    const read = [
      await world.client('GET', path, { apiKey }),
      await world.client('GET', `${path}/summaries`, { apiKey }),
      await world.client('GET', `${path}/documentation`, { apiKey }),
    ]
    const json = { valuePropositionName: 'A' }
    const written = [
      await world.client('POST', `${path}/summaries`, { apiKey, json: { type: 'pain', text: 'A' } }),
      await world.client('PUT', `${path}/documentation`, { apiKey, json: { title: 'A' } }),
      await world.client('POST', `${path}/summaries/${id}/opportunities`, { apiKey, json }),
    ]
    expect(read.map(({ status }) => status)).toEqual([200, 200, 201])
    return written
  }
  expect((await work(ours)).map(({ status }) => status)).toEqual([201, 200, 201])
  for (const { status, body } of await work(shared)) {
    expect([status, body.error?.code]).toEqual([403, 'insufficient_scope'])
    expect(body.message).toMatch(/whole workspace\. Use a key without that limit/)
  }

  const create = (json: object) => world.client<Persona>('POST', PATH, { apiKey, json: { name: 'New', ...json } })
  const refused = await create({})
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.message).toContain('a product of the key')
  expect((await create({ product: world.product.externalKey })).body.data.product).toBe(world.product.externalKey)
  const listed = await world.client<Persona[]>('GET', PATH)
  expect(listed.body.data.map(({ name }) => name)).toEqual(['New', 'Shared', 'Ours'])
})
