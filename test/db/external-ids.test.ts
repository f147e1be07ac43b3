import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../factories'

interface Shown {
  id: number
  externalKey?: string
  external_key?: string
  email?: string
  firstName?: string
  attributes?: object
  source: string | null
  externalId?: string | null
  external_id?: string | null
  [name: string]: unknown
}

interface Event {
  type: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

interface Kind {
  /** List of the records, with the query of an upsert. */
  path: string
  query: (here: Workspace) => string
  idName: 'externalId' | 'external_id'
  keyOf: (record: Shown) => string
  body: (n: number, here: Workspace) => object
  change: object
}

const KINDS: Record<string, Kind> = {
  idea: {
    path: '/api/feedback-items',
    query: ({ product }) => `?product=${product.externalKey}`,
    idName: 'external_id',
    keyOf: ({ external_key }) => String(external_key),
    body: (n) => ({ title: `Idea ${n}`, tags: ['ui'] }),
    change: { title: 'Changed', tags: ['ui', 'night'] },
  },
  member: {
    path: '/api/v2/idea-manager/members',
    query: () => '',
    idName: 'externalId',
    keyOf: ({ id }) => String(id),
    body: (n) => ({ email: `p${n}@example.com`, firstName: `P${n}`, attributes: { plan: 'pro' } }),
    // Events show the present names and address of a person.
    change: { attributes: { plan: 'free' } },
  },
  persona: {
    path: '/api/v2/persona',
    query: () => '',
    idName: 'externalId',
    keyOf: ({ externalKey }) => String(externalKey),
    body: (n) => ({ name: `Persona ${n}`, goals: ['Sleep'] }),
    change: { name: 'Changed', goals: ['Sleep', 'Eat'] },
  },
}

async function createScenario({ path, query, idName, keyOf, body }: Kind) {
  const here = await createWorkspace()
  const upsert = (source: string, id: string, json: object, options: object = {}) =>
    here.client<Shown>('PUT', `${path}/external/${source}/${encodeURIComponent(id)}${query(here)}`, {
      json,
      ...options,
    })
  const create = (n: number, more: object = {}) => {
    const product = path === '/api/feedback-items' ? { product: here.product.externalKey } : {}
    return here.client<Shown>('POST', path, { json: { ...body(n, here), ...product, ...more } })
  }
  const read = async (record: Shown) => (await here.client<Shown>('GET', `${path}/${keyOf(record)}`)).body
  const modify = (record: Shown, json: object) => here.client<Shown>('PUT', `${path}/${keyOf(record)}`, { json })
  const remove = (record: Shown) => here.client('DELETE', `${path}/${keyOf(record)}`)
  const restore = (record: Shown) => here.client<Shown>('POST', `${path}/${keyOf(record)}/restore`)
  const events = async (record: Shown) => {
    const all = await here.client<Event[]>('GET', `/api/v2/events?key=${keyOf(record)}&limit=100`)
    return all.body.data.filter(({ type }) => !type.startsWith('user'))
  }
  const count = async () => (await here.client<Shown[]>('GET', `${path}?limit=100`)).body.data.length
  const pair = (source: string | null, id: string | null) => ({ source, [idName]: id })
  return { ...here, upsert, create, read, modify, remove, restore, events, count, pair }
}

const without = (record: Shown) => ({ ...record, updatedAt: '', updated_at: '' })

for (const [name, kind] of Object.entries(KINDS)) {
  test(`an upsert creates the ${name} of a foreign id and then changes it, in one round trip each`, async () => {
    const here = await createScenario(kind)
    const first = await here.upsert('crm', 'C/4 2', kind.body(1, here))
    expect([first.status, first.cost.roundTrips]).toEqual([201, 1])
    expect(first.headers.get('location')).toBe(`${kind.path}/${kind.keyOf(first.body.data)}`)
    expect(first.body.data).toMatchObject(here.pair('crm', 'C/4 2'))
    expect((await here.read(first.body.data)).data).toEqual(first.body.data)
    const same = await here.upsert('crm', 'C/4 2', kind.body(1, here))
    expect([same.status, same.cost.rowsWritten, same.headers.get('location')]).toEqual([200, 0, null])
    const second = await here.upsert('crm', 'C/4 2', { ...kind.body(1, here), ...kind.change })
    expect([second.status, second.cost.roundTrips]).toEqual([200, 1])
    expect(second.body.data.id).toBe(first.body.data.id)
    expect((await here.read(first.body.data)).data).toEqual(second.body.data)
    const [created, updated, ...more] = await here.events(first.body.data)
    expect([created?.type.split('.')[1], updated?.type.split('.')[1], more]).toEqual(['created', 'updated', []])
    expect(created?.data).toEqual(first.body.data)
    expect(updated?.data).toEqual(second.body.data)
    expect(Object.keys(updated?.previous ?? {}).sort()).toEqual(Object.keys(kind.change).sort())
    const others = [
      await here.upsert('crm', 'c/4 2', kind.body(2, here)),
      await here.upsert('erp', 'C/4 2', kind.body(3, here)),
    ]
    expect(others.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set([first, ...others].map(({ body }) => body.data.id)).size).toBe(3)
  })

  test(`only one of parallel upserts creates the ${name}`, async () => {
    const here = await createScenario(kind)
    const before = await here.count()
    const all = await Promise.all(Array.from({ length: 12 }, () => here.upsert('crm', '7', kind.body(1, here))))
    expect(all.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 11 }, () => 200), 201])
    expect(new Set(all.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await here.count()).toBe(before + 1)
    expect((await here.events(all[0]?.body.data as Shown)).length).toBe(1)
  })

  test(`the id of a ${name} is set in a create and a modify, and a taken id is a 409 that names it`, async () => {
    const here = await createScenario(kind)
    const first = await here.create(1, here.pair('crm', 'A'))
    expect(first.body.data).toMatchObject(here.pair('crm', 'A'))
    const second = (await here.create(2)).body.data
    expect(second).toMatchObject(here.pair(null, null))
    for (const taken of [
      await here.create(3, here.pair('crm', 'A')),
      await here.modify(second, here.pair('crm', 'A')),
    ]) {
      expect([taken.status, taken.body.error?.code, taken.cost.rowsWritten]).toEqual([409, 'conflict', 0])
      expect(taken.body.message).toContain('"A" of the source "crm"')
    }
    const set = await here.modify(second, here.pair('crm', 'B'))
    expect([set.status, set.body.data]).toEqual([200, { ...set.body.data, ...here.pair('crm', 'B') }])
    expect((await here.events(second)).at(-1)?.previous).toEqual(here.pair(null, null))
    const again = await here.modify(second, here.pair('crm', 'B'))
    expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
    expect((await here.modify(second, here.pair(null, null))).body.data).toMatchObject(here.pair(null, null))
    expect((await here.upsert('crm', 'A', { ...kind.body(1, here) })).body.data.id).toBe(first.body.data.id)
    for (const half of [{ source: 'crm' }, { [kind.idName]: 'X' }, here.pair('crm', null), here.pair('C R M', 'X')]) {
      const wrong = await here.modify(second, half)
      expect([half, wrong.status]).toEqual([half, 400])
    }
  })

  test(`a removed ${name} keeps the id until another record gets it`, async () => {
    const here = await createScenario(kind)
    const first = (await here.upsert('crm', '1', kind.body(1, here))).body.data
    await here.remove(first)
    expect((await here.restore(first)).body.data).toMatchObject(here.pair('crm', '1'))
    await here.remove(first)
    const anew = await here.upsert('crm', '1', kind.body(2, here))
    expect([anew.status, anew.body.data.id === first.id]).toEqual([201, false])
    const back = await here.restore(first)
    expect([back.status, without(back.body.data)]).toEqual([200, without({ ...first, ...here.pair(null, null) })])
    await here.remove(anew.body.data)
    expect((await here.modify(first, here.pair('crm', '1'))).body.data).toMatchObject(here.pair('crm', '1'))
    expect((await here.restore(anew.body.data)).body.data).toMatchObject(here.pair(null, null))
  })

  test(`an upsert of a ${name} reaches no other workspace and needs the scope`, async () => {
    const [here, there] = [await createScenario(kind), await createScenario(kind)]
    const theirs = (await there.upsert('crm', '1', kind.body(1, there))).body.data
    const own = await here.upsert('crm', '1', kind.body(1, here))
    expect([own.status, own.body.data.id === theirs.id]).toEqual([201, false])
    expect((await there.read(theirs)).data).toEqual(theirs)
    const apiKey = await here.key({ scopes: ['feedback:read', 'segments:read', 'personas:read'] })
    const refused = await here.upsert('crm', '2', kind.body(2, here), { apiKey })
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  })
}

