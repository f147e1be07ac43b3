import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { copyNewestRow } from '../../contract/copy-rows'
import { nextPageUrl } from '../../contract/pages'
import { runtimeTest } from '../../runtime-test'
import { createWorkItemScenario } from './scenario'

interface Item {
  id: number
  externalKey: string
}

const keysOf = (items: readonly Item[]) => items.map(({ externalKey }) => externalKey)

async function createListScenario() {
  const here = await createWorkItemScenario()
  const list = async (query: Record<string, string>, path = 'storyMap/card') => {
    const answer = await here.client<Item[]>('GET', `${here.at}/${path}?${new URLSearchParams(query)}`)
    expect([query, answer.status, answer.cost.roundTrips]).toEqual([query, 200, 1])
    return answer
  }
  const found = async (query: Record<string, string>, path?: string) => keysOf((await list(query, path)).body.data)
  return { ...here, list, found }
}

test('every filter finds only its matches, alone and combined', async () => {
  const here = await createListScenario()
  const stamps = { created_at: 0, updated_at: 0 }
  const of = { subscription_id: here.subscriptionId, ...stamps }
  const teamId = await here.row('teams', { ...of, name: 'T' })
  const personaId = await here.row('personas', { ...of, external_key: 'PE-1', name: 'P' })
  const epic = await here.create('epics', { summary: 'E' })
  const feature = await here.create('features', { summary: 'F', epicId: epic.epicId })
  await here.create('storyMap/card', {
    summary: 'Pay by card',
    description: '<p>With <strong>plastic</strong> money</p>',
    progress: 'done',
    teamId,
    userId: [here.userId],
    tags: '["Check out", 7]',
    persona: [{ personaValue: 'Buyer', personaId }],
    featureId: feature.featureId,
    externalProgress: 'In Review',
    jiraKey: 'PAY-1',
  })
  await here.create('storyMap/card', { summary: 'Pay later', epicId: epic.epicId })
  await here.create('storyMap/card', { summary: 'Leave' })
  await here.client('PUT', `${here.at}/storyMap/card/US-3`, { json: { backlog: false } })
  const cases: [Record<string, string>, string[]][] = [
    [{ progress: 'done' }, ['US-1']],
    [{ teamId: String(teamId) }, ['US-1']],
    [{ userId: String(here.userId) }, ['US-1']],
    [{ tag: 'check-OUT' }, ['US-1']],
    [{ tag: '7' }, ['US-1']],
    [{ tag: 'check' }, []],
    [{ personaId: String(personaId) }, ['US-1']],
    [{ epicId: String(epic.epicId) }, ['US-2', 'US-1']],
    [{ epicId: '0' }, ['US-3']],
    [{ featureId: String(feature.featureId) }, ['US-1']],
    [{ featureId: '0' }, ['US-3', 'US-2']],
    [{ backlog: 'false' }, ['US-3']],
    [{ backlog: 'true' }, ['US-2', 'US-1']],
    [{ externalProgress: 'In Review' }, ['US-1']],
    [{ externalProgress: '' }, ['US-3', 'US-2']],
    [{ jiraKey: 'PAY-1' }, ['US-1']],
    [{ jiraKey: '' }, ['US-3', 'US-2']],
    [{ jiraKey: "' OR 1=1 --" }, []],
    [{ q: 'pay' }, ['US-2', 'US-1']],
    [{ q: 'PLAST money' }, ['US-1']],
    [{ q: 'strong' }, []],
    [{ q: 'us-3' }, ['US-3']],
    [{ q: '" OR' }, []],
    [{ q: '***' }, []],
    [{ updatedSince: '2099-01-01' }, []],
    [{ updatedSince: '2020-01-01', sort: 'createdAt' }, ['US-1', 'US-2', 'US-3']],
    [{ q: 'pay', progress: 'done', epicId: String(epic.epicId), tag: 'check-out', sort: 'order' }, ['US-1']],
    [{ epicId: String(epic.epicId), featureId: '0', q: 'later' }, ['US-2']],
    [{ featureId: String(feature.featureId), progress: 'to-do' }, []],
  ]
  for (const [query, expected] of cases) expect([query, await here.found(query)]).toEqual([query, expected])
  expect(await here.found({ q: 'pay' }, 'epics')).toEqual([])
  expect(await here.found({ epicId: String(epic.epicId) }, 'features')).toEqual(['FE-1'])

  await here.client('PUT', `${here.at}/storyMap/card/US-1`, { json: { summary: 'Cash', description: null } })
  expect(await here.found({ q: 'plastic' })).toEqual([])
  expect(await here.found({ q: 'cash' })).toEqual(['US-1'])
  const other = await here.client<Item>('POST', '/api/initiatives', { json: { name: 'Elsewhere' } })
  const elsewhere = `/api/initiatives/${other.body.data.externalKey}/storyMap/card`
  expect((await here.client<Item[]>('GET', `${elsewhere}?q=cash`)).body.data).toEqual([])
  const stranger = await createListScenario()
  expect(await stranger.found({ q: 'cash' })).toEqual([])
  for (const path of ['storyMap/card', 'backlog'])
    expect((await stranger.client('GET', `${here.at}/${path}?q=cash`)).status).toBe(404)
})

