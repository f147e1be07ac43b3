import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkItemScenario } from './scenario'

const queryNumber = async (text: string, ...values: (string | number)[]) =>
  (
    await env.DB.prepare(text)
      .bind(...values)
      .first<{ n: number }>()
  )?.n ?? -1

async function createLinkedItems() {
  const here = await createWorkItemScenario()
  const epic = await here.create('epics', { summary: 'E', tags: '["a"]', startDate: '2026-01-01', score: 2.5 })
  const feature = await here.create('features', { summary: 'F', epicId: epic.epicId })
  const story = await here.create('storyMap/card', { summary: 'S', featureId: feature.featureId })
  await here.kpi(1)
  const file = await here.asset()
  const links = { kpis: ['KPI-1'], files: [{ file: { id: file } }] }
  for (const path of ['epics/EP-1', 'features/FE-1', 'storyMap/card/US-1']) {
    expect((await here.client('PUT', `${here.at}/${path}`, { json: links })).status).toBe(200)
  }
  return { ...here, epic, feature, story, file, links }
}

test('an update without a change writes nothing, emits nothing and keeps the version', async () => {
  const { client, at, subscriptionId, epic, feature, links } = await createLinkedItems()
  const events = () => queryNumber('SELECT count(*) AS n FROM log WHERE subscription_id = ?', subscriptionId)
  const before = await events()
  const empty: [string, object[]][] = [
    [
      'epics/EP-1',
      [
        {},
        { summary: 'E', score: 2.5, tags: '["a"]', startDate: '2026-01-01T00:00:00Z', color: null, teamId: null },
        { ...links, features: ['FE-1'], userStories: ['US-1'] },
        { features: [], userStories: [] },
      ],
    ],
    [
      'features/FE-1',
      [{}, { summary: 'F', progress: 'to-do' }, { ...links, userStories: ['US-1'] }, { epicId: epic.epicId }],
    ],
    [
      'storyMap/card/US-1',
      [
        {},
        { summary: 'S', backlog: true, userId: [] },
        links,
        { epicId: epic.epicId },
        { featureId: feature.featureId },
        { epicId: epic.epicId, featureId: feature.featureId, type: 'userstory' },
      ],
    ],
  ]
  for (const [path, bodies] of empty) {
    const { headers, body } = await client('GET', `${at}/${path}`)
    for (const json of bodies) {
      const { status, cost } = await client('PUT', `${at}/${path}`, { json })
      expect([path, json, status, cost.roundTrips, cost.rowsWritten]).toEqual([path, json, 200, 1, 0])
    }
    const after = await client('GET', `${at}/${path}`)
    expect([after.body, after.headers.get('etag')]).toEqual([body, headers.get('etag')])
  }
  expect(await events()).toBe(before)
})

test('the data of an event is the record as its GET returns it then', async () => {
  const here = await createLinkedItems()
  const { client, at, feature } = here
  await here.kpi(2)
  const other = await here.asset()
  const second = await here.create('epics', { summary: 'Two', features: ['FE-1'], tags: '["b"]' })
  const lastData = async (key: string) => (await here.events(key)).at(-1)?.data
  const keys: [string, string][] = [
    ['EP-1', 'epics/EP-1'],
    ['EP-2', 'epics/EP-2'],
    ['FE-1', 'features/FE-1'],
    ['US-1', 'storyMap/card/US-1'],
    [String(here.file), `assets/${here.file}`],
  ]
  // A parent that gains or loses a child emits no event unless the request names the parent.
  const check = async (...named: string[]) => {
    for (const [key, path] of keys.filter(([key]) => named.includes(key))) {
      expect([key, await lastData(key)]).toEqual([key, await here.detail(path)])
    }
  }
  await check('EP-2', 'FE-1', 'US-1')
  const put = async (path: string, json: object) =>
    expect((await client('PUT', `${at}/${path}`, { json })).status).toBe(200)

  await put('epics/EP-1', {
    summary: 'Changed',
    teamId: null,
    progressPercentage: 3,
    kpis: ['KPI-2'],
    files: [{ file: { id: other } }],
    userStories: ['US-1'],
    features: ['FE-1'],
  })
  await check('EP-1', 'FE-1', 'US-1')
  await put('features/FE-1', { epicId: second.epicId, kpis: [], files: [{ file: { id: here.file } }] })
  await check('FE-1', 'US-1')
  await put('storyMap/card/US-1', { epicId: second.epicId, featureId: 0, progressPercentage: 40, storyPoint: '3' })
  await check('US-1')
  const raw = await env.DB.prepare(
    "SELECT data FROM log WHERE subscription_id = ? AND resource_key = 'US-1' ORDER BY id DESC LIMIT 1",
  )
    .bind(here.subscriptionId)
    .first<{ data: string }>()
  expect(raw?.data).toContain('"progressPercentage":40,')
  await put('storyMap/card/US-1', { featureId: feature.featureId, files: [] })
  await check('US-1', String(here.file))
})

