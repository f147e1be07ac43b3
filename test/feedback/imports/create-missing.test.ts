import { expect, test } from 'vitest'
import { createImportScenario } from './scenario'

const ITEMS = '/api/feedback-items'

async function createNamedScenario() {
  const here = await createImportScenario()
  const list = async (path: string) =>
    (await here.client<{ name: string }[]>('GET', path)).body.data.map(({ name }) => name)
  return {
    ...here,
    statuses: () => list(`${ITEMS}/statuses`),
    categories: () => list(`${ITEMS}/categories`),
    tags: () => list(`/api/initiatives/${here.product.externalKey}/tags`),
    undo: (id: number) => here.client('POST', `/api/v2/imports/${id}/undo`),
    shown: async () =>
      (await here.items())
        .toSorted((a, b) => a.title.localeCompare(b.title))
        .map(({ title, status, category, tags }) => [title, status, category, tags]),
  }
}

const FILE = `title,status,category,tags
A,Shipped,Speed,app
B,Won't do,speed,"app,web"
C,In beta,Look & feel,
D,in  Beta,Speed,
E,planned,,
`

test('unknown names are listed, and only tags are created without createMissing', async () => {
  const here = await createNamedScenario()
  const [statuses, categories] = [await here.statuses(), await here.categories()]
  const preview = await here.run(FILE, { query: '&dryRun=true' })
  const made = await here.run(FILE)
  expect(made.body.data.totals).toEqual(preview.body.data.totals)
  expect(made.body.data.warnings).toEqual(preview.body.data.warnings)
  expect(made.body.data.mapping).toEqual(preview.body.data.mapping)
  expect(made.body.data.warnings.map(({ field, value, rows, became }) => [field, value, rows, became])).toEqual([
    ['category', 'Speed', 2, 'attributes.category'],
    ['category', 'speed', 1, 'attributes.category'],
    ['category', 'Look & feel', 1, 'attributes.category'],
    ['status', 'In beta', 1, 'attributes.status'],
    ['status', 'in  Beta', 1, 'attributes.status'],
  ])
  expect([await here.statuses(), await here.categories(), await here.tags()]).toEqual([
    ...[statuses, categories, ['app', 'web']],
  ])
  expect(await here.shown()).toEqual([
    ['A', 'completed', '', ['app']],
    ['B', 'declined', '', ['app', 'web']],
    ['C', null, '', []],
    ['D', null, '', []],
    ['E', 'planned', '', []],
  ])
  const none = await here.run('title,tags\nF,"app,desk"\n', { query: '&createMissing=' })
  expect(none.body.data.warnings).toMatchObject([{ field: 'tags', value: 'desk', rows: 1, became: null }])
  expect(await here.tags()).toEqual(['app', 'web'])
  expect((await here.shown()).at(-1)).toEqual(['F', null, '', ['app']])
})

test('createMissing makes statuses, categories and tags once, and the undo removes the unused records', async () => {
  const here = await createNamedScenario()
  const query = '&createMissing=statuses,categories,tags'
  const statuses = await here.statuses()
  const preview = await here.run(FILE, { query: `${query}&dryRun=true` })
  const first = await here.run(FILE, { query })
  await here.run(FILE, { query })
  expect(first.body.data).toMatchObject({
    ...{ warnings: [], totals: preview.body.data.totals, mapping: preview.body.data.mapping },
  })
  expect(await here.statuses()).toEqual([...statuses, 'In beta'])
  expect(await here.categories()).toEqual(['Look & feel', 'Speed'])
  expect((await here.shown()).slice(0, 8)).toEqual([
    ...[1, 2].map(() => ['A', 'completed', 'Speed', ['app']]),
    ...[1, 2].map(() => ['B', 'declined', 'Speed', ['app', 'web']]),
    ...[1, 2].map(() => ['C', 'In beta', 'Look & feel', []]),
    ...[1, 2].map(() => ['D', 'In beta', 'Speed', []]),
  ])
  // The records of the first run are in use by the second.
  await here.undo(first.body.data.id)
  expect([await here.statuses(), await here.categories(), await here.tags()]).toEqual([
    ...[
      [...statuses, 'In beta'],
      ['Look & feel', 'Speed'],
      ['app', 'web'],
    ],
  ])
  const third = await here.run('title,status,category,tags\nG,Alpha,New,fresh\n', { query })
  await here.undo(third.body.data.id)
  expect([await here.statuses(), await here.categories(), await here.tags()]).toEqual([
    ...[
      [...statuses, 'In beta'],
      ['Look & feel', 'Speed'],
      ['app', 'web'],
    ],
  ])
})