test('the id of an idea is unique per product, and a key that is limited to products reaches its products only', async () => {
  const here = await createScenario(KINDS.idea as Kind)
  const first = (await here.upsert('canny', '1', { title: 'One' })).body.data
  const other = (await here.client<Shown>('POST', '/api/initiatives', { json: { name: 'Other' } })).body.data
  const at = `/api/feedback-items/external/canny/1?product=${other.externalKey}`
  const second = await here.client<Shown>('PUT', at, { json: { title: 'Two' } })
  expect([second.status, second.body.data.id === first.id]).toEqual([201, false])
  const apiKey = await here.key({ products: [other.id] })
  expect((await here.upsert('canny', '1', { title: 'X' }, { apiKey })).status).toBe(403)
  const own = await here.client<Shown>('PUT', at, { json: { title: 'Three' }, apiKey })
  expect([own.status, own.body.data.id]).toEqual([200, second.body.data.id])
  expect((await here.client('PUT', '/api/feedback-items/external/canny/1', { json: { title: 'X' } })).status).toBe(400)
  const unknown = await here.client('PUT', `${at}9`, { json: { title: 'X' } })
  expect([unknown.status, unknown.body.error?.code]).toEqual([404, 'product_not_found'])
})

test('an upsert of an idea creates the author once, and leaves the author of a known idea', async () => {
  const here = await createScenario(KINDS.idea as Kind)
  const made = await here.upsert('canny', '1', { title: 'One', user: { email: 'ada@example.com', name: 'Ada' } })
  expect(made.body.data.user).toMatchObject({ email: 'ada@example.com', firstName: 'Ada' })
  const again = await here.upsert('canny', '1', { title: 'One', user: { email: 'bob@example.com' } })
  expect([again.status, again.cost.rowsWritten, again.body.data]).toEqual([200, 0, made.body.data])
  await here.client('DELETE', `/api/v2/users/${made.body.data.user_id}`)
  const later = await here.upsert('canny', '1', { title: 'Two', user: { email: 'ada@example.com' } })
  expect([later.status, later.body.data.title]).toEqual([200, 'Two'])
  const refused = await here.upsert('canny', '2', { title: 'Two', user: { email: 'ada@example.com' } })
  expect(refused.status).toBe(409)
})