test('a new item has its KPIs and files at every door, and so has its event', async () => {
  const here = await createWorkItemScenario()
  await here.kpi(1)
  const links = async () => ({ kpis: ['KPI-1'], files: [{ file: { id: await here.asset() } }] })
  await here.create('epics', { summary: 'E', ...(await links()) })
  await here.create('features', { summary: 'F', ...(await links()) })
  await here.create('storyMap/card', { summary: 'S', ...(await links()) })
  for (const n of [1, 2]) {
    const json = { type: 'epic', summary: `Theirs ${n}`, ...(await links()) }
    await here.client('PUT', `${here.at}/backlog/external/linear/L-1`, { json })
  }
  const operations = [{ op: 'create', type: 'feature', body: { summary: 'Bulk', ...(await links()) } }]
  expect((await here.client('POST', `${here.at}/backlog/bulk`, { json: operations })).status).toBe(200)
  for (const path of ['epics/EP-1', 'features/FE-1', 'storyMap/card/US-1', 'epics/EP-2', 'features/FE-2']) {
    const detail = await here.detail(path)
    expect([path, detail.kpis, detail.files.length]).toEqual([path, ['KPI-1'], 1])
    const events = await here.events(path.split('/').at(-1) ?? '')
    const [first] = events
    expect([path, first?.type.endsWith('.created'), first?.data.kpis]).toEqual([path, true, ['KPI-1']])
    expect([path, events.at(-1)?.data]).toEqual([path, detail])
  }
  const unknown = await here.client('POST', `${here.at}/epics`, { json: { summary: 'E', kpis: ['KPI-9'] } })
  expect([unknown.status, unknown.body.error?.issues[0]?.path]).toEqual([400, '/kpis/0'])
})

test('the member previous holds the changed fields in their public form', async () => {
  const here = await createLinkedItems()
  const { client, at, epic, feature } = here
  const { files } = await here.detail('storyMap/card/US-1')
  const last = async (key: string) => (await here.events(key)).at(-1)
  await client('PUT', `${at}/storyMap/card/US-1`, {
    json: { summary: 'S', storyPoint: '5', epicId: 0, kpis: [], files: [] },
  })
  expect((await last('US-1'))?.previous).toEqual({
    storyPoint: '',
    epicId: epic.epicId,
    featureId: feature.featureId,
    kpis: ['KPI-1'],
    files,
  })
  await client('PUT', `${at}/epics/EP-1`, { json: { userStories: ['US-1'], features: ['FE-1'] } })
  expect((await last('EP-1'))?.previous).toEqual({ userStories: [] })
  expect((await last('US-1'))?.previous).toEqual({ epicId: 0 })
  expect((await here.events('FE-1')).length).toBe(2)
})

test('an update emits no event of an earlier change again', async () => {
  const here = await createLinkedItems()
  const before = await here.events('EP-1')
  await here.client('PUT', `${here.at}/features/FE-1`, { json: { summary: 'Else' } })
  await here.create('storyMap/card', { summary: 'More', epicId: here.epic.epicId })
  await here.client('PUT', `${here.at}/epics/EP-1`, { json: here.links })
  expect(await here.events('EP-1')).toEqual(before)
})

test('a parent of another workspace is ignored, even when its id is stored', async () => {
  const here = await createWorkItemScenario()
  const stranger = await createWorkItemScenario()
  const mine = await here.create('epics', { summary: 'Mine' })
  const theirs = await stranger.create('features', { summary: 'Theirs' })
  const story = await here.create('storyMap/card', { summary: 'S' })
  const set = (column: string, value: number, id: number) =>
    env.DB.prepare(`UPDATE work_items SET ${column} = ? WHERE id = ?`).bind(value, id).run()
  await set('epic_id', mine.epicId, theirs.featureId)
  await set('feature_id', theirs.featureId, story.cardId)
  const put = await here.client('PUT', `${here.at}/storyMap/card/US-1`, { json: { epicId: mine.epicId } })
  expect(put.status).toBe(200)
  expect(await here.detail('storyMap/card/US-1')).toMatchObject({ epicId: mine.epicId, featureId: 0 })

  await set('feature_id', theirs.featureId, story.cardId)
  await here.client('PUT', `${here.at}/epics/EP-1`, { json: { userStories: ['US-1'], features: [] } })
  await here.client('PUT', `${here.at}/storyMap/card/US-1`, { json: { epicId: 0 } })
  await set('feature_id', theirs.featureId, story.cardId)
  await here.client('PUT', `${here.at}/epics/EP-1`, { json: { userStories: ['US-1'] } })
  expect(await here.detail('storyMap/card/US-1')).toMatchObject({ epicId: mine.epicId, featureId: 0 })
  expect(await stranger.detail('features/FE-1')).toMatchObject({ summary: 'Theirs', userStories: [] })
})

