import { expect, test } from 'vitest'
import type { Workspace } from '../../factories'
import { createWorkItemScenario, type Event, type SaveResult } from './scenario'

async function insertPersona({ row, subscriptionId }: Workspace): Promise<number> {
  const fields = { subscription_id: subscriptionId, external_key: 'PE-1', name: 'P', created_at: 0, updated_at: 0 }
  return row('personas', fields)
}

test('an epic is saved with every documented field in one round trip', async () => {
  const here = await createWorkItemScenario()
  const personaId = await insertPersona(here)
  const teamId = await here.row('teams', {
    subscription_id: here.subscriptionId,
    name: 'T',
    created_at: 0,
    updated_at: 0,
  })
  const feature = await here.create('features', { summary: 'F' })
  const story = await here.create('storyMap/card', { summary: 'S', featureId: feature.featureId })
  const loose = await here.create('storyMap/card', { summary: 'L' })
  const answer = await here.client<SaveResult>('POST', `${here.at}/epics`, {
    json: {
      summary: 'Checkout',
      color: '#ff0000',
      progress: 'in-progress',
      description: '<p onclick="x()">Pay<script>alert(1)</script></p>',
      businessGoal: 'Sell',
      persona: [{ personaValue: 'Buyer', personaId }],
      teamId,
      userId: [here.userId],
      startDate: '2026-01-01T00:00:00.000Z',
      endDate: '2026-02-01',
      tags: '["a", "b"]',
      urls: [{ url: 'https://example.com' }],
      jiraId: '1',
      jiraKey: 'J-1',
      externalProgress: 'Doing',
      userStories: [loose.externalKey],
      features: [feature.externalKey],
      estimate: '5',
      businessValue: '8.5',
      score: 12.345,
    },
  })
  expect(answer.status).toBe(200)
  expect(answer.cost.roundTrips).toBe(1)
  expect(answer.body.message).toBe('Epic saved')
  const { epicId } = answer.body.data
  expect(answer.body.data).toEqual({
    summary: 'Checkout',
    epicId: expect.any(Number),
    featureId: 0,
    type: 'epic',
    cardId: 0,
    externalKey: 'EP-1',
  })
  const epic = await here.detail('epics/EP-1')
  expect(epic).toMatchObject({
    id: epicId,
    description: '<p>Pay</p>',
    tags: '["a", "b"]',
    score: 12.35,
    startDate: '2026-01-01T00:00:00.000Z',
    endDate: '2026-02-01T00:00:00.000Z',
    persona: [{ personaValue: 'Buyer', personaId }],
    teamId,
    userId: [here.userId],
    features: ['FE-1'],
    userStories: [story.externalKey, loose.externalKey],
  })
  expect((await here.detail(`features/${feature.externalKey}`)).epicId).toBe(epicId)
  const followed = await here.detail(`storyMap/card/${story.externalKey}`)
  expect([followed.epicId, followed.featureId]).toEqual([epicId, feature.featureId])
})

test('the numbers of keys have no gaps and no duplicates, even with parallel and refused writes', async () => {
  const here = await createWorkItemScenario()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      here.client<SaveResult>('POST', `${here.at}/epics`, {
        json: { summary: `E${n}`, ...(n % 3 === 0 && { teamId: 999_999 }) },
      }),
    ),
  )
  const keys = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.externalKey)
  expect(keys.sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)))).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `EP-${n}`),
  )
})

test('an update changes the sent members, clears null members and emits the previous values', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'Before', color: 'red', startDate: '2026-01-01', score: 1.5, tags: '["x"]' })
  const answer = await here.client<SaveResult>('PUT', `${here.at}/epics/EP-1`, {
    json: { summary: 'After', color: null, startDate: null, progress: 'waiting for review', score: 2 },
  })
  expect([answer.status, answer.cost.roundTrips, answer.body.message]).toEqual([200, 1, 'Epic saved'])
  expect(await here.detail('epics/EP-1')).toMatchObject({
    summary: 'After',
    color: '',
    startDate: null,
    progress: 'waiting for review',
    tags: '["x"]',
    score: 2,
  })
  const events = await here.client<Event[]>('GET', '/api/v2/events?key=EP-1')
  expect(events.body.data.map(({ type }) => type)).toEqual(['epic.created', 'epic.updated'])
  expect(events.body.data[1]).toMatchObject({
    resourceKey: 'EP-1',
    data: { summary: 'After', color: '', startDate: null, progress: 'waiting for review', score: 2, tags: '["x"]' },
    previous: { summary: 'Before', color: 'red', startDate: '2026-01-01T00:00:00.000Z', progress: 'to-do', score: 1.5 },
  })
})

