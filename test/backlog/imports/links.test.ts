import { expect, test } from 'vitest'
import type { Run } from '../../workspace/imports/scenario'
import { createImportScenario } from './scenario'

interface Link {
  id: number
  type: string
  direction: string
  item: { externalKey: string }
}

const listWarnings = ({ warnings }: Run) =>
  warnings.map(({ field, column, value, rows, became }) => [field, column, value, rows, became])

async function createLinkScenario() {
  const here = await createImportScenario()
  const linksOf = async (key: string) => (await here.client<Link[]>('GET', `${here.path}/${key}/links`)).body.data
  return {
    ...here,
    linksOf,
    /** Sorted, like `blocks to US-2`. */
    namesOf: async (key: string) =>
      (await linksOf(key)).map(({ type, direction, item }) => `${type} ${direction} ${item.externalKey}`).sort(),
    undo: async (id: number) => (await here.client<Run>('POST', `/api/v2/imports/${id}/undo`)).body.data,
    async preview(file: string, query = '') {
      return (await here.run(file, { query: `?dryRun=true${query}` })).body.data
    },
  }
}

const JIRA = `Summary,Issue key,Issue id,Issue Type,Status,Outward issue link (Blocks),Outward issue link (Blocks),Inward issue link (Blocks),Outward issue link (Relates),Inward issue link (Cloners),Outward issue link (Duplicate),Inward issue link (Depends)
Pay,ACME-1,101,Story,Open,ACME-2,ACME-3,,,,,
Ship,ACME-2,102,Story,Open,,,ACME-1,,ACME-4,,
Pack,ACME-3,103,Story,Open,,,,ACME-4,,,ACME-2
Send,ACME-4,104,Story,Open,,,,ACME-3,,ACME-2,
`

test('links of a Jira file become links between its items, once for both ends', async () => {
  const here = await createLinkScenario()
  const preview = await here.preview(JIRA)
  const made = (await here.run(JIRA)).body.data
  expect(made).toMatchObject({ totals: preview.totals, warnings: preview.warnings })
  expect(listWarnings(made)).toEqual([['linkedItems', 'Inward issue link (Cloners)', 'Cloners', 1, 'relates']])
  expect(await here.namesOf('US-1')).toEqual(['blocks to US-2', 'blocks to US-3'])
  // An item that depends on another is blocked by the other.
  expect(await here.namesOf('US-2')).toEqual([
    'blocks from US-1',
    'blocks from US-3',
    'duplicates from US-4',
    'relates from US-4',
  ])
  expect(await here.namesOf('US-3')).toEqual(['blocks from US-1', 'blocks to US-2', 'relates to US-4'])
  const again = (await here.run(JIRA)).body.data
  expect(again.totals).toMatchObject({ created: 0, updated: 0, skipped: 4 })
  const updated = (await here.run(JIRA, { query: '?onConflict=update' })).body.data
  expect(updated.totals).toMatchObject({ created: 0, updated: 0, skipped: 4 })
  expect(await here.namesOf('US-1')).toHaveLength(2)
})

test('a link names a later row in another slice, or an item of an earlier file', async () => {
  const here = await createLinkScenario()
  const header = 'Summary,Issue key,Issue Type,Status,Outward issue link (Blocks),Inward issue link (Blocks)\n'
  const rows = Array.from({ length: 1_050 }, (_, n) => `Item,ACME-${n + 1},Story,Open,${n === 0 ? 'ACME-1050' : ''},`)
  const first = (await here.run(`${header}${rows.join('\n')}\n`)).body.data
  expect(first).toMatchObject({ totals: { created: 1_050 }, warnings: [] })
  expect(await here.namesOf('US-1')).toEqual(['blocks to US-1050'])
  const file = `${header}Item,ACME-1,Story,Open,ACME-2001,\nItem,ACME-2001,Story,Open,ACME-3,ACME-9\nItem,ACME-2002,Story,Open,ACME-4040,\n`
  const preview = await here.preview(file)
  const second = (await here.run(file)).body.data
  expect(second).toMatchObject({ totals: { created: 2, skipped: 1 }, warnings: preview.warnings })
  expect(preview.totals).toEqual(second.totals)
  expect(listWarnings(second)).toEqual([['linkedItems', 'Outward issue link (Blocks)', 'ACME-4040', 1, null]])
  expect(await here.namesOf('US-1051')).toEqual(['blocks from US-1', 'blocks from US-9', 'blocks to US-3'])
  expect(await here.namesOf('US-1')).toEqual(['blocks to US-1050', 'blocks to US-1051'])
  expect(await here.undo(second.id)).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  expect(await here.namesOf('US-1')).toEqual(['blocks to US-1050'])
  expect(await here.namesOf('US-3')).toEqual([])
})