test('children, KPIs and files of another workspace cannot be named', async () => {
  const here = await createLinkedItems()
  const stranger = await createLinkedItems()
  const before = await Promise.all([stranger.detail('epics/EP-1'), stranger.detail('features/FE-1')])
  const events = () => queryNumber('SELECT count(*) AS n FROM log WHERE subscription_id = ?', stranger.subscriptionId)
  const eventCountBefore = await events()
  const put = await here.client('PUT', `${here.at}/epics/EP-1`, {
    json: { userStories: ['US-1'], features: ['FE-1'], kpis: [], files: [] },
  })
  expect(put.status).toBe(200)
  const stolen = await here.client('PUT', `${here.at}/epics/EP-1`, {
    json: { files: [{ file: { id: stranger.file } }] },
  })
  expect([stolen.status, stolen.body.error?.code]).toEqual([400, 'unknown_reference'])
  expect(await Promise.all([stranger.detail('epics/EP-1'), stranger.detail('features/FE-1')])).toEqual(before)
  expect(await events()).toBe(eventCountBefore)
})

test('the tags of an item are the slugs that find it', async () => {
  const here = await createWorkItemScenario()
  const slugs = async (id: number) => {
    const { results } = await env.DB.prepare(
      'SELECT slug FROM work_item_tags WHERE subscription_id = ? AND product_id = ? AND work_item_id = ? ORDER BY slug',
    )
      .bind(here.subscriptionId, here.product.id, id)
      .all<{ slug: string }>()
    return results.map(({ slug }) => slug)
  }
  const tags = JSON.stringify(['Größe', 'groesse!', 'GROSSE', 7, '', 'b c'])
  const { epicId } = await here.create('epics', { summary: 'E', tags })
  expect(await slugs(epicId)).toEqual(['7', 'b-c', 'groesse', 'grosse'])
  const { cardId } = await here.create('storyMap/card', { summary: 'S', tags: '["b c"]' })
  const { featureId } = await here.create('features', { summary: 'F' })
  expect([await slugs(cardId), await slugs(featureId)]).toEqual([['b-c'], []])

  const put = (path: string, json: object) => here.client('PUT', `${here.at}/${path}`, { json })
  await put('epics/EP-1', { tags: '["b c", "new"]' })
  expect(await slugs(epicId)).toEqual(['b-c', 'new'])
  await put('epics/EP-1', { summary: 'Tags stay' })
  expect(await slugs(epicId)).toEqual(['b-c', 'new'])
  await put('epics/EP-1', { tags: '[]' })
  expect([await slugs(epicId), await slugs(cardId)]).toEqual([[], ['b-c']])
  await put('features/FE-1', { tags: JSON.stringify(Array.from({ length: 300 }, (_, n) => n)) })
  expect((await slugs(featureId)).length).toBe(200)
})

test.each([
  ['https://example.com/a', 200],
  ['http://example.com', 200],
  ['mailto:ada@example.com', 200],
  ['javascript:alert(1)', 400],
  [' JavaScript:alert(1)', 400],
  ['java\nscript:alert(1)', 400],
  ['\u0001javascript:alert(1)', 400],
  ['data:text/html,<script>alert(1)</script>', 400],
  ['vbscript:x', 400],
  ['file:///etc/passwd', 400],
  ['example.com', 400],
  ['//example.com', 400],
])('the URL %j of a work item is answered with %i', async (url, status) => {
  const { client, at } = await createWorkItemScenario()
  const made = await client('POST', `${at}/epics`, { json: { summary: 'An epic', urls: [{ url }] } })
  expect(made.status).toBe(status)
  if (status === 400) expect(made.body.error?.issues.map(({ path }) => path)).toEqual(['/urls/0/url'])
})

test('a key without files:read sees only the ids of files and may send them back', async () => {
  const here = await createLinkedItems()
  const apiKey = await here.key({ scopes: ['backlog:read', 'backlog:write'] })
  for (const path of ['epics/EP-1', 'features/FE-1', 'storyMap/card/US-1']) {
    type Detail = { files: { file: { id: number; name: string } }[] }
    const read = async (options = {}) => (await here.client<Detail>('GET', `${here.at}/${path}`, options)).body.data
    const all = await read()
    expect(all.files[0]?.file.name).not.toBe('')
    const shown = await read({ apiKey })
    const hidden = all.files.map(({ file }) => ({ file: { ...file, name: '', path: '', description: null } }))
    expect(shown).toEqual({ ...all, files: hidden })
    const json = { files: shown.files }
    const sent = await here.client('PUT', `${here.at}/${path}`, { json, apiKey })
    expect([path, sent.status, sent.cost.rowsWritten]).toEqual([path, 200, 0])
    expect(await read()).toEqual(all)
  }
})
