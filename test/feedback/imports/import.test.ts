import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { readClock } from '../../clock'
import { createImportScenario } from './scenario'

const ITEMS = '/api/feedback-items'

test('a file is imported with its authors, categories, tags, votes, comments and dates', async () => {
  const here = await createImportScenario()
  await here.client('POST', `${ITEMS}/categories`, { json: { name: 'Look & feel' } })
  const comments = [
    { id: 7, text: '<b>Yes</b><script>x()</script>', email: 'bob@example.com', createdAt: '2025-02-01T00:00:00.000Z' },
    { id: 9, parentId: 7, text: 'Indeed', isPrivate: true },
  ]
  const rows = [
    {
      ...{
        Title: 'Dark mode',
        Type: 'Bug',
        Description: '<p>At <i onclick="x()">night</i></p>',
        Category: 'look and FEEL',
      },
      ...{ Labels: 'UI, ui, C#', 'Author email': ' Ada@Example.com', 'Created by': 'Ada Lovelace' },
      ...{
        'Created date': '2025-01-31T09:00:00Z',
        Voters: ['bob@example.com', { email: 'eve@example.com' }],
        Comments: comments,
      },
      ...{ Collections: ['Night'], Plan: 'pro', Seats: 12 },
    },
    { Title: 'Else', Category: 'Nowhere', 'Created by': 'Somebody' },
  ]
  const made = await here.run(JSON.stringify(rows), { name: 'ideas.json' })
  expect([made.status, made.cost.roundTrips]).toEqual([201, 2])
  expect(made.body.data).toMatchObject({ status: 'completed', totals: { rows: 2, created: 2, rejected: 0 } })
  const [second, first] = await here.items()
  expect(second).toMatchObject({ title: 'Dark mode', type: 'issue', slug: 'dark-mode', category: 'Look & feel' })
  expect(second).toMatchObject({
    ...{ long_description: '<p>At <i>night</i></p>', tags: ['ui', 'C#'], collections: ['Night'] },
    ...{ attributes: { Plan: 'pro', Seats: 12 }, author: 'ada@example.com', author_name: 'Ada Lovelace' },
    ...{ created_at: '2025-01-31T09:00:00.000Z', vote: 2, comment: 1 },
  })
  expect(second?.votes?.map(({ email }) => email)).toEqual(['bob@example.com', 'eve@example.com'])
  const [said, reply] = second?.comments ?? []
  expect(said).toMatchObject({ text: '<b>Yes</b>', email: 'bob@example.com', isPrivate: false, parentId: null })
  expect(reply).toMatchObject({ text: 'Indeed', email: 'owner@example.com', isPrivate: true, parentId: said?.id })
  expect(first).toMatchObject({
    ...{ title: 'Else', author: 'owner@example.com', category: '' },
    attributes: { category: 'Nowhere', author: 'Somebody' },
  })
  const { results } = await env.DB.prepare('SELECT type FROM log WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .all<{ type: string }>()
  expect(results.map(({ type }) => type).filter((type) => /voted|status_changed|^import/.test(type))).toEqual([
    'import.completed',
  ])
  expect(await env.DB.prepare('SELECT count(*) AS n FROM feedback_bulk').first('n')).toBe(0)
  const found = await here.client<{ title: string }[]>('GET', `${ITEMS}?q=dark+mode`)
  expect(found.body.data.map(({ title }) => title)).toEqual(['Dark mode'])
})

const FIDER = `number,title,description,created_at,created_by,total_votes,total_comments,status,responded_by,responded_at,response,original_number,original_title,tags
4,Faster start,It takes long,2024-03-23T19:33:22Z,Rosa,12,2,Planned,Uma,2024-04-04T19:48:10Z,Next month,,,"speed, app"
9,Start faster,,2024-02-21T15:51:35Z,Kim,1,0,Duplicate,Uma,2024-03-17T10:15:42Z,See the other,4,Faster start,
`
const CANNY = `Post ID,Title,Details,Status,Board,Category,Tags,Author Name,Author Email,Created,Votes,Comments,Owner,ETA,URL
65a1,Faster start,"It takes
long",planned,Features,Speed,"app,web",Rosa,rosa@example.com,2024-03-23T19:33:22.123Z,12,2,Uma,,https://example.canny.io/p/1
65a2,=SUM(A1),,open,Bugs,,,,,2024-03-24T00:00:00.000Z,0,0,,,
`
const USERVOICE = `Idea ID,Idea Title,Idea Description,Idea Creator Email Address,Idea Creator Name,Forum Name,Labels,Public Status Name,Voters Count,Created Timestamp,User Email Address,User Name
31,Faster start,It takes long,rosa@example.com,Rosa,General,"app,web",planned,2,2024-03-23 19:33:22,rosa@example.com,Rosa
31,Faster start,It takes long,rosa@example.com,Rosa,General,"app,web",planned,2,2024-03-23 19:33:22,kim@example.com,Kim
32,Dark mode,,kim@example.com,Kim,General,,,0,2024-03-24 00:00:00,,
`
const ANALYSIS = `suggestion.id,suggestion.title,suggestion.body,suggestion.category.name,suggestion.status.name,suggestion.labels.name,suggestion.created_timestamp
31,Faster start,It takes long,Speed,planned,"app,web",2024-03-23 19:33:22
`
const SEMICOLONS = CANNY.replace(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g, ';')

test.each([
  ['fider', FIDER, { tags: ['speed', 'app'], attributes: { id: '4', author: 'Rosa', votes: '12' }, status: 'planned' }],
  ['canny', CANNY, { tags: ['app', 'web'], author: 'rosa@example.com', attributes: { id: '65a1' }, status: 'planned' }],
  ['canny', SEMICOLONS, { tags: ['app', 'web'], attributes: { board: 'Features', category: 'Speed' } }],
  ['uservoice', USERVOICE, { vote: 2, author_name: 'Rosa', attributes: { forum: 'General', votes: '2' } }],
  ['uservoice-analysis', ANALYSIS, { tags: ['app', 'web'], attributes: { category: 'Speed' } }],
])('an export of %s is imported by its preset', async (preset, file, expected) => {
  const here = await createImportScenario()
  const { body } = await here.run(file)
  expect(body.data).toMatchObject({ mapping: { preset }, totals: { rejected: 0 } })
  const item = (await here.items()).find(({ title }) => title === 'Faster start')
  expect(item).toMatchObject({ ...expected, slug: 'faster-start' })
  expect(item?.created_at).toMatch(/^2024-03-23T19:33:22/)
})

test('a status is found by its name, exported, and imported again', async () => {
  const here = await createImportScenario()
  await here.run(CANNY.replace(',open,', ',Parked,'))
  const shown = async () => {
    const items = await here.items()
    return items.map(({ title, status, attributes }) => [title, status, (attributes as { status?: string })?.status])
  }
  expect(await shown()).toEqual([
    ['Faster start', 'planned', undefined],
    ['=SUM(A1)', null, 'Parked'],
  ])
  const [item] = await here.items()
  const row = { externalKey: item?.external_key, title: 'Faster start', status: ' plannéd' }
  const again = await here.run(JSON.stringify([row]), { name: 'a.json', query: '&onConflict=update' })
  expect(again.body.data.totals).toMatchObject({ skipped: 1, updated: 0 })
  const changed = await here.run(JSON.stringify([{ ...row, status: 'open' }]), {
    name: 'a.json',
    query: '&onConflict=update',
  })
  expect(changed.body.data.totals).toMatchObject({ updated: 1 })
  expect((await shown())[0]).toEqual(['Faster start', 'open', undefined])
  await here.client('POST', `/api/v2/imports/${changed.body.data.id}/undo`)
  expect((await shown())[0]).toEqual(['Faster start', 'planned', undefined])
})

test('rows of the same idea are merged with all votes, and each voter counts once', async () => {
  const here = await createImportScenario()
  const { body } = await here.run(USERVOICE)
  expect(body.data.totals).toMatchObject({ rows: 3, created: 2, skipped: 1 })
  const items = await here.items()
  expect(items.map(({ title, votes }) => [title, votes?.map(({ email }) => email).toSorted()])).toEqual([
    ['Faster start', ['kim@example.com', 'rosa@example.com']],
    ['Dark mode', []],
  ])
})

test('a row without a title or with a removed author is rejected, and unreadable cells become warnings', async () => {
  const here = await createImportScenario()
  const gone = await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'gone@example.com' } })
  await here.client('DELETE', `/api/v2/users/${gone.body.data.id}`)
  const rows = [
    { title: 'Good 🎈 <b>x</b>', description: '🎈<script>x()</script>' },
    { title: '  ' },
    { title: 'x'.repeat(501) },
    { title: 'Author', author: 'nobody' },
    { title: 'Gone', author: 'gone@example.com' },
    { title: 'When', createdAt: 'yesterday' },
    { title: 'Votes', votes: ['me'] },
    { title: 'Comments', comments: 'nice' },
    { title: 'Empty comment', comments: [{ text: ' ' }] },
    { title: 'Flag', isAnonymous: 'maybe' },
    { title: 'Tag', tags: ['x'.repeat(101)] },
    { title: 'Deep', description: `${'<div>'.repeat(200)}x` },
    { title: 'Future', createdAt: '2999-01-01' },
    JSON.parse('{"title": "Proto", "constructor": "x", "toString": 1}'),
  ]
  const { body } = await here.run(JSON.stringify(rows), { name: 'a.json' })
  expect(body.data).toMatchObject({ status: 'partial', totals: { rows: 14, created: 12, rejected: 2 } })
  expect(body.data.rejected.map(({ row, field }) => [row, field])).toEqual([
    [2, 'title'],
    [5, 'author'],
  ])
  expect(body.data.warnings.map(({ field, rows, value, became }) => [field, rows, value, became])).toEqual([
    ['title', 1, expect.stringMatching(/^x{99}…$/), expect.stringMatching(/^x{99}…$/)],
    ['author', 1, 'nobody', 'attributes.author'],
    ['createdAt', 1, 'yesterday', null],
    ['votes', 1, 'me', null],
    ['comments', 1, 'nice', null],
    ['comments', 1, '{"text":" "}', null],
    ['isAnonymous', 1, 'maybe', null],
    ['tags', 1, expect.stringMatching(/^x{99}…$/), null],
    ['description', 1, expect.stringMatching(/^<div>/), null],
  ])
  const items = await here.items()
  expect(items.find(({ title }) => title === 'Good 🎈 <b>x</b>')).toMatchObject({ long_description: '🎈' })
  expect(Date.parse(items.at(-1)?.created_at ?? '')).toBeLessThanOrEqual(readClock())

  for (const [content, name] of [
    ['', 'a.csv'],
    ['title\n', 'a.csv'],
    ['name,body\n1,2\n', 'a.csv'],
    ['{"a":', 'a.json'],
  ] as const) {
    const refused = await here.run(content, { name })
    expect([content, refused.status]).toEqual([content, 400])
  }
  expect((await here.run('title\nx\n', { product: 'NO-PE' })).status).toBe(404)
  const without = await here.client('POST', `${ITEMS}/import`, { json: [{ title: 'x' }] })
  expect([without.status, without.body.error?.issues[0]?.path]).toEqual([400, '/query/product'])
})