test('an update adds the missing links of known items, and the undo removes these links only', async () => {
  const here = await createLinkScenario()
  const header = 'Summary,Issue key,Issue Type,Status,Inward issue link (Relates)\n'
  const file = (link: string) =>
    `${header}Pay,ACME-1,Story,Open,${link}\nShip,ACME-2,Story,Open,\nPack,ACME-3,Story,Open,\n`
  const made = (await here.run(file(''))).body.data
  await here.client('POST', `${here.path}/US-2/links`, { json: { type: 'blocks', to: 'US-1' } })
  expect((await here.run(file('ACME-2'))).body.data.totals).toMatchObject({ created: 0, updated: 0 })
  expect(await here.namesOf('US-1')).toEqual(['blocks from US-2'])
  const query = '?onConflict=update'
  const preview = await here.preview(file('ACME-2'), '&onConflict=update')
  const updated = (await here.run(file('ACME-2'), { query })).body.data
  expect(updated.totals).toMatchObject({ created: 0, updated: 1, skipped: 2 })
  expect(preview.totals).toEqual(updated.totals)
  expect(await here.namesOf('US-1')).toEqual(['blocks from US-2', 'relates from US-2'])
  expect((await here.run(file('ACME-2'), { query })).body.data.totals).toMatchObject({ updated: 0 })
  expect(await here.undo(updated.id)).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  expect(await here.namesOf('US-1')).toEqual(['blocks from US-2'])
  expect(made.totals.created).toBe(3)
})

test('an undo keeps a link that somebody created after the run, and both linked items', async () => {
  const here = await createLinkScenario()
  const made = (await here.run(JIRA)).body.data
  const other = await here.client<{ externalKey: string }>('POST', here.path.replace('/backlog', '/storyMap/card'), {
    json: { summary: 'Own', type: 'userstory' },
  })
  const key = other.body.data.externalKey
  const last = (await here.linksOf('US-4')).reduce((a, b) => (a.id > b.id ? a : b))
  await here.client('DELETE', `${here.path}/US-4/links/${last.id}`)
  // The new link may have the id of the removed link.
  await here.client('POST', `${here.path}/${key}/links`, { json: { type: 'relates', to: 'US-1' } })
  const undone = await here.undo(made.id)
  expect(undone).toMatchObject({ status: 'undone', totals: { kept: 1 } })
  expect(undone.kept.map(({ externalKey }) => externalKey)).toEqual(['US-1'])
  expect(await here.namesOf('US-1')).toEqual([`relates from ${key}`])
})

test('items of a file do not block each other in a circle, and no item is linked to itself', async () => {
  const here = await createLinkScenario()
  const file = `Summary,Issue key,Issue Type,Status,Outward issue link (Blocks),Outward issue link (Depends on)
Pay,ACME-1,Story,Open,ACME-2,
Ship,ACME-2,Story,Open,ACME-3,
Pack,ACME-3,Story,Open,ACME-1,ACME-2
Send,ACME-4,Story,Open,ACME-4,ACME-1
`
  const preview = await here.preview(file)
  const made = (await here.run(file)).body.data
  expect(made.warnings).toEqual(preview.warnings)
  expect(listWarnings(made)).toEqual([
    ['linkedItems', 'Outward issue link (Blocks)', 'ACME-1', 1, null],
    ['linkedItems', 'Outward issue link (Blocks)', 'ACME-4', 1, null],
  ])
  expect(await here.namesOf('US-3')).toEqual(['blocks from US-2'])
  expect(await here.namesOf('US-4')).toEqual(['blocks from US-1'])
})

test('files of Linear and Azure DevOps link items by their ids', async () => {
  const here = await createLinkScenario()
  const linear = `ID,Team,Title,Status,Parent issue,Blocked by,Related to,Duplicate of
ENG-1,ENG,Pay,Todo,,"ENG-2, ENG-3",,
ENG-2,ENG,Ship,Todo,,,ENG-3,
ENG-3,ENG,Pack,Todo,,,,ENG-404
`
  const made = (await here.run(linear)).body.data
  expect(listWarnings(made)).toEqual([['linkedItems', 'Duplicate of', 'ENG-404', 1, null]])
  expect(await here.namesOf('US-1')).toEqual(['blocks from US-2', 'blocks from US-3'])
  expect(await here.namesOf('US-2')).toEqual(['blocks to US-1', 'relates to US-3'])
  const azure = (other: string) => `ID,Work Item Type,Title,State,Related Work\n${other}\n`
  await here.run(azure('1,Task,Pay,New,'))
  await here.run(azure('2,Task,Ship,New,#1'))
  expect(await here.namesOf('US-5')).toEqual(['relates to US-4'])
})

test('a mapped column links items of the product by their keys', async () => {
  const here = await createLinkScenario()
  await here.run('summary\nPay\n')
  const mapping = { 'Depends on': 'linkedItems' }
  await here.run('summary,Depends on\nShip,US-1\n', { mapping })
  expect(await here.namesOf('US-2')).toEqual(['blocks from US-1'])
})

