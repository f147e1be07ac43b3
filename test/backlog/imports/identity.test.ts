import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario } from './scenario'

type Scenario = Awaited<ReturnType<typeof createImportScenario>>

const listExternalIds = async ({ key, path }: Scenario) => {
  const { response } = await send('GET', `${path}/export?format=json`, { apiKey: await key() })
  const items: { externalIds: { source: string; externalId: string }[] }[] = await response.json()
  return items.map(({ externalIds }) => externalIds.map(({ source, externalId }) => `${source} ${externalId}`).join())
}

const totalsOf = async (here: Scenario, file: string, query = '') => {
  const { created, updated, skipped, rejected } = (await here.run(file, { query })).body.data.totals
  return { created, updated, skipped, rejected }
}

const LINEAR =
  'ID,Team,Title,Description,Status,Parent issue\nENG-1,Eng,Parent,,Todo,\nENG-2,Eng,Child,Text,Done,ENG-1\n'
const ASANA = 'Task ID,Name,Section/Column,Parent task\n11,Parent,Doing,\n12,Child,Done,Parent\n'
const CARDS = 'Name,Description,Labels,List\nPay,,ui,Doing\nPay,,ui,Doing\nPay,,ui,Done\n'
const AZURE =
  'Work Item Type,Title 1,Title 2,State\nEpic,Shop,,Active\nFeature,,Pay,New\nFeature,,Pay,New\nEpic,Blog,,New\nFeature,,Pay,New\n'

test.each([
  ['linear', LINEAR, ['linear ENG-1', 'linear ENG-2']],
  ['asana', ASANA, ['asana 11', 'asana 12']],
  ['trello', CARDS, [1, 2, 3].map(() => expect.stringMatching(/^trello row-[0-9a-f]{16}/))],
  ['azure-devops', AZURE, [1, 2, 3, 4, 5].map(() => expect.stringMatching(/^azure-devops row-[0-9a-f]{16}/))],
])('a second import of a file of %s writes nothing', async (_, file, ids) => {
  const here = await createImportScenario()
  const rows = ids.length
  expect(await totalsOf(here, file)).toEqual({ created: rows, updated: 0, skipped: 0, rejected: 0 })
  const tree = await here.tree()
  expect(await listExternalIds(here)).toEqual(expect.arrayContaining(ids))
  const again = { created: 0, updated: 0, skipped: rows, rejected: 0 }
  expect(await totalsOf(here, file, '?dryRun=true')).toEqual(again)
  expect(await totalsOf(here, file)).toEqual(again)
  expect(await totalsOf(here, file, '?onConflict=update')).toEqual(again)
  expect(await here.tree()).toEqual(tree)
})

test('a row with a known id changes its item, and a new row finds a parent that is skipped', async () => {
  const here = await createImportScenario()
  await here.run(LINEAR)
  const later = `${LINEAR.replace('Child,Text,Done', 'Renamed,Text,Done')}ENG-3,Eng,Second child,,Todo,ENG-1\n`
  expect(await totalsOf(here, later)).toEqual({ created: 1, updated: 0, skipped: 2, rejected: 0 })
  expect(await here.tree()).toEqual([['Parent', 'Child', 'Second child']])
  expect(await totalsOf(here, later, '?onConflict=update')).toEqual({ created: 0, updated: 1, skipped: 2, rejected: 0 })
  expect(await here.tree()).toEqual([['Parent', 'Renamed', 'Second child']])
})

test('equal rows of a file are different items, and the number of equal rows may grow', async () => {
  const here = await createImportScenario()
  const ids = async () => (await listExternalIds(here)).map((id) => id.replace(/^.*row-[0-9a-f]{16}/, ''))
  await here.run(CARDS)
  expect((await ids()).sort()).toEqual(['', '', '#2'])
  expect(await totalsOf(here, `${CARDS}Pay,,ui,Doing\n`)).toEqual({ created: 1, updated: 0, skipped: 3, rejected: 0 })
})

test('after an undo, the same file is imported anew', async () => {
  const here = await createImportScenario()
  const { id } = (await here.run(LINEAR)).body.data
  await here.client('POST', `/api/v2/imports/${id}/undo`)
  expect(await here.tree()).toEqual([])
  expect(await totalsOf(here, LINEAR)).toEqual({ created: 2, updated: 0, skipped: 0, rejected: 0 })
  expect(await totalsOf(here, LINEAR)).toEqual({ created: 0, updated: 0, skipped: 2, rejected: 0 })
})

test('ids of another product or another source are other items', async () => {
  const [here, there] = [await createImportScenario(), await createImportScenario()]
  await there.run(LINEAR)
  expect(await totalsOf(here, LINEAR)).toMatchObject({ created: 2 })
  const own = 'Title,externalId\nFrom a file,ENG-1\n'
  expect(await totalsOf(here, own)).toMatchObject({ created: 1 })
  expect(await totalsOf(here, own)).toMatchObject({ created: 0, skipped: 1 })
  const asLinear = await here.run(own, { mapping: { externalSource: '=linear' } })
  expect(asLinear.body.data.totals).toMatchObject({ created: 0, skipped: 1 })
})

test('an invalid source or id is a warning, and a file of an unknown product without ids is imported twice', async () => {
  const here = await createImportScenario()
  const long = 'x'.repeat(201)
  const made = await here.run(`Title,externalId\nA,${long}\n`, { mapping: { externalSource: '=linear' } })
  expect(made.body.data).toMatchObject({ totals: { created: 1 }, warnings: [{ field: 'externalId', rows: 1 }] })
  const wrong = await here.run('Title,externalId\nA,1\n', { mapping: { externalSource: '=Not A Source' } })
  expect(wrong.body.data).toMatchObject({ totals: { created: 1 }, warnings: [{ field: 'externalSource', rows: 1 }] })
  expect(await totalsOf(here, 'Title\nB\n')).toMatchObject({ created: 1 })
  expect(await totalsOf(here, 'Title\nB\n')).toMatchObject({ created: 1 })
})
