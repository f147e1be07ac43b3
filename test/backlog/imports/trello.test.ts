import { expect, test } from 'vitest'
import type { Run } from '../../workspace/imports/scenario'
import { createImportScenario } from './scenario'

const createCard = (id: string, idMembers: string[], more: object = {}) => ({
  ...{ id, idList: 'l1', name: id, desc: '', closed: false, pos: 1, labels: [], due: null, idMembers, ...more },
})

const BOARD = JSON.stringify({
  ...{ id: '5515abf65636b7b12144d6a9', name: 'Shop', idOrganization: null },
  cards: [
    createCard('c1', ['m3', 'm2', 'm1']),
    createCard('c2', ['m3']),
    createCard('c3', [], {
      customFieldItems: [
        { idCustomField: 'f1', value: { number: '3' } },
        { idCustomField: 'f2', idValue: 'o1', value: null },
      ],
    }),
    createCard('c4', ['m2', 'm1']),
  ],
  lists: [{ id: 'l1', name: 'Doing', closed: false, pos: 1 }],
  members: [
    { id: 'm1', fullName: 'Ada Lovelace', username: 'ada' },
    { id: 'm2', fullName: 'Bob Li', username: 'bob' },
    { id: 'm3', fullName: 'Nobody', username: 'nobody' },
  ],
  customFields: [
    { id: 'f1', name: 'Points', type: 'number' },
    { id: 'f2', name: 'Risk', type: 'list', options: [{ id: 'o1', value: { text: 'High' } }] },
  ],
})

const listWarnings = ({ warnings }: Run) => warnings.map(({ value, rows, became }) => [value, rows, became])

test('the first known member of a card is the assignee, and the others stay as an attribute', async () => {
  const here = await createImportScenario()
  const add = async (email: string, firstName: string, lastName: string) =>
    (await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email, firstName, lastName } })).body.data.id
  await add('ada@example.com', 'Ada', 'Lovelace')
  const bob = await add('bob@example.com', 'Bob', 'Li')
  const preview = (await here.run(BOARD, { name: 'board.json', query: '?dryRun=true' })).body.data
  const made = (await here.run(BOARD, { name: 'board.json' })).body.data
  expect(made).toMatchObject({ totals: preview.totals, warnings: preview.warnings })
  expect(listWarnings(made)).toEqual([['Nobody', 1, 'attributes.members']])
  const items = await Promise.all(
    [1, 2, 3, 4].map(
      async (n) =>
        (await here.client<{ userId: number[]; attributes: object }>('GET', `${here.path}/US-${n}`)).body.data,
    ),
  )
  expect(items.map(({ userId, attributes }) => [userId, attributes])).toEqual([
    [[bob], { board: 'Shop', members: 'Nobody, Ada Lovelace', votes: 0 }],
    [[], { board: 'Shop', members: 'Nobody', votes: 0 }],
    [[], { board: 'Shop', Points: 3, Risk: 'High', votes: 0 }],
    [[bob], { board: 'Shop', members: 'Ada Lovelace', votes: 0 }],
  ])
  const again = (await here.run(BOARD, { name: 'board.json', query: '?onConflict=update' })).body.data
  expect(again.totals).toMatchObject({ created: 0, updated: 0, skipped: 4 })
})

test('labels of signs are tags of their own, and each finds its cards', async () => {
  const here = await createImportScenario()
  const signs = ['❤️', '☀️', '✔️', '⚠️ risk', '⚡️ risk', '🔥', '.NET', 'NET']
  const labels = signs.map((name, n) => ({ id: `b${n}`, idBoard: 'b', name, color: 'red' }))
  const cards = labels.map((label, n) => createCard(`c${n}`, [], { labels: [label], idLabels: [label.id] }))
  const board = JSON.stringify({ ...JSON.parse(BOARD), cards, labels, members: [] })
  const made = (await here.run(board, { name: 'board.json' })).body.data
  expect(made.totals).toMatchObject({ created: signs.length, rejected: 0 })
  const at = `/api/initiatives/${here.product.externalKey}/storyMap/card`
  for (const [n, sign] of signs.entries()) {
    const { body } = await here.client<{ summary: string; tags: string }[]>(
      'GET',
      `${at}?tag=${encodeURIComponent(sign)}`,
    )
    expect([sign, body.data.map(({ summary, tags }) => [summary, tags])]).toEqual([
      sign,
      [[`c${n}`, JSON.stringify([sign])]],
    ])
  }
})