test('slices of a run create a name once', async () => {
  const here = await createNamedScenario()
  const rows = Array.from({ length: 2_100 }, (_, n) => `Item ${n},${n % 2 ? 'Speed' : 'Looks'},tag-${n % 3}\n`)
  const made = await here.run(`title,category,tags\n${rows.join('')}`, { query: '&createMissing=categories,tags' })
  expect(made.body.data).toMatchObject({ totals: { created: 2_100 }, warnings: [] })
  expect([await here.categories(), await here.tags()]).toEqual([
    ['Looks', 'Speed'],
    ['tag-0', 'tag-1', 'tag-2'],
  ])
  await here.undo(made.body.data.id)
  expect([await here.categories(), await here.tags()]).toEqual([[], []])
})

test('a closed post of Canny is declined', async () => {
  const here = await createNamedScenario()
  await here.run('Post ID,Title,Details,Status\n1,A,,closed\n2,B,,complete\n3,C,,Closed\n')
  expect((await here.shown()).map(([, status]) => status)).toEqual(['declined', 'completed', 'declined'])
})

test('an update creates missing records too, and its dry run counts the same rows', async () => {
  const here = await createNamedScenario()
  await here.run('title\nA\nB\n')
  const keys = new Map((await here.items()).map(({ title, external_key }) => [title, external_key]))
  const file = `key,title,status,category\n${keys.get('A')},A,In beta,Speed\n${keys.get('B')},B,,\n`
  const query = '&onConflict=update&createMissing=statuses,categories'
  const preview = await here.run(file, { query: `${query}&dryRun=true` })
  const made = await here.run(file, { query })
  expect(preview.body.data.totals).toEqual(made.body.data.totals)
  expect(made.body.data).toMatchObject({ totals: { updated: 1, skipped: 1 }, warnings: [] })
  expect((await here.shown())[0]?.slice(0, 3)).toEqual(['A', 'In beta', 'Speed'])
  await here.undo(made.body.data.id)
  expect((await here.shown())[0]?.slice(0, 3)).toEqual(['A', null, ''])
  expect(await here.categories()).toEqual([])
})

test('a key that is limited to products creates no statuses and no categories', async () => {
  const here = await createNamedScenario()
  const apiKey = await here.key({ products: [here.product.id] })
  const made = await here.run('title,status\nA,In beta\n', { query: '&createMissing=statuses,tags', apiKey })
  expect(made.body.data).toMatchObject({
    mapping: { createMissing: ['tags'] },
    warnings: [{ field: 'status', value: 'In beta', became: 'attributes.status' }],
  })
  const refused = await here.run('title\nA\n', { query: '&createMissing=colors' })
  expect([refused.status, refused.body.error?.issues[0]?.path]).toEqual([400, '/query/createMissing'])
})

test('an author without an address is the only member with the name', async () => {
  const here = await createNamedScenario()
  const add = (email: string, firstName: string, lastName: string) =>
    here.client('POST', '/api/v2/users', { json: { email, firstName, lastName } })
  await add('ada@example.com', 'Ada', 'Lovelace')
  await add('kim1@example.com', 'Kim', 'Li')
  await add('kim2@example.com', 'Kim', 'Li')
  const file = 'title,submitted by\nA,ada LOVELACE\nB,Kim Li\nC,Nobody\n'
  const preview = await here.run(file, { query: '&dryRun=true' })
  const made = await here.run(file)
  expect(made.body.data.warnings).toEqual(preview.body.data.warnings)
  expect(made.body.data.warnings.map(({ field, value, became }) => [field, value, became])).toEqual([
    ['authorName', 'Kim Li', 'attributes.author'],
    ['authorName', 'Nobody', 'attributes.author'],
  ])
  const items = (await here.items()).toSorted((a, b) => a.title.localeCompare(b.title))
  expect(items.map(({ author, attributes }) => [author, attributes])).toEqual([
    ['ada@example.com', {}],
    ['owner@example.com', { author: 'Kim Li' }],
    ['owner@example.com', { author: 'Nobody' }],
  ])
})