test('an update with every field stays within the limits of the database', async () => {
  const here = await createWorkItemScenario()
  await here.create('storyMap/card', { summary: 'S' })
  const answer = await here.client('PUT', `${here.at}/storyMap/card/US-1`, {
    json: {
      summary: 'T',
      color: 'c',
      progress: 'p',
      backlog: false,
      description: 'd',
      businessGoal: 'g',
      persona: [],
      teamId: null,
      userId: [],
      startDate: '2026-01-01',
      endDate: '2026-01-02',
      tags: '[]',
      urls: [],
      jiraId: '1',
      jiraKey: 'J',
      externalProgress: 'x',
      epicId: 0,
      featureId: 0,
      storyPoint: '1',
      remainingTime: '2',
      kpis: [],
      files: [],
      type: 'userstory',
      progressPercentage: 50,
      firstChild: 'features',
    },
  })
  expect([answer.status, answer.body]).toEqual([200, { success: true, message: 'User story saved', data: {} }])
  expect(await here.detail('storyMap/card/US-1')).toMatchObject({
    progressPercentage: 50,
    firstChild: 'features',
    backlog: false,
  })
})

test('the epicId in the query must equal the id of the epic in the path', async () => {
  const here = await createWorkItemScenario()
  const { epicId } = await here.create('epics', { summary: 'E' })
  const right = await here.client('PUT', `${here.at}/epics/EP-1?epicId=${epicId}`, { json: { summary: 'Right' } })
  expect(right.status).toBe(200)
  const wrong = await here.client('PUT', `${here.at}/epics/EP-1?epicId=${epicId + 1}`, { json: { summary: 'Wrong' } })
  expect([wrong.status, wrong.body.error?.issues[0]?.path]).toEqual([400, '/query/epicId'])
  expect((await here.detail('epics/EP-1')).summary).toBe('Right')
})

test('an update replaces KPIs and files, and a linked KPI leaves the list of unlinked KPIs', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'E' })
  for (const n of [1, 2, 3]) await here.kpi(n)
  const [one, two] = [await here.asset(), await here.asset()]
  const put = (json: object) => here.client('PUT', `${here.at}/epics/EP-1`, { json })
  await put({ kpis: ['KPI-1', 'KPI-2'], files: [{ file: { id: one, path: 'ignored', size: '1' } }] })
  const answer = await put({ kpis: ['KPI-2', 'KPI-3'], files: [{ file: { id: two } }] })
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  const epic = await here.detail('epics/EP-1')
  expect(epic.kpis).toEqual(['KPI-2', 'KPI-3'])
  expect(epic.files.map(({ file }) => [file.id, file.artifactId, file.usedAt])).toEqual([[two, epic.id, 'epic']])
  await put({ summary: 'Untouched links' })
  expect((await here.detail('epics/EP-1')).kpis).toEqual(['KPI-2', 'KPI-3'])
})

test('a story follows the epic of its feature, and 0 detaches it', async () => {
  const here = await createWorkItemScenario()
  const first = await here.create('epics', { summary: 'One' })
  const second = await here.create('epics', { summary: 'Two' })
  const feature = await here.create('features', { summary: 'F', epicId: first.epicId })
  await here.create('storyMap/card', { summary: 'S' })
  const put = async (json: object) => {
    const answer = await here.client('PUT', `${here.at}/storyMap/card/US-1`, { json })
    expect(answer.status).toBe(200)
    const story = await here.detail('storyMap/card/US-1')
    return [story.epicId, story.featureId]
  }
  expect(await put({ featureId: feature.featureId })).toEqual([first.epicId, feature.featureId])
  expect(await put({ epicId: first.epicId })).toEqual([first.epicId, feature.featureId])
  expect(await put({ epicId: second.epicId })).toEqual([second.epicId, 0])
  expect(await put({ epicId: second.epicId, featureId: feature.featureId })).toEqual([first.epicId, feature.featureId])
  expect(await put({ featureId: 0 })).toEqual([first.epicId, 0])
  expect(await put({ epicId: 0 })).toEqual([0, 0])
})