test('a known row is skipped or updated, and an undo restores the old values', async () => {
  const here = await createImportScenario()
  const item = { title: 'Dark mode', tags: ['ui', 'old'], collections: ['A'], target_audience: 'All' }
  const created = await here.client<{ external_key: string }>('POST', ITEMS, {
    json: { ...item, product: here.product.externalKey, attributes: { plan: 'pro' } },
  })
  const key = created.body.data.external_key
  const [before] = await here.items()
  const file = `key,title,tags,description,plan,votes\n${key},Darker,"ui,new",<p>Hi</p>,free,eve@example.com\n,New one,,,,\n`
  const left = await here.run(file)
  expect(left.body.data.totals).toMatchObject({ created: 1, skipped: 1 })
  const run = await here.run(file.replace(/,New one.*\n/, ''), { query: '&onConflict=update' })
  expect(run.body.data.totals).toMatchObject({ created: 0, updated: 1 })
  expect((await here.items()).find(({ external_key }) => external_key === key)).toMatchObject({
    ...{ title: 'Darker', slug: 'dark-mode', tags: ['ui', 'new'], long_description: '<p>Hi</p>', vote: 0 },
    ...{ attributes: { plan: 'free' }, target_audience: 'All', collections: ['A'] },
  })
  const again = await here.run(file.replace(/,New one.*\n/, ''), { query: '&onConflict=update' })
  expect(again.body.data.totals).toMatchObject({ updated: 0, skipped: 1 })

  const undone = await here.client<{ status: string }>('POST', `/api/v2/imports/${run.body.data.id}/undo`)
  expect(undone.body.data.status).toBe('undone')
  const after = (await here.items()).find(({ external_key }) => external_key === key)
  expect({ ...after, updated_at: '' }).toEqual({ ...before, updated_at: '' })
  // An external key is known in its own product only, so the rows are created.
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'O' } })
  const elsewhere = await here.run(file, { product: other.body.data.externalKey, query: '&onConflict=update' })
  expect(elsewhere.body.data.totals).toMatchObject({ created: 2, updated: 0 })
})

