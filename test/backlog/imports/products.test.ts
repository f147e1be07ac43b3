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
    ...{ status: 'completed', mapping: { preset: 'trello' }, totals: { created: 2, rejected: 0 } },
    warnings: [{ column: 'Members', value: 'Ada Lovelace', became: 'attributes.members', rows: 1 }],
  })
  expect(await readItem(here, 'US-1')).toMatchObject({
    ...{ summary: 'Card c1', progress: 'in-progress', tags: '["ui, web"]', endDate: '2026-02-01T10:00:00.000Z' },
    ...{
      description: '<p>Text</p><p>Steps</p><ul><li>[x] First</li></ul>',
      attributes: { members: 'Ada Lovelace', board: 'Shop' },
    },
    urls: [{ url: 'https://trello.com/c/c1' }, { url: 'https://example.com/a.png' }],
  })
  expect(await readItem(here, 'US-2')).toMatchObject({ summary: 'Card c2', progress: 'done' })
  const said = [['Card c1', '<p>Ada Lovelace: Nice <b>card</b></p>', '2026-01-02T00:00:00.000Z']]
  expect(await readComments(here)).toEqual(said)

  // The same board doubles nothing, also with moved cards.
  const again = await here.run(JSON.stringify(BOARD), { name: 'board.json', query: '?onConflict=update' })
  expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 2 })
  await here.client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect([await here.tree(), await readComments(here)]).toEqual([[], []])
  const anew = await here.run(JSON.stringify(BOARD), { name: 'board.json' })
  expect([anew.body.data.totals, await readComments(here)]).toMatchObject([{ created: 2 }, said])
  const moved = { ...BOARD, cards: BOARD.cards.map((card) => ({ ...card, idList: 'l2' })) }
  const update = await here.run(JSON.stringify(moved), { name: 'board.json', query: '?onConflict=update' })
  expect(update.body.data.totals).toMatchObject({ created: 0, updated: 1, skipped: 1 })
  expect(await readComments(here)).toEqual(said)
})

test('comments and attachments of Jira are imported once, and an undo removes the comments', async () => {
  const here = await createImportScenario()
  const file = [
    'Summary,Issue key,Issue id,Issue Type,Status,Attachment,Attachment,Comment,Comment,Comment',
    'Pay,ACME-1,10001,Story,To Do,22/Sep/25 9:26 AM;ada;a b.png;https://acme.example/1/a%20b.png,https://acme.example/2,"22/Sep/25 9:26 AM;ada@example.com;Yes; with',
    'two lines","23/Sep/25 1:05 PM;712020:00000000-0000-4000-8000-000000000002;No",Plain text',
    'Ship,ACME-2,10002,Story,To Do,,,,"24/Sep/25 1:05 PM;Ada Lovelace;Soon",',
  ].join('\n')
  const made = await here.run(file)
  expect(made.body.data).toMatchObject({ mapping: { preset: 'jira' }, totals: { created: 2 }, warnings: [] })
  expect((await readItem(here, 'US-1')).urls).toEqual([
    { url: 'https://acme.example/1/a%20b.png' },
    { url: 'https://acme.example/2' },
  ])
  const said = [
    ['Pay', 'Yes; with\ntwo lines', '2025-09-22T09:26:00.000Z'],
    ['Pay', 'No', '2025-09-23T13:05:00.000Z'],
    ['Pay', 'Plain text', expect.any(String)],
    ['Ship', 'Ada Lovelace: Soon', '2025-09-24T13:05:00.000Z'],
  ]
  expect(await readComments(here)).toEqual(said)
  const again = await here.run(file, { query: '?onConflict=update' })
  expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 2 })
  expect(await readComments(here)).toEqual(said)
  await here.client('POST', `/api/v2/imports/${made.body.data.id}/undo`)
  expect([await here.tree(), await readComments(here)]).toEqual([[], []])
})

test('a further file finds the items of an earlier file by their ids in the other product, also as parents', async () => {
  const here = await createImportScenario()
  const header = 'Task ID,Name,Section/Column,Parent task,Source'
  const first = `${header}\n1,Shop,To do,,web\n2,Checkout,To do,1,\n3,Pay,To do,2,\n`
  expect((await here.run(first)).body.data.totals).toMatchObject({ created: 3 })
  expect((await readItem(here, 'EP-1')).attributes).toEqual({ Source: 'web' })
  const more = await here.run(`${first}4,Ship,To do,2,\n`, { query: '?onConflict=update' })
  expect(more.body.data.totals).toMatchObject({ created: 1, updated: 0, skipped: 3 })
  expect(await here.tree()).toEqual([['Shop', ['Checkout', 'Pay', 'Ship']]])
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
    ...{ summary: 'Slow', description: '<p>Text</p>', progress: 'done', tags: '["bug"]' },
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
  expect(csv.body.data).toMatchObject({
    ...{ mapping: { preset: 'gitlab' }, totals: { created: 1 } },
    warnings: [{ field: 'reporter', value: 'Ada', became: 'attributes.reporter' }],
  })
  const common = {
    ...{ progress: 'to-do', storyPoint: '5', endDate: '2026-02-01T00:00:00.000Z' },
    attributes: { milestone: 'v1' },
  }
  expect(await readItem(here, 'US-2')).toMatchObject({
    ...common,
    summary: 'From JSON',
    tags: '["a, b","c"]',
    urls: [{ url: row.web_url }],
  })
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