test('all unknown references are listed, and nothing is stored', async () => {
  const here = await createWorkItemScenario()
  const stranger = await createWorkItemScenario()
  await stranger.kpi(7)
  const foreignPersona = await insertPersona(stranger)
  const foreignEpic = await stranger.create('epics', { summary: 'Theirs' })
  const foreignStory = await stranger.create('storyMap/card', { summary: 'Theirs' })
  await here.create('storyMap/card', { summary: 'Mine' })
  const answer = await here.client('PUT', `${here.at}/storyMap/card/US-1`, {
    json: {
      summary: 'Changed',
      persona: [{ personaValue: 'x', personaId: foreignPersona }],
      teamId: 5,
      userId: [here.userId, stranger.userId],
      epicId: foreignEpic.epicId,
      featureId: foreignStory.cardId,
      kpis: ['KPI-7'],
      files: [{ file: { id: 1 } }],
    },
  })
  expect([answer.status, answer.body.error?.code, answer.cost.roundTrips]).toEqual([400, 'unknown_reference', 1])
  expect(answer.body.error?.issues.map(({ path }) => path)).toEqual([
    '/persona/0/personaId',
    '/teamId',
    '/userId/1',
    '/epicId',
    '/featureId',
    '/kpis/0',
    '/files/0/file/id',
  ])
  expect((await here.detail('storyMap/card/US-1')).summary).toBe('Mine')
})

test.each([
  ['a missing summary', { color: 'x' }, '/summary'],
  ['an empty summary', { summary: '  ' }, '/summary'],
  ['a summary of 501 characters', { summary: 'x'.repeat(501) }, '/summary'],
  ['tags without a serialized array', { summary: 'x', tags: 'a,b' }, '/tags'],
  ['tags that are a serialized object', { summary: 'x', tags: '{"a":1}' }, '/tags'],
  ['tags with a NUL character', { summary: 'x', tags: '["\\u0000"]' }, '/tags'],
  ['an estimate that is not a number', { summary: 'x', estimate: 'five' }, '/estimate'],
  ['an estimate below 0', { summary: 'x', estimate: '-1' }, '/estimate'],
  ['an unknown progress', { summary: 'x', progress: 'later' }, '/progress'],
  ['an end before the start', { summary: 'x', startDate: '2026-02-01', endDate: '2026-01-01' }, '/endDate'],
  ['an invalid date', { summary: 'x', startDate: 'tomorrow' }, '/startDate'],
  ['a date that does not exist', { summary: 'x', startDate: '2026-02-30' }, '/startDate'],
  ['a moment before the year 0 in UTC', { summary: 'x', startDate: '0000-01-01T00:00:00+23:59' }, '/startDate'],
  ['a moment after the year 9999 in UTC', { summary: 'x', endDate: '9999-12-31T23:59:59-23:59' }, '/endDate'],
  ['a persona without its value', { summary: 'x', persona: [{ personaId: 1 }] }, '/persona/0/personaValue'],
  ['a text as score', { summary: 'x', score: '5' }, '/score'],
  ['a feature key among the stories', { summary: 'x', userStories: ['FE-1'] }, '/userStories/0'],
  ['HTML with too many levels', { summary: 'x', description: '<b>'.repeat(60_000) }, '/description'],
])('a body with %s is refused with the path of the field', async (_, json, path) => {
  const here = await createWorkItemScenario()
  const answer = await here.client('POST', `${here.at}/epics`, { json })
  expect([answer.status, answer.body.error?.issues.map((issue) => issue.path)]).toEqual([400, [path]])
  expect((await here.client<unknown[]>('GET', `${here.at}/epics`)).body.data).toEqual([])
})

test('the stored date counts when an update changes only the other date', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'E', startDate: '2026-02-01', endDate: '2026-03-01' })
  const put = (json: object) => here.client('PUT', `${here.at}/epics/EP-1`, { json })
  expect((await put({ endDate: '2026-01-01' })).body.error?.issues[0]?.path).toBe('/endDate')
  expect((await put({ startDate: '2026-04-01' })).body.error?.issues[0]?.path).toBe('/startDate')
  expect((await put({ startDate: '2026-04-01', endDate: null })).status).toBe(200)
})

