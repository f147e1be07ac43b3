import { expect, test } from 'vitest'
import { readWholeFile, seededRandom } from './read-file'

const isHeader = (names: readonly string[]) => names.includes('Title')

test('the header of a CSV may stand below a preamble', async () => {
  const file = 'Report: tickets\nFilter,open\n\n"Made by",\nID;x\nID,Title,State\n1,One,Open\n\n2,Two,Done\n'
  expect(await readWholeFile(file, { isHeader })).toMatchObject({
    header: ['ID', 'Title', 'State'],
    rows: [
      ['1', 'One', 'Open'],
      ['2', 'Two', 'Done'],
    ],
    firstRows: [1],
  })
  // Without a known header, the first line is the header.
  expect(await readWholeFile('a,b\nID,Name\n1,2\n', { isHeader })).toMatchObject({ header: ['a', 'b'] })
  // A row of the table is no header, because it is not wider than the line above.
  expect(await readWholeFile('Kind,Text\nTitle,x\n', { isHeader })).toMatchObject({ rows: [['Title', 'x']] })
})

test.each([
  ['sep=;\r\nTitle;Note\r\nOne;"a, b, c"\r\n', ['One', 'a, b, c']],
  ['\uFEFF"sep=|"\nTitle|Note\nOne|a;b\n', ['One', 'a;b']],
  ['SEP=\t\nTitle\tNote\nOne\ta,b\n', ['One', 'a,b']],
])('the line %j of Excel names the delimiter', async (file, row) => {
  expect(await readWholeFile(file)).toMatchObject({ header: ['Title', 'Note'], rows: [row] })
})

const zipWith = (name: string) =>
  new Uint8Array([0x50, 0x4b, 3, 4, ...new TextEncoder().encode(`\0\0\0[Content_Types].xml\xff${name}`), 0xff])

test.each([
  ['a workbook', zipWith('xl/workbook.xml'), /^archive: The file is an Excel workbook.*Save As/],
  ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3, 4]), /^archive: The file is an Excel workbook/],
  ['an archive', zipWith('issues.csv'), /^archive: The file is a ZIP archive. Unpack it/],
])('%s is refused with the way to a CSV, in pieces of any length', async (_, bytes, problem) => {
  expect((await readWholeFile(bytes)).problem).toMatch(problem)
  async function* pieces() {
    for (const byte of bytes) yield new Uint8Array([byte])
  }
  expect((await readWholeFile(pieces())).problem).toMatch(problem)
})

const LISTS = [
  { id: 'l1', name: 'Doing', closed: false, pos: 2 },
  { id: 'l2', name: 'Old', closed: true, pos: 1 },
  { id: 'l3', name: 'To do', closed: false, pos: 1 },
]

const createCard = (id: string, idList: string, more: object = {}) => ({
  ...{ id, idList, name: `Card "${id}"`, desc: '', closed: false, pos: 10, idMembers: [], labels: [], due: null },
  ...{ shortUrl: `https://trello.com/c/${id}`, badges: { votes: 0 }, ...more },
})

const BOARD = {
  id: '5515abf65636b7b12144d6a9',
  name: 'Board \\"[{',
  prefs: { background: 'a\\"b\\', list: [1, [2, ']']] },
  idOrganization: null,
  actions: [
    { type: 'updateCard', data: { card: { id: 'c1' } }, date: '2026-01-03T00:00:00.000Z' },
    {
      ...{ type: 'commentCard', data: { card: { id: 'c1' }, text: 'Second' }, date: '2026-01-02T00:00:00.000Z' },
      memberCreator: { fullName: 'Ada' },
    },
    { type: 'commentCard', data: { card: { id: 'c1' }, text: 'First' }, date: '2026-01-01T00:00:00.000Z' },
  ],
  cards: [
    createCard('c1', 'l1', {
      ...{ desc: 'Text', due: '2026-02-01T10:00:00.000Z', start: '2026-01-01T10:00:00.000Z', idMembers: ['m1', 'm9'] },
      ...{ labels: [{ name: 'ui, web' }, { name: '', color: 'red' }], attachments: [{ url: 'https://example.com/a' }] },
    }),
    createCard('c2', 'l2'),
    createCard('c3', 'l3', { closed: true, pos: 20 }),
    createCard('c4', 'l3'),
  ],
  labels: [],
  lists: LISTS,
  members: [{ id: 'm1', fullName: 'Ada Lovelace' }],
  checklists: [
    {
      ...{ idCard: 'c1', name: 'Steps' },
      checkItems: [
        { name: 'Then', state: 'incomplete', pos: 2 },
        { name: 'First', state: 'complete', pos: 1, due: '2026-02-01T10:00:00.000Z' },
      ],
    },
  ],
}

