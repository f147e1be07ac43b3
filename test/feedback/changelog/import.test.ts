import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { HOSTILE_MARKUP } from '../../security/hostile'
import { importFile, type Run, sendImport } from '../../workspace/imports/scenario'

interface Entry {
  externalKey: string
  title: string
  content: string
  labels: string[]
  product: string | null
  status: string
  notify: string
  publishAt: string | null
  publishedAt: string | null
  source: string | null
  externalId: string | null
  createdAt: string
  ideas: string[]
  versions: string[]
}

const csv = (text: string) => new File([text], 'changelog.csv')
const json = (rows: object[]) => new File([JSON.stringify(rows)], 'changelog.json')
const run = (here: Workspace, file: File, query = '') =>
  importFile<Run & { preview?: object[] }>(here, 'changelog', file, query)

async function listEntries({ client }: Workspace): Promise<Entry[]> {
  const { body } = await client<Entry[]>('GET', '/api/v2/changelog/export?format=json')
  return body as unknown as Entry[]
}
const undo = async ({ client }: Workspace, { id }: Run) =>
  (await client<Run>('POST', `/api/v2/imports/${id}/undo`)).body.data

async function createIdea({ client, product }: Workspace, title = 'Dark mode') {
  const { body } = await client<{ external_key: string }>('POST', '/api/feedback-items', {
    json: { title, product: product.externalKey },
  })
  return body.data.external_key
}