test('If-Match refuses an update of an earlier version', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'E' })
  const read = await here.client('GET', `${here.at}/epics/EP-1`)
  const etag = read.headers.get('etag') ?? ''
  const same = await here.client('GET', `${here.at}/epics/EP-1`, { headers: { 'if-none-match': etag } })
  expect([same.status, same.body]).toEqual([304, undefined])
  const put = (summary: string, header: string) =>
    here.client('PUT', `${here.at}/epics/EP-1`, { json: { summary }, headers: { 'if-match': header } })
  const first = await put('Mine', etag)
  expect([first.status, first.headers.get('etag')]).toEqual([200, '"v2"'])
  for (const stale of [etag, '"nonsense"', 'v1']) {
    const second = await put('Yours', stale)
    expect([second.status, second.body.error?.code]).toEqual([412, 'precondition_failed'])
  }
  expect((await put('Anyone', '*')).status).toBe(200)
})

test('If-Match accepts the weak ETag that a compressing proxy makes', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'E' })
  const path = `${here.at}/epics/EP-1`
  const put = async (header: string, summary: string) => {
    const answer = await here.client('PUT', path, { json: { summary }, headers: { 'if-match': header } })
    return [answer.status, answer.body.error?.code]
  }
  const read = (await here.client('GET', path)).headers.get('etag') ?? ''
  expect(await put(`W/${read}`, 'Mine')).toEqual([200, undefined])
  expect(await put(`"other", W/"v2"`, 'Mine too')).toEqual([200, undefined])
  for (const stale of [`W/${read}`, 'W/"v2"', 'w/"v3"', 'W/ "v3"', '"W/v3"', '"v03"', 'W/"v03"', 'W/v3']) {
    expect([stale, ...(await put(stale, 'Yours'))]).toEqual([stale, 412, 'precondition_failed'])
  }
  const etag = (await here.client('GET', path)).headers.get('etag')
  const again = await here.client('GET', path, { headers: { 'if-none-match': `"x", W/${etag}` } })
  expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
})

test('a feature has every field of its metaData in the documented type', async () => {
  const here = await createWorkItemScenario()
  const epic = await here.create('epics', { summary: 'E' })
  const answer = await here.client<{ metaData: Record<string, unknown> }>('POST', `${here.at}/features`, {
    json: { summary: 'F', epicId: epic.epicId, estimate: '3', score: 7.1, userId: [here.userId], tags: '["t"]' },
  })
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  const { metaData, ...result } = answer.body.data
  expect(result).toMatchObject({
    summary: 'F',
    epicId: epic.epicId,
    type: 'impact_map',
    cardId: 0,
    externalKey: 'FE-1',
  })
  expect(metaData).toMatchObject({
    userId: `[${here.userId}]`,
    initiativeId: String(here.product.id),
    score: '7.10',
    epicId: epic.epicId,
    tags: '["t"]',
    successCriteria: null,
    roadmapId: 0,
    jiraParentId: '',
    status: 'active',
  })
  expect(Object.keys(metaData)).toHaveLength(38)
  const parentless = await here.client<SaveResult>('POST', `${here.at}/features`, { json: { summary: 'G' } })
  expect(parentless.body.data.epicId).toBe(0)
})

test('a list shows only items of its product and type, page by page', async () => {
  const here = await createWorkItemScenario()
  for (let n = 0; n < 3; n++) await here.create('epics', { summary: `E${n}` })
  await here.create('features', { summary: 'F' })
  const page = await here.client<{ summary: string }[]>('GET', `${here.at}/epics?limit=2`)
  expect([page.cost.roundTrips, page.body.data.map(({ summary }) => summary)]).toEqual([1, ['E2', 'E1']])
  const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  const last = await here.client<{ summary: string }[]>('GET', next)
  expect([last.body.data.map(({ summary }) => summary), last.headers.get('link')]).toEqual([['E0'], null])
})

