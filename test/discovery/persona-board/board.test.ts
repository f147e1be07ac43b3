import { expect, test } from 'vitest'
import { call } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { createPersona, PATH, type Persona } from '../personas/records'

interface Field {
  id: number
  name: string
  type: string
  required: boolean
  order: number
  options: { id: number; label: string }[]
}

const SEGMENTS = '/api/v2/persona-board/segments'
const FIELDS = '/api/v2/persona-board/custom-fields'

async function createBoardScenario() {
  const world = await createWorkspace()
  const nora = await createPersona(world)
  const field = async (json: object) => (await world.client<Field>('POST', FIELDS, { json })).body.data
  const attach = ({ id }: Field, key = nora.externalKey) =>
    world.client<Persona>('POST', `${FIELDS}/${id}/personas/${key}`)
  const detach = ({ id }: Field, key = nora.externalKey) => world.client('DELETE', `${FIELDS}/${id}/personas/${key}`)
  const set = (customFields: object, key = nora.externalKey) =>
    world.client<Persona>('PUT', `${PATH}/${key}`, { json: { customFields } })
  const get = async (key = nora.externalKey) => (await world.client<Persona>('GET', `${PATH}/${key}`)).body.data
  return { ...world, nora, field, attach, detach, set, get }
}

interface LoggedEvent {
  type: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

const newestEvents = async ({ client }: Pick<Workspace, 'client'>, count = 1) =>
  (await client<LoggedEvent[]>('GET', '/api/v2/events?limit=100')).body.data.slice(-count)

test('board segments have an order, hold personas, and return with them after a restore', async () => {
  const { client, nora, key, product, get } = await createBoardScenario()
  const make = async (json: object) => (await client<Field>('POST', SEGMENTS, { json })).body.data
  const [first, second] = [await make({ name: 'Clinicians', color: 'red' }), await make({ name: 'Patients' })]
  expect([first.order, second.order]).toEqual([1, 2])
  const listed = async () => (await client<Field[]>('GET', SEGMENTS)).body.data.map(({ name }) => name)
  expect(await listed()).toEqual(['Clinicians', 'Patients'])
  await client('PUT', `${SEGMENTS}/${first.id}`, { json: { order: 3 } })
  expect(await listed()).toEqual(['Patients', 'Clinicians'])
  const taken = await client('POST', SEGMENTS, { json: { name: 'Patients' } })
  expect([taken.status, taken.body.error?.code]).toEqual([409, 'conflict'])

  const put = (boardSegmentId: unknown) =>
    client<Persona>('PUT', `${PATH}/${nora.externalKey}`, { json: { boardSegmentId } })
  expect((await put(first.id)).body.data.boardSegmentId).toBe(first.id)
  const inside = async (id: number) =>
    (await client<Persona[]>('GET', `${PATH}?boardSegmentId=${id}`)).body.data.map(({ name }) => name)
  expect([await inside(first.id), await inside(second.id)]).toEqual([['Nora Night'], []])
  for (const wrong of [999_999, -1, 'x']) expect((await put(wrong)).body.error?.issues[0]?.path).toBe('/boardSegmentId')

  await client('DELETE', `${SEGMENTS}/${first.id}`)
  expect([(await get()).boardSegmentId, (await put(first.id)).body.error?.code]).toEqual([null, 'unknown_reference'])
  await client('POST', `${SEGMENTS}/${first.id}/restore`)
  expect((await get()).boardSegmentId).toBe(first.id)
  await client('DELETE', `${SEGMENTS}/${first.id}`)
  await put(second.id)
  await client('POST', `${SEGMENTS}/${first.id}/restore`)
  expect((await get()).boardSegmentId).toBe(second.id)
  expect((await put(null)).body.data.boardSegmentId).toBeNull()

  const limited = await key({ products: [product.id] })
  expect((await call('POST', SEGMENTS, { apiKey: limited, json: { name: 'Mine' } })).status).toBe(403)
  const stranger = await createWorkspace()
  expect((await stranger.client('GET', `${SEGMENTS}/${first.id}`)).status).toBe(404)
  const foreign = await stranger.client<Field>('POST', SEGMENTS, { json: { name: 'Theirs' } })
  expect((await put(foreign.body.data.id)).body.error?.code).toBe('unknown_reference')
})

const TYPES: [type: string, right: unknown[], wrong: unknown[]][] = [
  ['text', ['a', '', 'x'.repeat(1_000)], ['a\nb', 'x'.repeat(1_001), 1, true, [1]]],
  ['textarea', ['a\nb', 'x'.repeat(10_000)], [1, false, [1]]],
  ['number', [0, -1.5, 1e9], ['1', true, [1]]],
  ['date', ['2026-02-28'], ['2026-02-30', '2026-02-28T00:00:00Z', 'soon', 20260228]],
  ['url', ['https://example.com/a?b=c'], ['javascript:alert(1)', 'example.com', ' https://example.com', 1]],
  ['boolean', [true, false], ['true', 1, 0]],
]

test.each(TYPES)('a custom field of the type %s accepts only values of its type', async (type, right, wrong) => {
  const { field, attach, set, get } = await createBoardScenario()
  const one = await field({ name: 'One', type })
  await attach(one)
  for (const value of right) {
    const answer = await set({ [one.id]: value })
    expect([value, answer.status, answer.cost.roundTrips]).toEqual([value, 200, 1])
    expect(answer.body.data.customFields).toEqual({ [one.id]: value })
    expect((await get()).customFields).toEqual({ [one.id]: value })
    expect((await set({ [one.id]: value })).cost.rowsWritten).toBe(0)
  }
  for (const value of wrong) {
    const answer = await set({ [one.id]: value })
    expect([value, answer.status, answer.body.error?.issues.map(({ path }) => path)]).toEqual([
      value,
      400,
      [`/customFields/${one.id}`],
    ])
  }
  expect((await get()).customFields).toEqual({ [one.id]: right.at(-1) })
  expect((await set({ [one.id]: null })).body.data.customFields).toEqual({ [one.id]: null })
})

test('a select accepts one of its options, a multiselect several, and all wrong values are listed', async () => {
  const { field, attach, set } = await createBoardScenario()
  const one = await field({ name: 'Level', type: 'select', options: ['Junior', 'Senior'] })
  const many = await field({ name: 'Places', type: 'multiselect', options: ['Ward', 'Home'] })
  const loose = await field({ name: 'Loose', type: 'text' })
  expect(one.options.map(({ label }) => label)).toEqual(['Junior', 'Senior'])
  for (const each of [one, many]) await attach(each)
  const [junior, ward, home] = [one.options[0]?.id ?? 0, many.options[0]?.id ?? 0, many.options[1]?.id ?? 0]
  const saved = await set({ [one.id]: junior, [many.id]: [home, ward, home] })
  expect(saved.body.data.customFields).toEqual({ [one.id]: junior, [many.id]: [home, ward] })
  const missing = loose.id + 999_999
  const wrong = await set({ [one.id]: ward, [many.id]: [ward, junior], [loose.id]: 'x', [missing]: 1 })
  expect([wrong.status, wrong.body.error?.code]).toEqual([400, 'validation_failed'])
  expect(wrong.body.error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [`/customFields/${one.id}`, 'Must be the id of an option of the field'],
    [`/customFields/${many.id}`, 'Must be a list of ids of options of the field'],
    [`/customFields/${loose.id}`, 'The persona does not have this custom field. Attach the field first.'],
    [`/customFields/${missing}`, 'The persona does not have this custom field. Attach the field first.'],
  ])
  for (const json of [
    '{"customFields":{"__proto__":1}}',
    '{"customFields":{"x":1}}',
    '{"customFields":{"01":1}}',
    '{"customFields":[1]}',
  ]) {
    const answer = await set(JSON.parse(json).customFields)
    expect([json, answer.status]).toEqual([json, 400])
  }
  expect((await set({})).body.data.customFields).toEqual(saved.body.data.customFields)
})