test('a merged idea keeps its id, and an upsert of the id is a 409 that names the target', async () => {
  const here = await createScenario(KINDS.idea as Kind)
  const merged = (await here.upsert('canny', '1', { title: 'One' })).body.data
  const target = (await here.upsert('canny', '2', { title: 'Two' })).body.data
  const path = `/api/feedback-items/${merged.external_key}`
  await here.client('POST', `${path}/merge`, { json: { into: target.external_key } })
  const refused = await here.upsert('canny', '1', { title: 'X' })
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `This item was merged into ${target.external_key}. Use that item, or unmerge this item first.`,
  ])
  expect((await here.modify(target, here.pair('canny', '1'))).status).toBe(409)
})

test('a bulk create of ideas rejects taken and repeated ids alone', async () => {
  const here = await createScenario(KINDS.idea as Kind)
  await here.upsert('canny', '1', { title: 'One' })
  const product = here.product.externalKey
  const items = ['1', '2', '2', '3'].map((id) => ({ title: id, product, source: 'canny', external_id: id }))
  const done = await here.client<{ results: { success: boolean }[] }>('POST', '/api/feedback-items/bulk-create', {
    json: items,
  })
  expect(done.body.data.results.map(({ success }) => success)).toEqual([false, true, false, true])
})

test('an upsert of a member adopts the member with the address, and keeps the role', async () => {
  const here = await createScenario(KINDS.member as Kind)
  const known = (await here.create(1, { role: 'admin' })).body.data
  const adopted = await here.upsert('crm', '1', { email: 'p1@example.com', role: 'member' })
  expect([adopted.status, adopted.body.data]).toEqual([
    200,
    { ...known, source: 'crm', externalId: '1', updatedAt: adopted.body.data.updatedAt },
  ])
  for (const [id, email] of [['2', 'p1@example.com']] as const) {
    const taken = await here.upsert('crm', id, { email })
    expect([taken.status, taken.body.error?.code, taken.cost.rowsWritten]).toEqual([409, 'conflict', 0])
  }
  const moved = await here.upsert('crm', '1', { email: 'new@example.com' })
  expect([moved.status, moved.body.data.id, moved.body.data.email]).toEqual([200, known.id, 'new@example.com'])
})