const BOARD_ROWS = [
  expect.objectContaining({ 'Card ID': 'c4', 'List Name': 'To do', Archived: '' }),
  expect.objectContaining({ 'Card ID': 'c3', 'List Name': 'To do', Archived: 'true' }),
  {
    'Card ID': 'c1',
    'Card Name': 'Card "c1"',
    'Card URL': 'https://trello.com/c/c1',
    'Card Description': 'Text\n\nSteps\n- [x] First (due 2026-02-01 10:00 UTC)\n- [ ] Then',
    Labels: '["ui, web","red"]',
    Members: 'Ada Lovelace, m9',
    'Start Date': '2026-01-01T10:00:00.000Z',
    'Due Date': '2026-02-01T10:00:00.000Z',
    'Attachment Links': 'https://example.com/a',
    'Vote Count': 0,
    'List Name': 'Doing',
    'Board Name': 'Board \\"[{',
    Archived: '',
    Comments: [
      { text: 'First', createdAt: '2026-01-01T00:00:00.000Z', author: '' },
      { text: 'Second', createdAt: '2026-01-02T00:00:00.000Z', author: 'Ada' },
    ],
  },
]

test('the cards of a Trello board are rows in the order of the board, without the cards of closed lists', async () => {
  const text = JSON.stringify(BOARD)
  expect((await readWholeFile(text)).rows).toEqual(BOARD_ROWS)
  expect((await readWholeFile(JSON.stringify(BOARD, null, 2))).rows).toEqual(BOARD_ROWS)
})

test('a Trello board reads the same at any chunk borders', async () => {
  const { createTrelloParser } = await import('../../src/files/trello')
  const { below } = seededRandom(5)
  const text = JSON.stringify(BOARD)
  for (let round = 0; round < 300; round++) {
    const parser = createTrelloParser({ maxRow: 10_000 })
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = from + 1 + below(12)
      parser.push(text.slice(from, to))
    }
    expect(parser.end()).toEqual([{ firstRow: 1, rows: BOARD_ROWS }])
  }
})

test.each([
  [JSON.stringify({ ...BOARD, cards: [] }), /^not_a_list: .*Export as JSON/],
  [JSON.stringify(BOARD).slice(0, -3), /^not_json: The JSON file is not closed/],
  [`${JSON.stringify(BOARD)} {}`, /^not_json: The JSON file continues/],
  [JSON.stringify(BOARD).replace('"pos":2', '"pos":2 2'), /^not_json: The file is not JSON/],
  [JSON.stringify({ ...BOARD, members: [{ id: 'm1', fullName: 'x'.repeat(2_000_000) }] }), /^long_row/],
])('a broken board is refused', async (text, problem) => {
  expect((await readWholeFile(text)).problem).toMatch(problem)
})

const CUSTOM_FIELDS = [
  { id: 'f1', name: 'Risk', type: 'list', options: [{ id: 'o1', value: { text: 'High' } }] },
  { id: 'f2', name: 'Points', type: 'number' },
  { id: 'f3', name: 'Approved', type: 'checkbox' },
  { id: 'f4', name: 'Launch', type: 'date' },
  { id: 'f5', name: 'Note', type: 'text' },
  { id: 'f6', name: 'Note', type: 'text' },
]

test('custom fields of a Trello board become attributes by their names', async () => {
  const customFieldItems = [
    { idCustomField: 'f1', idValue: 'o1', value: null },
    { idCustomField: 'f2', value: { number: '3.5' } },
    { idCustomField: 'f3', value: { checked: 'true' } },
    { idCustomField: 'f4', value: { date: '2026-02-01T10:00:00.000Z' } },
    { idCustomField: 'f5', value: { text: '12' } },
    { idCustomField: 'f6', value: { text: 'Other' } },
    { idCustomField: 'f1', idValue: 'o9', value: null },
  ]
  // The fields may stand before or after the cards.
  const board = { ...BOARD, cards: [createCard('c1', 'l1', { customFieldItems })] }
  for (const whole of [
    { customFields: CUSTOM_FIELDS, ...board },
    { ...board, customFields: CUSTOM_FIELDS },
  ]) {
    expect((await readWholeFile(JSON.stringify(whole))).rows).toMatchObject([
      {
        attributes: {
          ...{ Risk: 'High', Points: 3.5, Approved: true, Launch: '2026-02-01T10:00:00.000Z', Note: '12' },
          'Note (f6)': 'Other',
        },
      },
    ])
  }
})

