import { expect, test } from 'vitest'
import { createImportScenario } from './scenario'

interface Item {
  type: string
  summary: string
  progress: string
  externalProgress: string
  storyPoint: string
  tags: string
  attributes: Record<string, unknown>
}

async function createItemScenario() {
  const scenario = await createImportScenario()
  return {
    ...scenario,
    read: async (key: string) => (await scenario.client<Item>('GET', `${scenario.path}/${key}`)).body.data,
  }
}

const AZURE_TREE = `Work Item Type,Title 1,Title 2,Title 3,Title 4,State,Area Path,Effort,Remaining Work,Priority,Iteration Path,Tags
Product Backlog Item,Fast builds,,,,Active,Shop\\Build,3,,1,Shop,"ci; speed"
Task,,Cache packages,,,To Do,Shop\\Build,,3,2,Shop,
Epic,Content,,,,New,Shop\\Web,5,,2,Shop,
Feature,,Home page,,,Committed,Shop\\Web,8,,2,Shop,
Product Backlog Item,,,Popular items,,Approved,Shop\\Web,1,,2,Shop,
Task,,,,Word cloud,Done,Shop\\Web,,8,2,Shop,
Bug,,,Broken menu,,Resolved,Shop\\Web,1,,2,Shop,
Feature,,Search,,,Removed,Shop\\Web,8,,2,Shop,
User Story,Alone,,,,Closed,Shop\\Web,8,,2,Shop,
`

test('a tree of Azure DevOps is imported with the parents by level', async () => {
  const { run, tree, read } = await createItemScenario()
  const preview = await run(AZURE_TREE, { query: '?dryRun=true' })
  const made = await run(AZURE_TREE)
  expect(made.body.data).toMatchObject({
    mapping: preview.body.data.mapping,
    totals: { created: 9, rejected: 0 },
    warnings: [],
  })
  expect(made.body.data.mapping).toMatchObject({ preset: 'azure-devops' })
  expect(await tree()).toEqual([
    ['Content', ['Home page', 'Popular items', 'Word cloud', 'Broken menu'], 'Search'],
    ...['Fast builds', 'Cache packages', 'Alone'],
  ])
  expect(await read('US-1')).toMatchObject({
    ...{ progress: 'in-progress', externalProgress: 'Active', storyPoint: '3', tags: '["ci","speed"]' },
    attributes: { issueType: 'Product Backlog Item', areaPath: 'Shop\\Build', priority: '1', iterationPath: 'Shop' },
  })
  // A task is below a story in the file, and beside the story here.
  expect((await read('US-4')).attributes).toMatchObject({ issueType: 'Task', parentStory: 'Popular items' })
  const keys = ['EP-1', 'FE-1', 'FE-2', 'US-2', 'US-3', 'US-4', 'US-5', 'US-6']
  expect(await Promise.all(keys.map(async (key) => (await read(key)).progress))).toEqual([
    ...['to-do', 'in-progress', 'done', 'to-do', 'to-do', 'done', 'done', 'done'],
  ])
})

test('the mapping gives columns a level', async () => {
  const { run, tree } = await createItemScenario()
  const mapping = {
    Theme: { field: 'summary', level: 1 },
    Goal: { field: 'summary', level: 2 },
    Step: { field: 'summary', level: 3 },
  }
  const made = await run('Theme,Goal,Step\nShop,,\n,Pay,\n,,By card\n,,By invoice\nOther,,\n', { mapping })
  expect(made.body.data).toMatchObject({ totals: { created: 5, rejected: 0 }, warnings: [] })
  expect(await tree()).toEqual([['Shop', ['Pay', 'By card', 'By invoice']], 'Other'])
  for (const level of [0, 21, 1.5, '1']) {
    const refused = await run('Theme\nShop\n', { mapping: { Theme: { field: 'summary', level } } })
    expect([refused.status, refused.body.error?.issues?.[0]?.path]).toEqual([400, '/mapping/Theme'])
  }
})