test('an upsert brings a removed member back by the address, and no other member takes that address', async () => {
  const here = await createScenario(KINDS.member as Kind)
  const gone = (await here.upsert('crm', '1', { email: 'gone@example.com' })).body.data
  await here.remove(gone)
  const other = await here.upsert('crm', '2', { email: 'other@example.com' })
  expect((await here.upsert('crm', '2', { email: 'gone@example.com' })).status).toBe(409)
  expect((await here.read(other.body.data)).data.email).toBe('other@example.com')
  const back = await here.upsert('crm', '3', { email: 'gone@example.com', firstName: 'Back' })
  expect([back.status, back.body.data.id]).toEqual([201, gone.id])
  expect(back.body.data).toMatchObject({ firstName: 'Back', source: 'crm', externalId: '3' })
})

test('a new address of a member inherits the suppressions', async () => {
  const here = await createScenario(KINDS.member as Kind)
  await here.upsert('crm', '1', { email: 'old@example.com' })
  await here.client('POST', '/api/v2/suppressions', { json: { email: 'old@example.com' } })
  await here.upsert('crm', '1', { email: 'new@example.com' })
  const all = await here.client<{ email: string }[]>('GET', '/api/v2/suppressions')
  expect(all.body.data.map(({ email }) => email).sort()).toEqual(['new@example.com', 'old@example.com'])
})

test('a key that is limited to products sets no id of a persona or a member', async () => {
  const here = await createScenario(KINDS.persona as Kind)
  const hidden = (await here.upsert('crm', '1', { name: 'Hidden' })).body.data
  const apiKey = await here.key({ products: [here.product.id] })
  const product = here.product.externalKey
  const send = (method: string, path: string, json: object) => here.client<Shown>(method, path, { json, apiKey })
  const own = (await send('POST', '/api/v2/persona', { name: 'Own', product })).body.data
  const refused = [
    await send('PUT', '/api/v2/persona/external/crm/1', { name: 'X', product }),
    await send('PUT', '/api/v2/persona/external/crm/2', { name: 'X', product }),
    await send('POST', '/api/v2/persona', { name: 'X', product, source: 'crm', externalId: '1' }),
    await send('POST', '/api/v2/persona', { name: 'X', product, source: 'crm', externalId: '2' }),
    await send('PUT', `/api/v2/persona/${own.externalKey}`, { source: 'crm', externalId: '1' }),
    await send('PUT', '/api/v2/idea-manager/members/external/crm/1', { email: 'x@example.com' }),
  ]
  expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual(
    refused.map(() => [403, 'insufficient_scope']),
  )
  await here.modify(own, { source: 'crm', externalId: '9' })
  const written = await send('PUT', `/api/v2/persona/${own.externalKey}`, {
    name: 'Own too',
    source: 'crm',
    externalId: '9',
  })
  expect([written.status, written.body.data.name]).toEqual([200, 'Own too'])
  expect((await here.read(hidden)).data.name).toBe('Hidden')
})

test('a persona of a removed product gives its id to another persona', async () => {
  const here = await createScenario(KINDS.persona as Kind)
  const other = (await here.client<Shown>('POST', '/api/initiatives', { json: { name: 'Other' } })).body.data
  await here.upsert('crm', '1', { name: 'One', product: other.externalKey })
  await here.client('DELETE', `/api/initiatives/${other.externalKey}`)
  expect((await here.upsert('crm', '1', { name: 'Two' })).status).toBe(201)
})