test('a field is attached and detached once, with an event of the persona, and found by excludePersona', async () => {
  const world = await createBoardScenario()
  const { client, field, attach, detach, set, get, nora, key, product } = world
  const [one, other] = [await field({ name: 'One', type: 'text' }), await field({ name: 'Other', type: 'number' })]
  const missing = async () =>
    (await client<Field[]>('GET', `${FIELDS}?excludePersona=${nora.externalKey}`)).body.data.map(({ name }) => name)
  expect(await missing()).toEqual(['One', 'Other'])
  const attached = await attach(one)
  expect([attached.status, attached.cost.roundTrips, attached.body.data.customFields]).toEqual([
    200,
    1,
    { [one.id]: null },
  ])
  expect(await newestEvents(world)).toMatchObject([
    { type: 'persona.updated', data: attached.body.data, previous: { customFields: {} } },
  ])
  expect((await attach(one)).cost.rowsWritten).toBe(0)
  expect(await missing()).toEqual(['Other'])
  expect((await client('GET', `${FIELDS}?excludePersona=PE-999`)).body.error?.code).toBe('unknown_reference')
  await set({ [one.id]: 'kept' })
  expect((await newestEvents(world))[0]).toMatchObject({
    data: { customFields: { [one.id]: 'kept' } },
    previous: { customFields: { [one.id]: null } },
  })
  const detached = await detach(one)
  expect([detached.status, detached.body.data, (await get()).customFields]).toEqual([200, {}, {}])
  expect((await newestEvents(world))[0]).toMatchObject({
    data: await get(),
    previous: { customFields: { [one.id]: 'kept' } },
  })
  expect((await detach(one)).cost.rowsWritten).toBe(0)
  await attach(one)
  expect((await get()).customFields).toEqual({ [one.id]: null })

  const twin = await createPersona(world, { product: product.externalKey })
  const limited = await key({ products: [product.id] })
  const as = (path: string, method = 'POST') => call(method, path, { apiKey: limited })
  expect((await as(`${FIELDS}/${other.id}/personas/${twin.externalKey}`)).status).toBe(200)
  expect((await as(`${FIELDS}/${other.id}/personas/${nora.externalKey}`)).body.error?.code).toBe('insufficient_scope')
  expect((await as(`${FIELDS}/${other.id}`, 'DELETE')).status).toBe(403)
  const stranger = await createWorkspace()
  expect((await stranger.client('POST', `${FIELDS}/${other.id}/personas/${twin.externalKey}`)).status).toBe(404)
})

