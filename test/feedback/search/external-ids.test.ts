import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'
import { importFile } from '../../workspace/imports/scenario'

const LINEAR = 'ID,Team,Title,Status,Parent issue\nENG-1,ENG,Checkout,Todo,\nENG-12,ENG,Pay,Todo,ENG-1\n'
const ISSUE = 'https://github.com/o/r/issues/7'

async function createImportedRecords() {
  const here = await createWorkspace()
  await importFile(here, 'backlog', new File([LINEAR], 'linear.csv'))
  const issue = { number: 7, title: 'Slow', html_url: ISSUE, state: 'open' }
  await importFile(here, 'feedback', new File([JSON.stringify([issue])], 'issues.json'))
  const P = `/api/initiatives/${here.product.externalKey}`
  const find = async (path: string, q: string) => {
    const { body } = await here.client<{ externalKey?: string; external_key?: string; summary?: string }[]>(
      ...(['GET', `${path}?${new URLSearchParams({ q })}`] as const),
    )
    return body.data.map(({ externalKey, external_key }) => externalKey ?? external_key)
  }
  return { ...here, P, find }
}

test('lists and the search find an item by its whole id in another system', async () => {
  const { P, find } = await createImportedRecords()
  for (const path of [`${P}/storyMap/card`, '/api/v2/search']) {
    expect(await find(path, 'ENG-12')).toEqual(['US-1'])
    expect(await find(path, ' ENG-12 ')).toEqual(['US-1'])
    expect(await find(path, 'ENG-99')).toEqual([])
  }
  expect(await find(`${P}/features`, 'ENG-1')).toEqual(['FE-1'])
  for (const path of ['/api/feedback-items', '/api/v2/search']) {
    expect(await find(path, ISSUE)).toEqual(['IDEA-1'])
    expect(await find(path, 'https://github.com/o/r/issues/70')).toEqual([])
  }
})

test('the tree of the backlog shows an item that is found by its id in another system, once', async () => {
  const { client, P } = await createImportedRecords()
  await client('PUT', `${P}/userstory/US-1`, { json: { description: 'Was ENG-12' } })
  const { body } = await client<{ items: { children: object[] }[]; orphans: object[] }>('GET', `${P}/backlog?q=ENG-12`)
  expect(JSON.stringify(body.data).match(/"US-1"/g)).toHaveLength(1)
})

test('a search does not find ids of another product or workspace', async () => {
  const { client, P, product } = await createImportedRecords()
  const other = await client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const path = P.replace(product.externalKey, other.body.data.externalKey)
  expect((await client('GET', `${path}/storyMap/card?q=ENG-12`)).body.data).toEqual([])
  const stranger = await createWorkspace()
  expect((await stranger.client('GET', '/api/v2/search?q=ENG-12')).body.data).toEqual([])
  expect((await stranger.client('GET', '/api/v2/search?q=https://github.com/o/r/issues/7')).body.data).toEqual([])
})
