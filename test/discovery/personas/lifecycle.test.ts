import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { createPersona, createSummary, listEvents, PATH, type Persona, type Summary, toListItem } from './records'

const DAY = 86_400_000

async function createSecondProduct({ client }: Workspace) {
  const answer = await client<{ id: number; externalKey: string }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  return answer.body.data
}

async function countEvents({ subscriptionId }: Workspace): Promise<number | null> {
  return env.DB.prepare('SELECT count(*) AS n FROM log WHERE subscription_id = ?').bind(subscriptionId).first('n')
}

async function requestAll({ client }: Workspace, key: string, summaryId: number, apiKey?: string) {
  const path = `${PATH}/${key}`
  const options = apiKey === undefined ? {} : { apiKey }
  const json = { valuePropositionName: 'A' }
  const answers = [
    await client('GET', path, options),
    await client('PUT', path, { ...options, json: { name: 'A' } }),
    await client('DELETE', path, options),
    await client('GET', `${path}/summaries`, options),
    await client('POST', `${path}/summaries`, { ...options, json: { type: 'pain', text: 'A' } }),
    await client('POST', `${path}/summaries/${summaryId}/opportunities`, { ...options, json }),
    await client('GET', `${path}/documentation`, options),
    await client('PUT', `${path}/documentation`, { ...options, json: { title: 'A' } }),
  ]
  return answers.map(({ status, body }) => [status, body.error?.code])
}

const ALL_NOT_FOUND = Array(8).fill([404, 'persona_not_found'])

