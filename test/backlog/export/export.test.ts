import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { copyNewestRow } from '../../contract/copy-rows'
import { createWorkItemScenario } from '../work-items/scenario'

interface ExportedItem {
  externalKey: string
  epicKey: string
  featureKey: string
  summary: string
  attributes: object
}

const NO_LINKS = { team: '', assignees: [], blocks: [], relates: [], duplicates: [] }

async function createExportScenario() {
  const here = await createWorkItemScenario()
  const apiKey = await here.key()
  const file = async (format: string) => {
    const { response } = await send('GET', `${here.at}/backlog/export?format=${format}`, { apiKey })
    expect([format, response.status]).toEqual([format, 200])
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="backlog.${format}"`)
    return { type: response.headers.get('content-type'), text: await response.text() }
  }
  return { ...here, file }
}

test('the whole backlog is exported in each format, parents before children and in order', async () => {
  const here = await createExportScenario()
  const story = await here.create('storyMap/card', { summary: '=1+1', tags: '["a"]', attributes: { Size: 'L' } })
  const epic = await here.create('epics', {
    summary: 'E, "quoted"\n',
    description: '<p>Line</p>',
    userId: [here.userId],
  })
  const feature = await here.create('features', { summary: 'F', epicId: epic.epicId })
  await here.create('features', { summary: 'G' })
  await here.client('POST', `${here.at}/backlog/FE-2/move`, { json: { beforeKey: 'FE-1' } })
  await here.client('PUT', `${here.at}/storyMap/card/${story.externalKey}`, { json: { featureId: feature.featureId } })
  await here.create('epics', { summary: 'Gone' })
  await here.client('DELETE', `${here.at}/epics/EP-2`)

  const json = await here.file('json')
  expect(json.type).toBe('application/json')
  const items: ExportedItem[] = JSON.parse(json.text)
  expect(items.map(({ externalKey, epicKey, featureKey }) => [externalKey, epicKey, featureKey])).toEqual([
    ['EP-1', '', ''],
    ['FE-2', '', ''],
    ['FE-1', 'EP-1', ''],
    ['US-1', 'EP-1', 'FE-1'],
  ])
  const listed = await here.client<object[]>('GET', `${here.at}/storyMap/card`)
  expect(items[3]).toEqual({
    ...listed.body.data[0],
    epicKey: 'EP-1',
    featureKey: 'FE-1',
    externalIds: [],
    ...NO_LINKS,
  })
  const lines = (await here.file('ndjson')).text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(items)
  const csv = await here.file('csv')
  expect(csv.type).toBe('text/csv; charset=utf-8')
  const rows = Papa.parse<Record<string, string>>(csv.text.trimEnd(), { header: true }).data
  expect(rows.map(({ externalKey }) => externalKey)).toEqual(items.map(({ externalKey }) => externalKey))
  expect(rows[3]).toMatchObject({ summary: "'=1+1", attributes: '{"Size":"L"}', tags: '["a"]', featureKey: 'FE-1' })
  expect(rows[0]).toMatchObject({
    summary: 'E, "quoted"',
    description: '<p>Line</p>',
    userId: `[${here.userId}]`,
    assignees: '["owner@example.com"]',
  })
  expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(Object.keys(items[0] ?? {}).toSorted())
})

test('an empty backlog is an empty file, and an unknown format is refused', async () => {
  const here = await createExportScenario()
  expect(JSON.parse((await here.file('json')).text)).toEqual([])
  expect((await here.file('ndjson')).text).toBe('')
  expect((await here.file('csv')).text).toMatch(/^externalKey,type,epicKey,[^\n]+\r\n$/)
  expect((await here.client('GET', `${here.at}/backlog/export?format=xls`)).status).toBe(400)
  const stranger = await createWorkItemScenario()
  expect((await stranger.client('GET', `${here.at}/backlog/export`)).status).toBe(404)
})

test('a large backlog is streamed page by page', async () => {
  const here = await createExportScenario()
  await here.create('epics', { summary: 'E' })
  await copyNewestRow('work_items', here.subscriptionId, 3_500)
  const apiKey = await here.key()
  const { response, cost } = await send('GET', `${here.at}/backlog/export?format=ndjson`, { apiKey })
  expect(cost.roundTrips).toBe(1)
  let [pieces, text] = [0, '']
  for await (const piece of response.body ?? []) {
    pieces++
    text += new TextDecoder().decode(piece)
  }
  expect([pieces, text.trimEnd().split('\n').length]).toEqual([4, 3_501])
})

test('comments are exported on request, and private comments for keys that may read them', async () => {
  const here = await createExportScenario()
  await here.create('epics', { summary: 'E' })
  const at = `${here.at}/backlog/EP-1/comments`
  await here.client('POST', at, { json: { text: '<p>Seen by all</p>' } })
  await here.client('POST', at, { json: { text: '<p>Seen by few</p>', isPrivate: true } })
  const other = await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'reader@example.com' } })
  const read = async (apiKey: string, query: string) => {
    const { response } = await send('GET', `${here.at}/backlog/export?format=json${query}`, { apiKey })
    return ((await response.json()) as { comments?: { text: string; isPrivate: boolean }[] }[])[0]?.comments
  }
  expect(await read(await here.key(), '')).toBeUndefined()
  expect((await read(await here.key(), '&include=comments'))?.map(({ isPrivate }) => isPrivate)).toEqual([false, true])
  const limited = await here.key({ userId: other.body.data.id, scopes: ['backlog:read'] })
  expect((await read(limited, '&include=comments'))?.map(({ text }) => text)).toEqual(['<p>Seen by all</p>'])
  expect((await here.client('GET', `${here.at}/backlog/export?include=votes`)).status).toBe(400)
})

test('links stand with the item that they come from, and items that the key cannot see are left out', async () => {
  const here = await createExportScenario()
  for (const summary of ['A', 'B', 'C']) await here.create('epics', { summary })
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const far = await here.client<{ externalKey: string }>(
    'POST',
    `/api/initiatives/${other.body.data.externalKey}/epics`,
    { json: { summary: 'Far' } },
  )
  const link = (from: string, type: string, to: string) =>
    here.client('POST', `${here.at}/backlog/${from}/links`, { json: { type, to } })
  await link('EP-1', 'blocks', 'EP-2')
  await link('EP-1', 'blocks', 'EP-3')
  await link('EP-2', 'relates', 'EP-1')
  await link('EP-2', 'duplicates', far.body.data.externalKey)
  await here.client('DELETE', `${here.at}/epics/EP-3`)
  const read = async (apiKey: string) => {
    const { response } = await send('GET', `${here.at}/backlog/export?format=json`, { apiKey })
    const items = (await response.json()) as { blocks: string[]; relates: string[]; duplicates: string[] }[]
    return items.map(({ blocks, relates, duplicates }) => [blocks, relates, duplicates])
  }
  expect(await read(await here.key())).toEqual([
    [['EP-2'], [], []],
    [[], ['EP-1'], [far.body.data.externalKey]],
  ])
  const limited = await here.key({ products: [here.product.id] })
  expect(await read(limited)).toEqual([
    [['EP-2'], [], []],
    [[], ['EP-1'], []],
  ])
})