test('an unknown type becomes a user story, and the word stays as an attribute', async () => {
  const { run, read } = await createItemScenario()
  const types = ['Epic', 'Story', 'Bug', 'Task', 'Spike', 'Sprint Defect', 'Sprint Defect', 'New Feature']
  const made = await run(`summary,issue type\n${types.map((type, n) => `Item ${n},${type}\n`).join('')}`)
  expect(made.body.data).toMatchObject({
    totals: { created: 8, rejected: 0 },
    warnings: [{ field: 'type', column: 'issue type', value: 'Sprint Defect', rows: 2, became: 'userstory' }],
  })
  const kept = async (key: string) => (await read(key)).attributes.issueType
  expect(await Promise.all(['EP-1', 'US-1', 'US-2', 'US-3', 'US-4', 'US-5', 'US-6', 'FE-1'].map(kept))).toEqual([
    ...[undefined, undefined, 'Bug', 'Task', 'Spike', 'Sprint Defect', 'Sprint Defect', 'New Feature'],
  ])
})

test('a column of the status category decides the progress, and unknown statuses are listed', async () => {
  const { run, read } = await createItemScenario()
  const statuses = ['In QA', 'Won’t do', 'Shipped', 'Peer feedback', 'Peer feedback']
  const made = await run(`summary,status\n${statuses.map((status, n) => `Item ${n},${status}\n`).join('')}`)
  expect(made.body.data.warnings).toMatchObject([
    { field: 'status', column: 'status', value: 'Peer feedback', rows: 2, became: 'to-do' },
  ])
  const progress = async (key: string) => (await read(key)).progress
  expect(await Promise.all(['US-1', 'US-2', 'US-3', 'US-4'].map(progress))).toEqual([
    ...['in-progress', 'done', 'done', 'to-do'],
  ])
  const jira = await run(
    `Summary,Issue key,Issue Type,Status,Status Category
Pay,ACME-1,Story,Peer feedback,In Progress
Ship,ACME-2,Story,Ready,Done
Pack,ACME-3,Story,Shipped,Unsortiert\n`,
  )
  expect(jira.body.data).toMatchObject({ totals: { created: 3 }, warnings: [] })
  expect(await Promise.all(['US-6', 'US-7', 'US-8'].map(progress))).toEqual(['in-progress', 'done', 'done'])
  expect((await read('US-6')).externalProgress).toBe('Peer feedback')
})

test('a mapping of words keeps the words of the file, and other words are warnings', async () => {
  const { run, read } = await createItemScenario()
  const mapping = {
    Status: { field: 'status', values: { Brewing: 'in-progress', Odd: 'unclear' } },
    Kind: { field: 'type', values: { Defect2: 'userstory', Saga2: 'epic' } },
  }
  const content = 'Title,Status,Kind\nTea,Brewing,Defect2\nMilk,Done,Saga2\nSugar,Weird,Story\nRum,Odd,Story\n'
  const { body } = await run(content, { mapping })
  expect(body.data.warnings.map(({ field, value, became }) => [field, value, became])).toEqual([
    ['status', 'Weird', 'to-do'],
    ['status', 'Odd', 'to-do'],
  ])
  expect(await read('US-1')).toMatchObject({
    ...{ progress: 'in-progress', externalProgress: 'Brewing', attributes: { issueType: 'Defect2' } },
  })
  expect(await read('EP-1')).toMatchObject({
    ...{ progress: 'done', externalProgress: 'Done', attributes: { issueType: 'Saga2' } },
  })
  expect(await read('US-2')).toMatchObject({ progress: 'to-do', externalProgress: 'Weird' })
  expect(await read('US-3')).toMatchObject({ progress: 'to-do', externalProgress: 'Odd' })
})

test('a column of progress is read like a status, and keeps free texts with a warning', async () => {
  const { run, read } = await createItemScenario()
  const mapping = { Status: { field: 'progress', values: { Brewing: 'in-progress' } } }
  const { body } = await run('Title,Status\nTea,Brewing\nMilk,Done\nSugar,Weird\nRum,done\n', { mapping })
  expect(body.data.warnings.map(({ field, column, value, became }) => [field, column, value, became])).toEqual([
    ['progress', 'Status', 'Weird', 'Weird'],
  ])
  const items = await Promise.all(['US-1', 'US-2', 'US-3', 'US-4'].map(read))
  expect(items.map(({ progress, externalProgress }) => [progress, externalProgress])).toEqual([
    ...[
      ['in-progress', 'Brewing'],
      ['done', 'Done'],
      ['Weird', ''],
      ['done', ''],
    ],
  ])
})
