import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createImportScenario, type ExportedIdea } from './scenario'

const CANNY = `Post ID,Title,Details,Status,Category,Tags,Author Email,Created At,Voter Emails,Source
c1,Dark mode,At night,open,Look,"ui,night",ada@example.com,2026-01-02,"eve@example.com,bob@example.com",Intercom
c2,It crashes,On start,unheard of,,,,2026-01-03,,
`

const identitiesOf = (items: readonly ExportedIdea[]) =>
  items.map(({ title, source, external_id }) => [title, source, external_id])

async function createImport() {
  const here = await createImportScenario()
  const countRows = async (table: string) =>
    (
      await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`)
        .bind(here.subscriptionId)
        .first<{ n: number }>()
    )?.n
  const followers = async () =>
    (
      await env.DB.prepare(
        `SELECT i.title, u.email, s.reason FROM feedback_subscriptions s JOIN feedback_items i ON i.id = s.feedback_id
           JOIN users u ON u.id = s.user_id WHERE s.subscription_id = ? ORDER BY i.id, u.email`,
      )
        .bind(here.subscriptionId)
        .raw()
    ).map((row) => row.join(' '))
  return { ...here, countRows, followers }
}

test.each(['skip', 'update'])('the same file of Canny again changes nothing with onConflict=%s', async (onConflict) => {
  const here = await createImport()
  const first = await here.run(CANNY)
  expect(first.body.data).toMatchObject({ mapping: { preset: 'canny' }, totals: { created: 2 } })
  const items = await here.items()
  expect(identitiesOf(items)).toEqual([
    ['Dark mode', 'canny', 'c1'],
    ['It crashes', 'canny', 'c2'],
  ])
  expect(items[0]?.attributes).toMatchObject({ source: 'Intercom' })
  const again = await here.run(CANNY, { query: `&onConflict=${onConflict}` })
  expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 2, rejected: 0 })
  const preview = await here.run(CANNY, { query: `&dryRun=true&onConflict=${onConflict}` })
  expect(preview.body.data.totals).toMatchObject({ created: 0, updated: 0 })
  expect(await here.items()).toEqual(items)
  const changed = await here.run(CANNY.replace('Dark mode', 'Darker'), { query: `&onConflict=${onConflict}` })
  expect(changed.body.data.totals).toMatchObject({ created: 0, updated: onConflict === 'update' ? 1 : 0 })
})

test('ids of rows and of own exports identify items, and a known item gets an id that is free', async () => {
  const here = await createImport()
  const rows = [
    { title: 'One', source: 'CRM', externalId: '1' },
    { title: 'Two', externalId: '2' },
    { title: 'Three', source: 'web' },
    { title: 'Four', source: 'no system!', externalId: '4' },
    { title: 'One again', source: 'crm', externalId: '1' },
  ]
  const made = await here.run(JSON.stringify(rows), { name: 'ideas.json' })
  expect(made.body.data.totals).toMatchObject({ created: 4, skipped: 1, rejected: 0 })
  expect(made.body.data).toMatchObject({
    warnings: [
      { field: 'source', value: 'no system!' },
      { field: 'externalId', value: '1', reason: expect.stringContaining('The earlier row counts.') },
    ],
  })
  const items = await here.items()
  expect(identitiesOf(items)).toEqual([
    ['One', 'crm', '1'],
    ['Two', 'import', '2'],
    ['Three', null, null],
    ['Four', null, null],
  ])
  expect(items[2]?.attributes).toEqual({ source: 'web' })
  for (const format of ['csv', 'json', 'ndjson']) {
    const there = await createImport()
    const file = await here.file(`format=${format}`)
    // In a new workspace the items have the same keys again.
    for (const created of [4, 0]) {
      const run = await there.run(file, { name: `ideas.${format}`, query: '&onConflict=update' })
      expect(run.body.data.totals).toMatchObject({ created, updated: 0, rejected: 0 })
    }
    expect(identitiesOf(await there.items()).slice(0, 4)).toEqual(identitiesOf(items))
  }
  const [, , three] = items
  const given = [{ title: 'Three', externalKey: three?.external_key, source: 'crm', externalId: '3' }]
  const taken = [{ title: 'Three', externalKey: three?.external_key, source: 'crm', externalId: '1' }]
  for (const [rows, updated] of [
    [taken, 0],
    [given, 1],
    [given, 0],
  ] as const) {
    const run = await here.run(JSON.stringify(rows), { name: 'ideas.json', query: '&onConflict=update' })
    expect(run.body.data.totals).toMatchObject({ created: 0, updated, rejected: 0 })
  }
  expect(identitiesOf(await here.items())[2]).toEqual(['Three', 'crm', '3'])
})

test('a file of several products with one id gives the id to one item', async () => {
  const here = await createImport()
  const rows = ['A', 'B'].map((title, n) => ({ title, externalKey: `IDEA-90${n}`, source: 'crm', externalId: '1' }))
  const run = await here.run(JSON.stringify(rows), { name: 'ideas.json' })
  expect(run.body.data.totals).toMatchObject({ created: 2, rejected: 0 })
  expect(identitiesOf(await here.items())).toEqual([
    ['A', 'crm', '1'],
    ['B', null, null],
  ])
})

test('imported voters and commenters follow the item, and the import sends no mail', async () => {
  const here = await createImport()
  const rows = [
    {
      title: 'Voted',
      author: 'ada@example.com',
      votes: ['eve@example.com', { email: 'bob@example.com', type: 'down' }],
      comments: [
        { text: 'Yes', email: 'kim@example.com' },
        { text: 'No', email: 'eve@example.com' },
        { text: 'Secret', email: 'lee@example.com', isPrivate: true },
        { text: 'Nobody' },
      ],
    },
    { title: 'Named', author: 'ada@example.com', votes: ['eve@example.com'], followers: ['kim@example.com'] },
    { title: 'Counted', author: 'ada@example.com', followers: 12 },
  ]
  await here.run(JSON.stringify(rows), { name: 'ideas.json' })
  expect(await here.followers()).toEqual([
    'Voted ada@example.com author',
    'Voted bob@example.com vote',
    'Voted eve@example.com vote',
    'Voted kim@example.com comment',
    'Named ada@example.com author',
    'Named kim@example.com asked',
    'Counted ada@example.com author',
  ])
  expect((await here.items())[2]?.attributes).toEqual({ followers: '12' })
  const [{ external_key: externalKey = '' } = {}] = await here.items()
  const update = [{ title: 'Voted', externalKey, status: 'planned' }]
  const run = await here.run(JSON.stringify(update), { name: 'ideas.json', query: '&onConflict=update' })
  expect(run.body.data.totals).toMatchObject({ updated: 1 })
  await here.client('POST', `/api/v2/imports/${run.body.data.id}/undo`, {})
  expect((await here.items())[0]).toMatchObject({ status: null })
  await here.run(JSON.stringify(update), { name: 'ideas.json', query: '&onConflict=update' })
  expect([await here.countRows('feedback_notices'), await here.countRows('notices')]).toEqual([0, 0])
  await here.client('PUT', `/api/feedback-items/${externalKey}`, { json: { status_id: null } })
  const { body } = await here.client<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')
  const json = { status_id: body.data.find(({ name }) => name === 'completed')?.id }
  await here.client('PUT', `/api/feedback-items/${externalKey}`, { json })
  expect([await here.countRows('feedback_notices'), await here.countRows('notices')]).toEqual([0, 1])
})

test('followers survive an export, also a person who has left', async () => {
  const here = await createImport()
  await here.run(
    JSON.stringify([{ title: 'One', author: 'ada@example.com', votes: ['eve@example.com', 'bob@example.com'] }]),
    { name: 'ideas.json' },
  )
  await env.DB.prepare(`UPDATE feedback_subscriptions SET reason = 'left' WHERE subscription_id = ?
    AND user_id = (SELECT id FROM users WHERE email = 'eve@example.com' AND subscription_id = ?1)`)
    .bind(here.subscriptionId)
    .run()
  for (const format of ['csv', 'json', 'ndjson']) {
    const there = await createImport()
    await there.run(await here.file(`format=${format}&include=votes,followers`), { name: `ideas.${format}` })
    expect(await there.followers()).toEqual(await here.followers())
  }
})