test('an update changes the sent members, null clears, and the event holds old and new values', async () => {
  const world = await createWorkspace()
  const made = await createPersona(world, { occupation: 'Nurse', quote: 'Ten seconds.', color: 'red', goals: ['Rest'] })
  const path = `${PATH}/${made.externalKey}`
  const json = {
    name: ' Nora ',
    occupation: null,
    description: '<p onclick="x()">In <b>shifts</b>.<script>alert(1)</script></p>',
    goals: ['Rest', 'Quiet'],
    product: world.product.externalKey,
  }
  const modified = await world.client<Persona>('PUT', path, { json })
  expect([modified.status, modified.headers.get('etag'), modified.cost.roundTrips]).toEqual([200, '"v2"', 1])
  expect(modified.body.data).toEqual({
    ...made,
    ...json,
    name: 'Nora',
    description: '<p>In <b>shifts</b>.</p>',
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect((await world.client('GET', path)).body.data).toEqual(modified.body.data)
  const expectedEvent = {
    resource_key: made.externalKey,
    product_id: world.product.id,
    data: modified.body.data,
    previous: { name: 'Nora Night', occupation: 'Nurse', description: null, goals: ['Rest'], product: null },
  }
  expect(await listEvents(world, 'persona.updated')).toEqual([expectedEvent])

  const before = await countEvents(world)
  const present = { ...json, description: '<p>In <b>shifts</b>.</p>', quote: 'Ten seconds.', color: 'red', pains: [] }
  for (const same of [{}, { createdAt: modified.body.data.createdAt }, present]) {
    const answer = await world.client<Persona>('PUT', path, { json: same })
    expect([answer.status, answer.headers.get('etag'), answer.cost.rowsWritten]).toEqual([200, '"v2"', 0])
    expect(answer.body.data).toEqual(modified.body.data)
  }
  expect(await countEvents(world)).toBe(before)

  const cleared = await world.client<Persona>('PUT', path, {
    json: { quote: null, description: null, color: null, goals: [], product: null },
  })
  expect(cleared.body.data).toMatchObject({ quote: null, description: null, color: null, goals: [], product: null })
  expect((await listEvents(world, 'persona.updated'))[1]).toMatchObject({
    product_id: null,
    data: cleared.body.data,
    previous: { product: world.product.externalKey, goals: ['Rest', 'Quiet'], color: 'red' },
  })

  for (const [wrong, at] of [
    [{ name: null }, '/name'],
    [{ name: ' ' }, '/name'],
    [{ goals: null }, '/goals'],
    [{ pains: [7] }, '/pains/0'],
    [{ product: 'NO-SUCH' }, '/product'],
  ] as const) {
    const answer = await world.client('PUT', path, { json: wrong })
    expect([wrong, answer.status, answer.body.error?.issues[0]?.path]).toEqual([wrong, 400, at])
  }
})

test('a persona is neither overwritten nor removed with a stale ETag', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createPersona(world)
  const path = `${PATH}/${externalKey}`
  const put = async (etag: string, name: string) =>
    (await world.client('PUT', path, { json: { name }, headers: { 'if-match': etag } })).status
  expect((await Promise.all([put('"v1"', 'One'), put('"v1"', 'Two')])).sort()).toEqual([200, 412])
  const remove = async (etag: string) => world.client('DELETE', path, { headers: { 'if-match': etag } })
  expect((await remove('"v1"')).body.error?.code).toBe('precondition_failed')
  expect((await world.client('GET', path)).status).toBe(200)
  expect((await remove('"v2"')).status).toBe(200)
})

test('a persona moves to another product with its opportunities, and the key must cover both', async () => {
  const world = await createWorkspace()
  const other = await createSecondProduct(world)
  const { externalKey } = await createPersona(world, { product: world.product.externalKey })
  const shared = await createPersona(world)
  const path = `${PATH}/${externalKey}`
  const { id } = await createSummary(world, externalKey)
  await world.client('POST', `${path}/summaries/${id}/opportunities`, { json: { valuePropositionName: 'A' } })
  const productsOf = async () => {
    const { results } = await env.DB.prepare('SELECT product_id FROM opportunities WHERE subscription_id = ?')
      .bind(world.subscriptionId)
      .all<{ product_id: number | null }>()
    return results.map(({ product_id }) => product_id)
  }
  const move = (apiKey: string, product: string | null, at = path) =>
    world.client<Persona>('PUT', at, { apiKey, json: { product } })

  const one = await world.key({ products: [world.product.id] })
  const both = await world.key({ products: [world.product.id, other.id] })
  const unknown = await move(one, other.externalKey)
  expect([unknown.status, unknown.body.error?.code]).toEqual([400, 'unknown_reference'])
  for (const refused of [
    await move(both, null),
    await move(both, other.externalKey, `${PATH}/${shared.externalKey}`),
    await world.client('DELETE', `${PATH}/${shared.externalKey}`, { apiKey: both }),
  ]) {
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  }
  expect(await productsOf()).toEqual([world.product.id])

  const moved = await move(both, other.externalKey)
  expect([moved.status, moved.body.data.product]).toEqual([200, other.externalKey])
  expect(await productsOf()).toEqual([other.id])
  expect((await move(one, world.product.externalKey)).status).toBe(404)
  const whole = await world.client<Persona>('PUT', path, { json: { product: null } })
  expect([whole.body.data.product, await productsOf()]).toEqual([null, [null]])
  expect(
    (await listEvents(world, 'persona.updated')).map(({ product_id, previous }) => [product_id, previous]),
  ).toEqual([
    [other.id, { product: world.product.externalKey }],
    [null, { product: other.externalKey }],
  ])
  const again = await world.client('PUT', path, { json: { product: null } })
  expect(again.cost.rowsWritten).toBe(0)
})

test('a removed persona is hidden with its records and returns with them after a restore', async () => {
  const world = await createWorkspace()
  const made = await createPersona(world, { product: world.product.externalKey })
  const { externalKey } = made
  const twin = await createPersona(world, { name: 'Twin' })
  const path = `${PATH}/${externalKey}`
  const theirs = await createSummary(world, externalKey)
  await world.client('PUT', `${path}/documentation`, { json: { title: 'Notes', content: '<p>Night.</p>' } })
  const notes = (await world.client('GET', `${path}/documentation`)).body
  const epics = `/api/initiatives/${world.product.externalKey}/epics`
  const linked = { summary: 'Linked', persona: [{ personaId: made.id, personaValue: 'buyer' }] }
  const epic = await world.client<{ externalKey: string }>('POST', epics, { json: linked })

  const removed = await world.client('DELETE', path)
  expect([removed.status, removed.body.data, removed.cost.roundTrips]).toEqual([200, {}, 1])
  expect(await requestAll(world, externalKey, theirs.id)).toEqual(ALL_NOT_FOUND)
  expect((await world.client<Persona[]>('GET', PATH)).body.data).toEqual([toListItem(twin)])
  const kept = await world.client<{ persona: object[] }>('GET', `${epics}/${epic.body.data.externalKey}`)
  expect(kept.body.data.persona).toEqual(linked.persona)
  const more = await world.client('POST', epics, { json: linked })
  expect([more.status, more.body.error?.code]).toEqual([400, 'unknown_reference'])

  const stranger = await createWorkspace()
  expect((await stranger.client('POST', `${path}/restore`)).status).toBe(404)
  const restored = await world.client<Persona>('POST', `${path}/restore`)
  expect([restored.status, restored.body.data, restored.cost.roundTrips]).toEqual([200, made, 1])
  expect((await world.client<Persona[]>('GET', PATH)).body.data).toEqual([toListItem(twin), toListItem(made)])
  expect((await world.client<Summary[]>('GET', `${path}/summaries`)).body.data).toEqual([theirs])
  expect((await world.client('GET', `${path}/documentation`)).body).toEqual(notes)
  const opportunity = { json: { valuePropositionName: 'Kind light' } }
  expect((await world.client('POST', `${path}/summaries/${theirs.id}/opportunities`, opportunity)).status).toBe(201)
  for (const type of ['persona.deleted', 'persona.restored']) {
    const expectedEvent = { resource_key: externalKey, product_id: world.product.id, data: made, previous: null }
    expect([type, await listEvents(world, type)]).toEqual([type, [expectedEvent]])
  }

  const again = await world.client<Persona>('POST', `${path}/restore`)
  expect([again.status, again.body.data, again.cost.rowsWritten]).toEqual([200, made, 0])
})

test('a persona can be restored with write access for 30 days, and not into a removed product', async () => {
  const world = await createWorkspace()
  const other = await createSecondProduct(world)
  const shared = await createPersona(world)
  const own = await createPersona(world, { product: world.product.externalKey })
  const foreign = await createPersona(world, { product: other.externalKey })
  const { id } = await createSummary(world, foreign.externalKey)
  const apiKey = await world.key({ products: [world.product.id] })
  const remove = ({ externalKey }: Persona) => world.client('DELETE', `${PATH}/${externalKey}`)
  const restore = async ({ externalKey }: Persona, options = {}) => {
    const answer = await world.client('POST', `${PATH}/${externalKey}/restore`, options)
    return [answer.status, answer.body.error?.code]
  }
  // A key without the scope gets 403 even if the persona is not removed.
  expect(await restore(shared, { apiKey })).toEqual([403, 'insufficient_scope'])
  for (const one of [shared, own, foreign]) expect((await remove(one)).status).toBe(200)
  expect(await restore(shared, { apiKey })).toEqual([403, 'insufficient_scope'])
  expect(await restore(foreign, { apiKey })).toEqual([404, 'persona_not_found'])
  expect(await restore(own, { apiKey })).toEqual([200, undefined])
  expect(await restore(foreign)).toEqual([200, undefined])

  // `own` is removed before its product; `late` is removed with the product.
  await remove(own)
  const late = await createPersona(world, { product: world.product.externalKey })
  expect((await world.client('DELETE', `/api/initiatives/${world.product.externalKey}`)).status).toBe(200)
  for (const one of [own, late]) expect(await restore(one)).toEqual([409, 'conflict'])
  expect((await world.client('POST', `/api/initiatives/${world.product.externalKey}/restore`)).status).toBe(200)
  expect((await world.client('GET', `${PATH}/${late.externalKey}`)).status).toBe(200)
  expect((await world.client('GET', `${PATH}/${own.externalKey}`)).status).toBe(404)
  expect(await restore(own)).toEqual([200, undefined])
  expect(await requestAll(world, foreign.externalKey, id, apiKey)).toEqual(ALL_NOT_FOUND)

  const removedAt = (days: number) =>
    env.DB.prepare('UPDATE personas SET deleted_at = ? WHERE id = ?')
      .bind(readClock() - days * DAY, shared.id)
      .run()
  await removedAt(31)
  expect(await restore(shared)).toEqual([404, 'persona_not_found'])
  await removedAt(29)
  expect(await restore(shared)).toEqual([200, undefined])
})

test('the event of notes holds them whole or truncated, and equal notes change nothing', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createPersona(world)
  const path = `${PATH}/${externalKey}/documentation`
  const put = (json: object) => world.client<object>('PUT', path, { json })
  const long = 'ä'.repeat(200_000)
  await put({ content: long })
  await put({ title: 'Short', content: '<p>Night.</p>' })
  const [first, second] = await listEvents(world, 'persona.documentation_updated')
  expect(first?.data).toMatchObject({ truncated: true, summary: '', externalKey })
  expect(first?.data.description.length).toBeLessThan(long.length)
  expect(first?.previous).toEqual({ description: '' })
  expect(second?.previous).toMatchObject({ truncated: true, summary: '' })
  for (const one of [first?.data, second?.previous]) {
    expect(new TextEncoder().encode(JSON.stringify(one)).length).toBeLessThanOrEqual(250_000)
  }
  const { data } = (await world.client<object>('GET', path)).body
  expect(second?.data).toEqual(data)

  for (const json of [{}, { title: 'Short' }, { title: 'Short', content: '<p>Night.</p>' }]) {
    const answer = await put(json)
    expect([answer.headers.get('etag'), answer.cost.rowsWritten, answer.body.data]).toEqual(['"v3"', 0, data])
  }
  const untouched = await createPersona(world)
  const empty = await world.client('PUT', `${PATH}/${untouched.externalKey}/documentation`, {
    json: { title: '', content: '' },
  })
  expect([empty.headers.get('etag'), empty.cost.rowsWritten]).toEqual(['"v1"', 0])
  expect(await listEvents(world, 'persona.documentation_updated')).toHaveLength(2)
})

test('the event of a summary holds the listed summary for its product, and summaries filter by type', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createPersona(world, { product: world.product.externalKey })
  const made = await createSummary(world, externalKey)
  await world.client('POST', `${PATH}/${externalKey}/summaries`, { json: { type: 'gain', text: 'Rest.' } })
  const [createdEvent] = await listEvents(world, 'summary.created')
  expect(createdEvent).toEqual({ resource_key: externalKey, product_id: world.product.id, data: made, previous: null })
  const listed = await world.client<Summary[]>('GET', `${PATH}/${externalKey}/summaries?type=pain`)
  expect(listed.body.data).toEqual([made])
  const apiKey = await world.key({ products: [world.product.id] })
  const log = await world.client<{ type: string }[]>('GET', '/api/v2/events', { apiKey })
  expect(log.body.data.map(({ type }) => type)).toEqual(['persona.created', 'summary.created', 'summary.created'])
})