test('a required field cannot be cleared, and a field with values keeps its type', async () => {
  const { client, field, attach, set } = await createBoardScenario()
  const one = await field({ name: 'One', type: 'text' })
  await attach(one)
  const put = (json: object) => client<Field>('PUT', `${FIELDS}/${one.id}`, { json })
  expect((await put({ type: 'textarea' })).body.data.type).toBe('textarea')
  await set({ [one.id]: 'a\nb' })
  const fixed = await put({ type: 'text', name: 'Two' })
  expect([fixed.status, fixed.body.error?.code]).toEqual([409, 'conflict'])
  expect((await put({ type: 'textarea', required: true })).body.data).toMatchObject({ name: 'One', required: true })
  const cleared = await set({ [one.id]: null })
  expect([cleared.status, cleared.body.error?.issues]).toEqual([
    400,
    [
      {
        path: `/customFields/${one.id}`,
        code: 'invalid_value',
        message: 'This custom field is required. Change the value instead of clearing it.',
      },
    ],
  ])
  await put({ required: false })
  await set({ [one.id]: null })
  expect((await put({ type: 'text' })).status).toBe(200)
})

test('an archived field returns with its values, and a permanently removed field is gone', async () => {
  const world = await createBoardScenario()
  const { client, field, attach, set, get } = world
  const one = await field({ name: 'One', type: 'select', options: ['A', 'B'] })
  await attach(one)
  const option = one.options[1]?.id ?? 0
  await set({ [one.id]: option })
  const at = `${FIELDS}/${one.id}`
  await client('DELETE', at)
  expect([(await get()).customFields, (await client('GET', at)).status]).toEqual([{}, 404])
  expect((await set({ [one.id]: option })).status).toBe(400)
  await field({ name: 'One', type: 'text' })
  const taken = await client('POST', `${at}/restore`)
  expect([taken.status, taken.body.error?.code]).toEqual([409, 'conflict'])
  const [other] = (await client<Field[]>('GET', FIELDS)).body.data
  await client('PUT', `${FIELDS}/${other?.id}`, { json: { name: 'Two' } })
  const restored = await client<Field>('POST', `${at}/restore`)
  expect([restored.body.data, (await get()).customFields]).toEqual([
    { ...one, updatedAt: expect.any(String) },
    { [one.id]: option },
  ])

  await client('DELETE', at)
  const purged = await client('DELETE', `${at}/permanent`)
  expect([purged.status, purged.cost.roundTrips, purged.body.data]).toEqual([200, 1, {}])
  expect((await newestEvents(world))[0]).toMatchObject({
    type: 'custom_field.purged',
    data: { id: one.id, name: 'One' },
  })
  for (const [method, path] of [
    ['POST', `${at}/restore`],
    ['DELETE', `${at}/permanent`],
    ['GET', at],
  ] as const) {
    expect((await client(method, path)).body.error?.code).toBe('custom_field_not_found')
  }
  expect((await client('DELETE', `${FIELDS}/${other?.id}/permanent`)).status).toBe(200)
})