test('items are sorted by numbers, dates and rank, with empty values last', async () => {
  const here = await createListScenario()
  const make = (json: object) => here.create('epics', { summary: 'E', ...json })
  await make({ businessValue: '9', score: 2, startDate: '2026-03-01' })
  await make({ businessValue: '10.5', score: -1, endDate: '2026-05-01' })
  await make({})
  await make({ businessValue: '-3', score: 2, startDate: '2026-01-01', endDate: '2026-04-01' })
  const cases: [string, string[]][] = [
    ['order', ['EP-1', 'EP-2', 'EP-3', 'EP-4']],
    ['-order', ['EP-4', 'EP-3', 'EP-2', 'EP-1']],
    ['businessValue', ['EP-4', 'EP-1', 'EP-2', 'EP-3']],
    ['-businessValue', ['EP-3', 'EP-2', 'EP-1', 'EP-4']],
    ['score', ['EP-2', 'EP-3', 'EP-1', 'EP-4']],
    ['startDate', ['EP-4', 'EP-1', 'EP-2', 'EP-3']],
    ['-endDate', ['EP-3', 'EP-1', 'EP-2', 'EP-4']],
  ]
  for (const [sort, expected] of cases) {
    const found = await here.found({ sort }, 'epics')
    if (sort === '-endDate') expect(found.slice(2)).toEqual(expected.slice(2))
    else expect([sort, found]).toEqual([sort, expected])
  }
  await here.client('PUT', `${here.at}/epics/EP-2`, { json: { businessValue: '1' } })
  expect(await here.found({ sort: 'businessValue' }, 'epics')).toEqual(['EP-4', 'EP-2', 'EP-1', 'EP-3'])
})

runtimeTest('a filter without an index looks at a limited number of items per page and continues', async () => {
  const here = await createListScenario()
  await here.create('storyMap/card', { summary: 'First', progress: 'done' })
  await here.create('storyMap/card', { summary: 'Other' })
  await copyNewestRow('work_items', here.subscriptionId, 12_000)
  for (const summary of ['Late', 'Last']) await here.create('storyMap/card', { summary, progress: 'done' })
  const first = await here.list({ progress: 'done', limit: '1' })
  expect(first.body.data).toMatchObject([{ summary: 'Last' }])
  expect(first.cost.rowsRead).toBeLessThan(100)
  const pages = []
  let next: string | undefined = `${here.at}/storyMap/card?progress=done&limit=3`
  for (; next; next = nextPageUrl(pages.at(-1)?.headers ?? new Headers()))
    pages.push(await here.client<Item[]>('GET', next))
  expect(pages.map(({ body }) => body.data.length)).toEqual([2, 1])
  expect(Math.max(...pages.map(({ cost }) => cost.rowsRead))).toBeLessThan(40_100)
  const none = await here.list({ progress: 'never' })
  expect([none.body.data, nextPageUrl(none.headers) !== undefined]).toEqual([[], true])
  const since = await here.list({ updatedSince: '2099-01-01', sort: '-updatedAt' })
  expect([since.body.data, nextPageUrl(since.headers), since.cost.rowsRead < 20]).toEqual([[], undefined, true])
})

test('a progress with a comma is found as a whole, and a progress of removed items with `removed`', async () => {
  const here = await createListScenario()
  for (const progress of ['Ready, waiting', 'Ready', ',', 'Shelved']) {
    const { externalKey } = await here.create('storyMap/card', { summary: progress })
    await here.client('PUT', `${here.at}/storyMap/card/${externalKey}`, { json: { progress } })
  }
  await here.client('DELETE', `${here.at}/storyMap/card/US-4`)
  const cases: [Record<string, string>, string[]][] = [
    [{ progress: 'Ready, waiting' }, ['US-2', 'US-1']],
    [{ progress: 'Ready,done' }, ['US-2']],
    [{ progress: ',' }, ['US-3']],
    [{ progress: 'Shelved', removed: 'only' }, ['US-4']],
    [{ progress: 'Shelved,Ready', removed: 'include' }, ['US-4', 'US-2']],
  ]
  for (const [query, expected] of cases) expect([query, await here.found(query)]).toEqual([query, expected])
  for (const progress of ['waiting, Ready', 'Shelved', 'Ready,Shelved', ',,', '']) {
    const { status, body } = await here.client('GET', `${here.at}/storyMap/card?${new URLSearchParams({ progress })}`)
    expect([progress, status, body.error?.issues?.map(({ path }) => path)]).toEqual([
      progress,
      400,
      ['/query/progress'],
    ])
  }
})