const countRows = async ({ subscriptionId }: Workspace, table: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`).bind(subscriptionId).first<number>('n')

const TOMORROW = new Date(readClock() + 86_400_000).toISOString()

test('a status and a date decide whether an entry is a draft, scheduled or published', async () => {
  const here = await createWorkspace()
  const states: [given: Record<string, string>, status: string, at?: string][] = [
    [{}, 'draft'],
    [{ publishedAt: '2026-01-31' }, 'published', '2026-01-31T00:00:00.000Z'],
    [{ publishedAt: 'Jan 31, 2026' }, 'published', '2026-01-31T00:00:00.000Z'],
    [{ publishedAt: TOMORROW }, 'scheduled', TOMORROW],
    [{ status: 'draft', publishedAt: '2026-01-31' }, 'draft'],
    [{ status: 'Live', createdAt: '2026-01-30' }, 'published', '2026-01-30T00:00:00.000Z'],
    [{ status: 'scheduled', publishAt: TOMORROW }, 'scheduled', TOMORROW],
    [{ status: 'scheduled', publishAt: '2026-01-31' }, 'published', '2026-01-31T00:00:00.000Z'],
    [{ status: 'scheduled' }, 'draft'],
    [{ status: 'cooking', publishedAt: '2026-01-31' }, 'draft'],
    [{ publishedAt: 'soon' }, 'draft'],
  ]
  const made = await run(here, json(states.map(([given], n) => ({ title: `T${n}`, ...given }))))
  expect(made).toMatchObject({ kind: 'changelog', status: 'completed', totals: { created: states.length } })
  const entries = await listEntries(here)
  const shown = entries.map(({ title, status, publishAt, publishedAt }) => [title, status, publishAt ?? publishedAt])
  expect(shown.toSorted()).toEqual(states.map(([, status, at], n) => [`T${n}`, status, at ?? null]).toSorted())
  expect(made.warnings.map(({ field, value, became }) => [field, value, became])).toEqual([
    ['status', 'scheduled', 'draft'],
    ['status', 'cooking', 'draft'],
    ['publishedAt', 'soon', null],
  ])
})

test('nobody gets a mail about entries that an import publishes, also after they were taken back', async () => {
  const here = await createWorkspace()
  await here.client('POST', '/api/v2/changelog/subscription', { json: { email: 'fan@example.com' } })
  await run(here, csv('title,publishedAt,notify\nDark,2026-01-31,now\nLight,2026-02-01,later\n'))
  expect(await countRows(here, 'notices')).toBe(0)
  await here.client('POST', '/api/v2/changelog/CL-1/unpublish')
  await here.client('POST', '/api/v2/changelog/CL-1/publish')
  expect(await countRows(here, 'notices')).toBe(0)
  await here.client('POST', '/api/v2/changelog', { json: { title: 'Own' } })
  await here.client('POST', '/api/v2/changelog/CL-3/publish')
  expect(await countRows(here, 'notices')).toBe(1)
})

test('an export of the changelog is imported again, in CSV, JSON and NDJSON', async () => {
  const here = await createWorkspace()
  const idea = await createIdea(here)
  await here.client('POST', '/api/v2/changelog', {
    json: {
      title: '=1+1',
      content: '<p>One</p>',
      labels: ['New', 'a,b'],
      ideas: [idea],
      product: here.product.externalKey,
    },
  })
  await here.client('POST', '/api/v2/changelog', { json: { title: 'Two', publishAt: TOMORROW, notify: 'none' } })
  await here.client('POST', '/api/v2/changelog', { json: { title: 'Three' } })
  await here.client('POST', '/api/v2/changelog/CL-3/publish')
  const before = await listEntries(here)
  for (const format of ['csv', 'json', 'ndjson']) {
    const { response } = await send('GET', `/api/v2/changelog/export?format=${format}`, { apiKey: await here.key() })
    const file = new File([await response.text()], `changelog.${format}`)
    const again = await run(here, file, 'onConflict=update')
    expect([format, again.mapping, again.totals]).toMatchObject([
      format,
      { preset: 'groundwork' },
      { created: 0, updated: 0, skipped: 3, rejected: 0 },
    ])
    const other = await createWorkspace()
    await createIdea(other)
    const copied = await importFile<Run>(other, 'changelog', file, '')
    // Another workspace has no product with the key.
    expect([format, copied.totals.created, copied.totals.rejected]).toEqual([format, 2, 1])
    await run(other, json([{ ...before[0], externalKey: null, product: other.product.externalKey }]))
    const entries = await listEntries(other)
    const pick = ({ title, content, labels, status, notify, publishAt, publishedAt, createdAt, ideas }: Entry) => ({
      ...{ title, content, labels, status, notify, publishAt, publishedAt, createdAt, ideas },
    })
    const byTitle = (all: Entry[]) => all.map(pick).toSorted((a, b) => a.title.localeCompare(b.title))
    expect(byTitle(entries)).toEqual(byTitle(before))
  }
})

test('an update changes the text and the links, keeps the publication, and an undo restores both', async () => {
  const here = await createWorkspace()
  const [one, two] = [await createIdea(here, 'One'), await createIdea(here, 'Two')]
  const rows = [
    {
      source: 'headway',
      externalId: '7',
      title: 'Dark',
      content: 'x',
      labels: 'New',
      ideas: [one],
      publishedAt: '2026-01-31',
    },
  ]
  const made = await run(here, json(rows))
  const [before] = await listEntries(here)
  expect(before).toMatchObject({ source: 'headway', externalId: '7', ideas: [one], status: 'published' })
  const changed = json([{ ...rows[0], title: 'Night', ideas: [two], status: 'draft', labels: ['Better'] }])
  expect((await run(here, changed)).totals).toMatchObject({ created: 0, updated: 0, skipped: 1 })
  const preview = await run(here, changed, 'onConflict=update&dryRun=true')
  const update = await run(here, changed, 'onConflict=update')
  expect([preview.totals, update.totals]).toMatchObject([{ updated: 1 }, { updated: 1, created: 0 }])
  const [after] = await listEntries(here)
  expect(after).toMatchObject({ title: 'Night', ideas: [two], labels: ['Better'], status: 'published' })
  expect(preview.preview).toMatchObject([{ title: 'Night', ideas: [two], labels: ['Better'], status: 'published' }])
  const events = await here.client<object[]>('GET', '/api/v2/events?type=changelog_entry.*&order=newest')
  expect(events.body.data[0]).toMatchObject({
    ...{ type: 'changelog_entry.updated', data: { title: 'Night', ideas: [two] } },
    previous: { title: 'Dark', ideas: [one], labels: ['New'] },
  })
  expect(await undo(here, update)).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  expect(await listEntries(here)).toEqual([{ ...before, updatedAt: expect.any(String) }])
  await here.client('PUT', '/api/v2/changelog/CL-1', { json: { title: 'Own' } })
  const kept = await undo(here, made)
  expect(kept).toMatchObject({
    totals: { kept: 1 },
    kept: [{ externalKey: 'CL-1', reason: expect.stringContaining('changed') }],
  })
  const again = await run(here, json([{ source: 'headway', externalId: '8', title: 'Gone' }]))
  await undo(here, again)
  expect((await listEntries(here)).map(({ title }) => title)).toEqual(['Own'])
})

test('markup of a file runs nowhere, and Markdown becomes HTML', async () => {
  const here = await createWorkspace()
  await run(
    here,
    json(HOSTILE_MARKUP.map((content, n) => ({ title: `${n} ${content}`, content, labels: [content.slice(0, 40)] }))),
  )
  const entries = await listEntries(here)
  expect(entries).toHaveLength(HOSTILE_MARKUP.length)
  for (const { content } of entries)
    expect(content).not.toMatch(
      /<script|<iframe|<object|<style|<svg|<math|<[^>]*\son\w+\s*=|javascript:|<base|<meta|<form/i,
    )
  const raw = new FormData()
  raw.set('mapping', JSON.stringify({ textFormat: '=markdown', Body: 'content' }))
  raw.set('file', csv('title,Body\nLists,"# New\n\n- <script>alert(1)</script>one\n- **two**"\n'))
  await here.client('POST', '/api/v2/changelog/import', { raw })
  const entry = (await listEntries(here)).find(({ title }) => title === 'Lists')
  expect(entry?.content).toContain('<strong>two</strong>')
  expect(entry?.content).not.toContain('<script')
})

test('rows are rejected and warned about one by one', async () => {
  const here = await createWorkspace()
  const made = await run(
    here,
    json([
      { title: '' },
      { title: 'x'.repeat(600), labels: ['y'.repeat(51), 'Good'], ideas: ['IDEA-404', 'nonsense'], versions: ['SV-9'] },
      { title: 'Other', product: 'NO-SUCH' },
      { title: 'Deep', content: '<b>'.repeat(200) },
      { title: 'Twice', externalId: '1' },
      { title: 'Twice again', externalId: '1', plan: 'pro', attributes: { a: 1 } },
    ]),
  )
  expect(made.totals).toMatchObject({ created: 3, rejected: 2, skipped: 1 })
  expect(made.rejected.map(({ row, field }) => [row, field])).toEqual([
    [1, 'title'],
    [3, 'product'],
  ])
  expect(made.warnings.map(({ field, value }) => [field, value?.slice(0, 10)]).toSorted()).toEqual(
    [
      ['content', '<b><b><b><'],
      ['externalId', '1'],
      ['ideas', 'IDEA-404'],
      ['ideas', 'nonsense'],
      ['labels', 'yyyyyyyyyy'],
      ['title', 'xxxxxxxxxx'],
      ['versions', 'SV-9'],
    ].toSorted(),
  )
  const mapping = JSON.stringify({ plan: { attribute: 'plan' } })
  const raw = new FormData()
  raw.set('mapping', mapping)
  raw.set('file', csv('title,plan\nx,pro\n'))
  const { status, body } = await here.client('POST', '/api/v2/changelog/import', { raw })
  expect([status, body.message]).toEqual([400, expect.stringContaining('These records have no attributes')])
})

test('a key that is limited to a product imports entries of the product only', async () => {
  const here = await createWorkspace()
  await here.row('products', {
    ...{ subscription_id: here.subscriptionId, external_key: 'OT-HER', name: 'Other', created_at: 0, updated_at: 0 },
  })
  const key = await here.key({ products: [here.product.id] })
  const sendRows = (query: string, rows: object[]) =>
    here.client<Run>('POST', `/api/v2/changelog/import?${query}`, { json: rows, apiKey: key })
  expect((await sendRows('', [{ title: 'All' }])).status).toBe(403)
  await here.client('POST', '/api/v2/changelog', { json: { title: 'Of all products' } })
  const { body } = await sendRows(`product=${here.product.externalKey}&onConflict=update`, [
    { title: 'Mine' },
    { title: 'Stolen', externalKey: 'CL-1' },
    { title: 'Elsewhere', product: 'OT-HER' },
  ])
  expect(body.data.totals).toMatchObject({ created: 2, updated: 0, rejected: 1 })
  expect((await listEntries(here)).map(({ title, product }) => [title, product])).toEqual([
    ['Of all products', null],
    ['Mine', here.product.externalKey],
    ['Stolen', here.product.externalKey],
  ])
})

test('a large file is imported by the queue', async () => {
  const here = await createWorkspace()
  const { body } = await sendImport<Run>(here, 'changelog', csv(`title\n${'Entry\n'.repeat(5_001)}`), '')
  expect(body.data).toMatchObject({ status: 'pending', totals: { rows: 5_001 } })
})