test('options are added, renamed and removed, with unique labels, unless they are in use', async () => {
  const world = await createBoardScenario()
  const { client, field, attach, set } = world
  const one = await field({ name: 'One', type: 'multiselect', options: ['A'] })
  const text = await field({ name: 'Text', type: 'text' })
  const at = `${FIELDS}/${one.id}/options`
  const added = await client<{ id: number; label: string }>('POST', at, { json: { label: ' B ' } })
  expect([added.status, added.body.data.label, added.headers.get('location')]).toEqual([
    201,
    'B',
    `${at}/${added.body.data.id}`,
  ])
  const get = async () => (await client<Field>('GET', `${FIELDS}/${one.id}`)).body.data
  expect((await newestEvents(world))[0]).toEqual(
    expect.objectContaining({ type: 'custom_field.updated', data: await get(), previous: { options: one.options } }),
  )
  const a = one.options[0]?.id ?? 0
  const renamed = await client('PUT', `${at}/${a}`, { json: { label: 'C' } })
  expect([renamed.status, (await get()).options.map(({ label }) => label)]).toEqual([200, ['C', 'B']])
  expect((await newestEvents(world))[0]).toMatchObject({
    data: await get(),
    previous: { options: [{ label: 'A' }, { label: 'B' }] },
  })
  expect((await client('PUT', `${at}/${a}`, { json: { label: 'C' } })).cost.rowsWritten).toBe(0)
  for (const [method, path, code] of [
    ['POST', at, 'conflict'],
    ['PUT', `${at}/${a}`, 'conflict'],
    ['POST', `${FIELDS}/${text.id}/options`, 'conflict'],
    ['PUT', `${FIELDS}/${text.id}/options/${a}`, 'option_not_found'],
    ['DELETE', `${at}/999999`, 'option_not_found'],
  ] as const) {
    const answer = await client(method, path, method === 'DELETE' ? {} : { json: { label: 'B' } })
    expect([method, path, answer.body.error?.code]).toEqual([method, path, code])
  }
  await attach(one)
  await set({ [one.id]: [a] })
  const used = await client('DELETE', `${at}/${a}`)
  expect([used.status, used.body.error?.code]).toEqual([409, 'in_use'])
  const removed = await client('DELETE', `${at}/${added.body.data.id}`)
  expect([removed.status, (await get()).options.map(({ label }) => label)]).toEqual([200, ['C']])
  expect((await newestEvents(world))[0]?.data).toEqual(await get())

  const wrong = await client('POST', FIELDS, { json: { name: '', type: 'colour', options: ['A', 'A'], required: 1 } })
  expect(wrong.body.error?.issues.map(({ path }) => path).sort()).toEqual(['/name', '/options', '/required', '/type'])
  const optionless = await client('POST', FIELDS, { json: { name: 'x', type: 'text', options: ['A'] } })
  expect(optionless.body.error?.issues.map(({ path }) => path)).toEqual(['/options'])
})
