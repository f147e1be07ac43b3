import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario } from './scenario'

interface Item {
  summary: string
  progress: string
  tags: string
  urls: { url: string }[]
  attributes: Record<string, string>
}

type Scenario = Awaited<ReturnType<typeof createImportScenario>>

async function readItem({ client, path }: Scenario, key: string) {
  return (await client<Item>('GET', `${path}/${key}`)).body.data
}

async function readComments(here: Scenario) {
  const { response } = await send('GET', `${here.path}/export?format=json&include=comments`, {
    apiKey: await here.key(),
  })
  const items = (await response.json()) as { summary: string; comments: { text: string; createdAt: string }[] }[]
  return items.flatMap(({ summary, comments }) => comments.map(({ text, createdAt }) => [summary, text, createdAt]))
}

const createCard = (id: string, more: object = {}) => ({
  ...{ id, idList: 'l1', name: `Card ${id}`, desc: '', closed: false, pos: 1, idMembers: [], labels: [], due: null },
  ...{ shortUrl: `https://trello.com/c/${id}`, badges: { votes: 0 }, ...more },
})

const BOARD = {
  ...{ id: '5515abf65636b7b12144d6a9', name: 'Shop', idOrganization: null, prefs: {} },
  actions: [
    {
      ...{ type: 'commentCard', data: { card: { id: 'c1' }, text: 'Nice <b>card</b>' } },
      ...{ date: '2026-01-02T00:00:00.000Z', memberCreator: { fullName: 'Ada Lovelace' } },
    },
  ],
  cards: [
    createCard('c1', {
      ...{ due: '2026-02-01T10:00:00.000Z', labels: [{ name: 'ui, web' }], idMembers: ['m1'], desc: 'Text' },
      attachments: [{ url: 'https://example.com/a.png' }],
    }),
    createCard('c2', { idList: 'l2', pos: 2 }),
  ],
  lists: [
    { id: 'l1', name: 'In progress', closed: false, pos: 1 },
    { id: 'l2', name: 'Done', closed: false, pos: 2 },
  ],
  members: [{ id: 'm1', fullName: 'Ada Lovelace' }],
  checklists: [{ idCard: 'c1', name: 'Steps', checkItems: [{ name: 'First', state: 'complete', pos: 1 }] }],
}

test('a board of Trello is imported with lists, labels, dates, attachments, checklists and comments', async () => {
  const here = await createImportScenario()
  const made = await here.run(JSON.stringify(BOARD), { name: 'board.json' })
  expect(made.body.data).toMatchObject({
    ...{ status: 'completed', mapping: { preset: 'trello' }, totals: { created: 2, rejected: 0 }, warnings: [] },
  })
  expect(await readItem(here, 'US-1')).toMatchObject({
    ...{ summary: 'Card c1', progress: 'in-progress', tags: '["ui, web"]', endDate: '2026-02-01T10:00:00.000Z' },
    ...{ description: 'Text\n\nSteps\n- [x] First', attributes: { members: 'Ada Lovelace', board: 'Shop' } },
    urls: [{ url: 'https://trello.com/c/c1' }, { url: 'https://example.com/a.png' }],
  })
  expect(await readItem(here, 'US-2')).toMatchObject({ summary: 'Card c2', progress: 'done' })
  expect(await readComments(here)).toEqual([['Card c1', 'Ada Lovelace: Nice <b>card</b>', '2026-01-02T00:00:00.000Z']])
})

test('issues of GitHub and of GitLab are imported from JSON and from CSV', async () => {
  const here = await createImportScenario()
  const issue = {
    ...{ number: 7, title: 'Slow', body: 'Text', state: 'closed', labels: [{ name: 'bug' }], comments: 3 },
    ...{ assignees: [{ login: 'ada' }], milestone: { title: 'v1' }, html_url: 'https://github.com/o/r/issues/7' },
  }
  const github = await here.run(JSON.stringify([issue, { ...issue, number: 8, pull_request: {} }]), { name: 'i.json' })
  expect(github.body.data).toMatchObject({
    mapping: { preset: 'github' },
    totals: { rows: 1, created: 1 },
    warnings: [],
  })
  expect(await readItem(here, 'US-1')).toMatchObject({
    ...{ summary: 'Slow', description: 'Text', progress: 'done', tags: '["bug"]' },
    ...{ urls: [{ url: 'https://github.com/o/r/issues/7' }], attributes: { milestone: 'v1', assignees: 'ada' } },
  })
  const row = {
    ...{ iid: 3, title: 'From JSON', description: '', state: 'opened', labels: ['a, b', 'c'], weight: 5 },
    ...{ milestone: { title: 'v1' }, web_url: 'https://gitlab.com/o/r/-/issues/3', due_date: '2026-02-01' },
  }
  const json = await here.run(JSON.stringify([row]), { name: 'i.json' })
  expect(json.body.data).toMatchObject({ mapping: { preset: 'gitlab' }, totals: { created: 1 }, warnings: [] })
  const csv = await here.run(
    'Issue ID,URL,Title,State,Description,Author,Author Username,Assignee,Assignee Username,Confidential,Locked,Due Date,Created At (UTC),Updated At (UTC),Closed At (UTC),Milestone,Weight,Labels,Time Estimate,Time Spent,Epic ID,Epic Title\n4,https://gitlab.com/o/r/-/issues/4,From CSV,Open,,Ada,ada,,,No,No,2026-02-01,2026-01-01 10:00:00,2026-01-02 10:00:00,,v1,5,"a,b",0,0,,\n',
  )
  expect(csv.body.data).toMatchObject({ mapping: { preset: 'gitlab' }, totals: { created: 1 }, warnings: [] })
  const common = {
    ...{ progress: 'to-do', storyPoint: '5', endDate: '2026-02-01T00:00:00.000Z' },
    attributes: { milestone: 'v1' },
  }
  expect(await readItem(here, 'US-2')).toMatchObject({ ...common, summary: 'From JSON', tags: '["a, b","c"]' })
  expect(await readItem(here, 'US-3')).toMatchObject({ ...common, summary: 'From CSV', tags: '["a","b"]' })
})

test('a header below a preamble is found, and a workbook is refused with the way to a CSV', async () => {
  const here = await createImportScenario()
  const made = await here.run('sep=;\nBacklog of the shop\n"Made, by";Ada\n\nTitle;Type;Tags\nPay;story;a\n')
  expect(made.body.data).toMatchObject({ totals: { rows: 1, created: 1 } })
  const workbook = await here.run('PK\u0003\u0004[Content_Types].xml xl/workbook.xml', { name: 'backlog.xlsx' })
  expect([workbook.status, workbook.body.error?.issues]).toMatchObject([400, [{ code: 'invalid_file' }]])
  expect(workbook.body.message).toContain('CSV UTF-8')
})