test('a change of parents and links emits the previous values, and adopted children emit events too', async () => {
  const here = await createWorkItemScenario()
  const first = await here.create('epics', { summary: 'One' })
  const feature = await here.create('features', { summary: 'F' })
  await here.create('storyMap/card', { summary: 'S', featureId: feature.featureId })
  await here.kpi(1)
  await here.client('PUT', `${here.at}/epics/EP-1`, { json: { features: ['FE-1'], kpis: ['KPI-1'] } })
  await here.client('PUT', `${here.at}/epics/EP-1`, { json: { kpis: [] } })
  await here.client('PUT', `${here.at}/storyMap/card/US-1`, { json: { epicId: 0 } })
  const events = async (key: string) =>
    (await here.client<Event[]>('GET', `/api/v2/events?key=${key}`)).body.data
      .slice(1)
      .map(({ type, data, previous }) => [type, data, previous])
  expect(await events('FE-1')).toMatchObject([['feature.updated', { epicId: first.epicId }, { epicId: 0 }]])
  expect(await events('EP-1')).toMatchObject([
    ['epic.updated', { features: ['FE-1'], userStories: ['US-1'], kpis: ['KPI-1'] }, { features: [], kpis: [] }],
    ['epic.updated', { features: ['FE-1'], userStories: ['US-1'], kpis: [] }, { kpis: ['KPI-1'] }],
  ])
  expect(await events('US-1')).toMatchObject([
    ['userstory.updated', { epicId: first.epicId, featureId: feature.featureId }, { epicId: 0 }],
    ['userstory.updated', { epicId: 0, featureId: 0 }, { epicId: first.epicId, featureId: feature.featureId }],
  ])
  const ids = (await here.client<{ id: number }[]>('GET', '/api/v2/events')).body.data.map(({ id }) => id)
  expect(ids).toEqual(ids.map((_, n) => n + 1))
})

test('a new child changes the ETag of its parent', async () => {
  const here = await createWorkItemScenario()
  const { epicId } = await here.create('epics', { summary: 'E' })
  const etag = async () => (await here.client('GET', `${here.at}/epics/EP-1`)).headers.get('etag') ?? ''
  const before = await etag()
  await here.create('storyMap/card', { summary: 'S', epicId })
  const stale = await here.client('GET', `${here.at}/epics/EP-1`, { headers: { 'if-none-match': before } })
  expect([stale.status, (await etag()) === before]).toEqual([200, false])
  const put = await here.client('PUT', `${here.at}/epics/EP-1`, {
    json: { summary: 'Mine' },
    headers: { 'if-match': `"v7", ${before}` },
  })
  expect(put.status).toBe(200)
})

test('a detached file no longer names its owner', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'E' })
  await here.create('storyMap/card', { summary: 'S' })
  const id = await here.asset()
  const put = (path: string, files: object[]) => here.client('PUT', `${here.at}/${path}`, { json: { files } })
  const asset = async () =>
    (await here.client<{ artifactId: number; usedAt: string }>('GET', `${here.at}/assets/${id}`)).body.data
  await put('storyMap/card/US-1', [{ file: { id } }])
  await put('epics/EP-1', [{ file: { id } }])
  expect((await asset()).usedAt).toBe('epic')
  await put('epics/EP-1', [])
  expect((await asset()).usedAt).toBe('userstory')
  await put('storyMap/card/US-1', [])
  expect(await asset()).toMatchObject({ artifactId: 0, usedAt: '' })
  const story = (await here.detail('storyMap/card/US-1')).id
  const epic = (await here.detail('epics/EP-1')).id
  const events = (await here.client<Event[]>('GET', '/api/v2/events?type=asset.updated')).body.data
  expect(events.map(({ data, previous }) => [previous?.artifactId, data.artifactId])).toEqual([
    [0, story],
    [story, epic],
    [epic, story],
    [story, 0],
  ])
})

test('the first day of 1970 is a valid date', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'E', startDate: '2026-01-01' })
  const answer = await here.client('PUT', `${here.at}/epics/EP-1`, { json: { endDate: '1970-01-01' } })
  expect([answer.status, answer.body.error?.issues[0]?.path]).toEqual([400, '/endDate'])
})

test('a record above the maximum row size is refused', async () => {
  const here = await createWorkItemScenario()
  const urls = Array.from({ length: 200 }, (_, n) => ({ url: `https://example.com/${n}/${'ü'.repeat(2_000)}` }))
  const json = { summary: 'Big', urls, description: 'ü'.repeat(262_000), businessGoal: '€'.repeat(10_000) }
  const small = await here.client('POST', `${here.at}/epics`, { json })
  expect(small.status).toBe(200)
  const wider = {
    ...json,
    urls: urls.map(({ url }) => ({ url: url.replaceAll('ü', '€') })),
    persona: Array.from({ length: 200 }, () => ({ personaValue: '€'.repeat(500), personaId: 1 })),
    description: '€'.repeat(170_000),
  }
  const answer = await here.client('POST', `${here.at}/epics`, { json: wider })
  expect([answer.status, answer.body.error?.code]).toEqual([413, 'payload_too_large'])
  const [event] = (await here.client<Event[]>('GET', '/api/v2/events')).body.data
  expect(JSON.stringify(event).length).toBeLessThan(600_000)
})