test('the options of custom fields count toward the length of a board', async () => {
  const options = Array.from({ length: 900 }, (_, n) => ({ id: `o${n}`, value: { text: 'x'.repeat(1_000) } }))
  const customFields = Array.from({ length: 10 }, (_, n) => ({ id: `f${n}`, name: `F${n}`, type: 'list', options }))
  expect((await readWholeFile(JSON.stringify({ ...BOARD, customFields }))).problem).toMatch(/^long_row: .*8 million/)
})

test('names that the cards of a board repeat are cut', async () => {
  const long = 'x'.repeat(2_000)
  const customFieldItems = [{ idCustomField: 'f1', idValue: 'o1', value: null }]
  const board = {
    ...{ ...BOARD, name: long, lists: [{ id: 'l1', name: long }], members: [{ id: 'm1', fullName: long }] },
    cards: [createCard('c1', 'l1', { idMembers: ['m1'], customFieldItems })],
    customFields: [{ id: 'f1', name: long, type: 'list', options: [{ id: 'o1', value: { text: long } }] }],
  }
  const name = 'x'.repeat(1_001)
  expect((await readWholeFile(JSON.stringify(board))).rows).toMatchObject([
    { 'List Name': name, 'Board Name': name, Members: name, attributes: { [name]: name } },
  ])
})

test('a card with too many comments is rejected alone', async () => {
  const [, said] = BOARD.actions
  const actions = Array.from({ length: 100 }, () => ({
    ...said,
    data: { card: { id: 'c1' }, text: 'x'.repeat(16_000) },
  }))
  const { rows } = await readWholeFile(JSON.stringify({ ...BOARD, actions }))
  expect(rows.slice(0, 2)).toEqual(BOARD_ROWS.slice(0, 2))
  expect(rows[2]).toMatchObject({ reason: expect.stringContaining('longer than 1024 KiB') })
})

const issueOf = (number: number, more: object = {}) => ({
  ...{
    number,
    title: `Issue ${number}`,
    body: null,
    state: 'open',
    labels: [{ name: 'bug' }],
    milestone: { title: 'v1' },
  },
  ...{ assignees: [{ login: 'ada' }, { login: 'bob' }], user: { login: 'cy' }, comments: 2, ...more },
  ...{ html_url: `https://github.com/o/r/issues/${number}`, created_at: '2026-01-01T00:00:00Z', closed_at: null },
})

test('issues of GitHub become flat rows without pull requests, and rows count on', async () => {
  const issues = [issueOf(1), issueOf(2, { pull_request: {} }), issueOf(3, { state: 'closed', labels: [] })]
  const file = await readWholeFile(JSON.stringify(issues))
  expect([file.firstRows, file.rows]).toEqual([
    [1],
    [
      {
        ...{ number: '1', title: 'Issue 1', body: null, state: 'open', state_reason: '', labels: '["bug"]' },
        ...{ milestone: 'v1', assignees: 'ada, bob', author: 'cy', html_url: 'https://github.com/o/r/issues/1' },
        ...{ created_at: '2026-01-01T00:00:00Z', closed_at: '' },
      },
      expect.objectContaining({ number: '3', state: 'closed', labels: '' }),
    ],
  ])
  // Lines of the command line have other names, and list the comments.
  const comments = [{ author: { login: 'ada' }, body: 'Yes', createdAt: '2026-01-02T00:00:00Z' }]
  const line = { number: 4, title: 'Line', url: 'https://github.com/o/r/issues/4', state: 'OPEN', comments }
  const pull = { number: 5, title: 'Pull', url: 'https://github.com/o/r/pull/5', state: 'OPEN' }
  const lines = await readWholeFile([pull, line, line].map((issue) => JSON.stringify(issue)).join('\n'))
  expect(lines).toMatchObject({
    ...{ kind: 'ndjson', firstRows: [1, 2] },
    rows: [{ number: '4', state: 'open', comments: [{ text: 'Yes', author: 'ada' }] }, { number: '4' }],
  })
})

test('issues of GitLab get the columns of its CSV', async () => {
  const issue = {
    ...{ id: 900, iid: 3, title: 'Issue', description: 'Text', state: 'opened', labels: ['a, b', 'c'], weight: 5 },
    ...{ milestone: { title: 'v1' }, web_url: 'https://gitlab.com/o/r/-/issues/3', due_date: '2026-02-01' },
    ...{ author: { name: 'Ada', username: 'ada' }, assignees: [], created_at: '2026-01-01T00:00:00.000Z' },
  }
  expect((await readWholeFile(JSON.stringify([issue]))).rows).toMatchObject([
    {
      ...{ 'Issue ID': '3', Title: 'Issue', State: 'Open', Labels: '["a, b","c"]', Weight: 5, Milestone: 'v1' },
      ...{ URL: 'https://gitlab.com/o/r/-/issues/3', 'Due Date': '2026-02-01', Author: 'Ada', Assignee: '' },
    },
  ])
})