runtimeTest('many values of progress look at the items of the product once', async () => {
  const here = await createListScenario()
  await here.create('storyMap/card', { summary: 'Item' })
  await copyNewestRow('work_items', here.subscriptionId, 8_000)
  const ask = async (count: number) => {
    const progress = Array.from({ length: count }, (_, n) => `unknown-${n}`).join()
    const { status, cost } = await here.client('GET', `${here.at}/storyMap/card?limit=1&progress=${progress}`)
    expect(status).toBe(400)
    return cost.rowsRead
  }
  expect(await ask(19)).toBeLessThan((await ask(1)) + 1_000)
})

test.each([
  ['startDate', 'start_date'],
  ['endDate', 'end_date'],
  ['businessValue', 'business_value'],
])('items without %s follow in the order of creation, on limited pages', async (sort, column) => {
  const here = await createListScenario()
  await here.create('storyMap/card', { summary: 'Item' })
  await copyNewestRow('work_items', here.subscriptionId, 5, { created_at: 'created_at - n % 3' })
  await copyNewestRow('work_items', here.subscriptionId, 5, { [column]: '10 + n % 2', created_at: 'created_at - n' })
  const { results } = await env.DB.prepare(
    `SELECT external_key AS key FROM (SELECT *, nullif(${column}, '') AS value FROM work_items WHERE subscription_id = ?)
      ORDER BY value IS NULL, value, iif(value IS NULL, created_at, id), id`,
  )
    .bind(here.subscriptionId)
    .all<{ key: string }>()
  const ascending = results.map(({ key }) => key)
  for (const limit of [1, 4, 5, 6, 7, 11, 12]) {
    for (const [order, expected] of [
      [sort, ascending],
      [`-${sort}`, ascending.toReversed()],
    ] as const) {
      const found: string[] = []
      let next: string | undefined = `${here.at}/storyMap/card?sort=${order}&limit=${limit}&fields=externalKey`
      while (next) {
        const { body, headers, cost } = await here.client<Item[]>('GET', next)
        found.push(...keysOf(body.data))
        expect(cost.roundTrips).toBe(1)
        next = nextPageUrl(headers)
        expect(body.data.length).toBe(next ? limit : expected.length % limit || limit)
      }
      expect({ order, limit, found }).toEqual({ order, limit, found: expected })
    }
  }
  await copyNewestRow('work_items', here.subscriptionId, 12_000, {
    [column]: '12',
    created_at: 'created_at + 10000000',
  })
  const pages: string[][] = []
  let next: string | undefined = `${here.at}/storyMap/card?sort=-${sort}&limit=8`
  while (pages.length < 3 && next) {
    const { body, headers } = await here.client<Item[]>('GET', next)
    pages.push(keysOf(body.data))
    next = nextPageUrl(headers)
  }
  expect(pages.map(({ length }) => length)).toEqual([0, 8, 8])
  expect(pages[1]?.slice(0, 6)).toEqual(ascending.toReversed().slice(0, 6))
})

test('attributes are stored as sent, replaced as a whole, and refused by name', async () => {
  const here = await createWorkItemScenario()
  const attributes = { 'Story size': 'L', count: 3, late: false, none: null }
  await here.create('epics', { summary: 'E', attributes })
  const read = async () =>
    (await here.client<{ attributes: object }>('GET', `${here.at}/epics/EP-1`)).body.data.attributes
  expect(await read()).toEqual({ 'Story size': 'L', count: 3, late: false })
  const put = (raw: string) =>
    here.client('PUT', `${here.at}/epics/EP-1`, { raw, headers: { 'content-type': 'application/json' } })
  expect((await put('{"attributes":{"size":"S"}}')).status).toBe(200)
  expect(await read()).toEqual({ size: 'S' })
  expect((await put('{"attributes":{"size":"S"}}')).cost.rowsWritten).toBe(0)
  for (const wrong of [
    '[]',
    '"x"',
    '{"a":{}}',
    '{"a":[1]}',
    '{"":1}',
    '{"__proto__":1}',
    `{"a":"${'x'.repeat(1001)}"}`,
  ]) {
    const answer = await put(`{"attributes":${wrong}}`)
    expect([wrong, answer.status, answer.body.error?.issues[0]?.path.split('/')[1]]).toEqual([wrong, 400, 'attributes'])
  }
  expect((await put('{"attributes":null}')).status).toBe(200)
  expect(await read()).toEqual({})
})

test('a number out of bounds is refused with the bound', async () => {
  const here = await createWorkItemScenario()
  const problem = async (query: string) => (await here.client('GET', `${here.at}/${query}`)).body.error?.issues[0]
  const bounded = (path: string, code: string, message: string) => ({ path: `/query/${path}`, code, message })
  expect(await problem('epics?limit=101')).toEqual(bounded('limit', 'too_big', 'Must be 100 or less'))
  expect(await problem('epics?limit=0')).toEqual(bounded('limit', 'too_small', 'Must be 1 or more'))
  expect(await problem('backlog?depth=4')).toEqual(bounded('depth', 'too_big', 'Must be 3 or less'))
  const digits = 'Must be a whole number in plain digits, like 7'
  for (const given of ['1.5', '01', 'x', '', '9'.repeat(20)])
    expect(await problem(`epics?limit=${given}`)).toEqual(bounded('limit', 'invalid_type', digits))
})