test('a link means the item of the type that the row has, where items of two types have the same id', async () => {
  const here = await createLinkScenario()
  const header = 'Summary,Issue key,Issue Type,Status,Outward issue link (Blocks)\n'
  await here.run(`${header}Large,ACME-1,Epic,Open,\n`)
  await here.run(`${header}Small,ACME-1,Story,Open,\n`)
  const known = 'Small,ACME-1,Story,Open,ACME-3\n'
  const file = `${header}${known}First,ACME-2,Story,Open,ACME-1\nSecond,ACME-3,Story,Open,\n`
  expect((await here.run(file)).body.data).toMatchObject({ totals: { created: 2, skipped: 1 }, warnings: [] })
  expect(await here.namesOf('US-1')).toEqual(['blocks from US-2', 'blocks to US-3'])
  expect(await here.namesOf('EP-1')).toEqual([])
  const query = '?onConflict=update'
  expect((await here.run(file, { query })).body.data.totals).toMatchObject({ updated: 0, skipped: 3 })
})

test('an item that is not in the file is found by any of its ids, and by an id of the same product first', async () => {
  const here = await createLinkScenario()
  const jira = 'Summary,Issue key,Issue Type,Status,Outward issue link (Blocks)\n'
  await here.run(`${jira}Pay,US-2,Story,Open,\nShip,ACME-2,Story,Open,\n`)
  await here.run('ID,Team,Title,Status,Parent issue,Blocked by\nENG-1,ENG,Pack,Todo,,ACME-2\n')
  expect(await here.namesOf('US-3')).toEqual(['blocks from US-2'])
  await here.run('summary,Depends on\nSend,"ACME-2, US-3"\n', { mapping: { 'Depends on': 'linkedItems' } })
  expect(await here.namesOf('US-4')).toEqual(['blocks from US-2', 'blocks from US-3'])
  // US-2 is a key of Jira, and US-3 is a key of this product only.
  const made = (await here.run(`${jira}Sort,ACME-5,Story,Open,US-2\nFold,ACME-6,Story,Open,US-3\n`)).body.data
  expect(made.warnings).toEqual([])
  expect(await here.namesOf('US-5')).toEqual(['blocks to US-1'])
  expect(await here.namesOf('US-6')).toEqual(['blocks to US-3'])
})

const CIRCLE = 'Items cannot block each other, directly or through other items.'
const listReasons = ({ warnings }: Run) =>
  warnings.map(({ field, value, reason, rows }) => [field, value, reason, rows])

test('items of a file and items of the product do not block each other in a circle', async () => {
  const here = await createLinkScenario()
  const header = 'Summary,Issue key,Issue Type,Status,Outward issue link (Blocks)\n'
  await here.run(`${header}Pay,ACME-1,Story,Open,ACME-2\nShip,ACME-2,Story,Open,\n`)
  const file = `${header}Ship,ACME-2,Story,Open,ACME-3\nPack,ACME-3,Story,Open,ACME-1\nSend,ACME-4,Story,Open,ACME-1\n`
  const made = (await here.run(file)).body.data
  expect(made).toMatchObject({ status: 'completed', totals: { created: 2 } })
  expect(listReasons(made)).toEqual([['linkedItems', null, CIRCLE, 1]])
  expect(await here.namesOf('US-3')).toEqual(['blocks from US-2'])
  expect(await here.namesOf('US-1')).toEqual(['blocks from US-4', 'blocks to US-2'])

  // Pay blocks Ship already, and two items have one link of a type.
  const back = `${header}Ship,ACME-2,Story,Open,ACME-1\nPack,ACME-3,Story,Open,ACME-1\n`
  const updated = (await here.run(back, { query: '?onConflict=update' })).body.data
  expect(listReasons(updated)).toEqual([['linkedItems', null, CIRCLE, 1]])
  expect(await here.namesOf('US-1')).toEqual(['blocks from US-4', 'blocks to US-2'])
  expect(await here.undo(updated.id)).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  expect(await here.namesOf('US-3')).toEqual(['blocks from US-2'])
})

test('a link of a stored item beyond 200 is left out, with a warning', async () => {
  const here = await createLinkScenario()
  await here.run(`summary\nPay\n${'Other\n'.repeat(204)}`)
  const links = (from: number, to: number) => {
    const keys = Array.from({ length: to - from + 1 }, (_, n) => `US-${from + n}`)
    return `key,summary,Related to\nUS-1,Pay,${keys.join(' ')}\n`
  }
  const options = { query: '?onConflict=update', mapping: { 'Related to': 'linkedItems' } }
  await here.run(links(2, 200), options)
  expect(await here.linksOf('US-1')).toHaveLength(199)
  const made = (await here.run(links(201, 203), options)).body.data
  expect(listReasons(made)).toEqual([['linkedItems', null, expect.stringContaining('at most 200 links'), 1]])
  expect(await here.namesOf('US-1')).toContain('relates to US-201')
  expect(await here.linksOf('US-1')).toHaveLength(200)
  expect([await here.linksOf('US-202'), await here.linksOf('US-203')]).toEqual([[], []])
  await here.undo(made.id)
  expect(await here.linksOf('US-1')).toHaveLength(199)
})