test('an undo removes imported items, except items that have changed since', async () => {
  const here = await createImportScenario()
  const rows = Array.from({ length: 5 }, (_, n) => ({
    ...{ title: `Idea ${n}`, votes: ['a@example.com', 'b@example.com'], tags: ['t'] },
    comments: [{ text: 'One' }, { text: 'Two', isPrivate: true }],
  }))
  const made = await here.run(JSON.stringify(rows), { name: 'a.json' })
  const ids = new Map((await here.items()).map(({ title, id, external_key }) => [title, { id, external_key }]))
  await here.client('PUT', `${ITEMS}/${ids.get('Idea 1')?.external_key}`, { json: { title: 'Mine' } })
  const own = { subscription_id: here.subscriptionId, user_id: here.userId, created_at: 1 }
  await here.row('feedback_comments', {
    ...own,
    feedback_id: Number(ids.get('Idea 2')?.id),
    text: 'Hm',
    is_private: 1,
    updated_at: 1,
  })
  await env.DB.prepare(
    'INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at) VALUES (?, ?, ?, 1)',
  )
    .bind(here.subscriptionId, ids.get('Idea 3')?.id ?? 0, here.userId)
    .run()
  const undone = await here.client<{ totals: { kept: number }; kept: { row: number; reason: string }[] }>(
    'POST',
    `/api/v2/imports/${made.body.data.id}/undo`,
  )
  expect(undone.body.data.kept.map(({ row }) => row)).toEqual([2, 3, 4])
  expect((await here.items()).map(({ title }) => title)).toEqual(['Mine', 'Idea 2', 'Idea 3'])
  // A file can be imported again after an undo, with the same slugs.
  const again = await here.run(JSON.stringify(rows), { name: 'a.json' })
  expect(again.body.data.totals).toMatchObject({ created: 5 })
  expect((await here.items()).map(({ slug }) => slug)).toEqual(expect.arrayContaining(['idea-0', 'idea-4']))
  const tag = await env.DB.prepare('SELECT usage_count FROM tags WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .first()
  expect(tag).toEqual({ usage_count: 8 })
})

test('a key that is limited to products imports into its products and creates no members', async () => {
  const here = await createImportScenario()
  const apiKey = await here.key({ products: [here.product.id] })
  await here.client('POST', '/api/v2/users', { json: { email: 'known@example.com' } })
  const rows = [
    { title: 'Known', author: 'known@example.com', votes: ['known@example.com', 'new@example.com'] },
    { title: 'New', author: 'new@example.com' },
  ]
  const made = await here.run(JSON.stringify(rows), { name: 'a.json', apiKey })
  expect(made.body.data).toMatchObject({ totals: { created: 1, rejected: 1 }, rejected: [{ row: 2, field: 'author' }] })
  expect((await here.items())[0]).toMatchObject({ author: 'known@example.com', vote: 1, slug: 'known_1' })
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'O' } })
  expect((await here.run('title\nx\n', { apiKey, product: other.body.data.externalKey })).status).toBe(403)
})

test('a dry run shows the result and stores nothing', async () => {
  const here = await createImportScenario()
  const { status, body } = await here.run(CANNY, { query: '&dryRun=true' })
  expect([status, body.data.totals, body.data.mapping.preset]).toMatchObject([
    200,
    { created: 2, rejected: 0 },
    'canny',
  ])
  expect(body.data.preview?.[0]).toMatchObject({
    ...{ title: 'Faster start', author: 'rosa@example.com', category: null, status: 'planned' },
    attributes: { category: 'Speed' },
  })
  expect(await here.items()).toEqual([])
})
