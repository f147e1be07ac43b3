import { expect, test } from 'vitest'
import { send } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { QUEUE, type Run } from './scenario'

// The API stores each sign of 60,000 as six characters, and a CSV doubles each of 130,000 quotes.
const LONG_HTML = `<p>${'"'.repeat(130_000)}${'&'.repeat(60_000)}</p>`
const LONG_COMMENT = `<p>${'"é'.repeat(4_900)}</p>`
const attributes = Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`name ${n}`, '"'.repeat(500)]))
const urls = Array.from({ length: 200 }, (_, n) => ({ url: `https://example.com/${n}?${'q'.repeat(2_000)}` }))

interface LongRecord {
  path: (here: Workspace) => string
  importPath: (here: Workspace) => string
  body: (here: Workspace) => object
  comments: (here: Workspace, key: string) => string
  changing: RegExp
}

const RECORDS: Record<string, LongRecord> = {
  'work item': {
    path: ({ product }) => `/api/initiatives/${product.externalKey}/backlog`,
    importPath: ({ product }) => `/api/initiatives/${product.externalKey}/backlog/import`,
    body: () => ({
      ...{ summary: '"'.repeat(500), description: LONG_HTML, businessGoal: '"'.repeat(10_000), urls, attributes },
      remainingTime: 'x'.repeat(500),
    }),
    comments: ({ product }, key) => `/api/initiatives/${product.externalKey}/backlog/${key}/comments`,
    changing: /^(?:id|initiativeId|createdAt|updatedAt|comments)$/,
  },
  idea: {
    path: () => '/api/feedback-items',
    importPath: ({ product }) => `/api/feedback-items/import?product=${product.externalKey}`,
    body: ({ product }) => ({
      ...{ product: product.externalKey, title: '"'.repeat(500), long_description: LONG_HTML, attributes },
      ...{ target_audience: '"'.repeat(10_000), value_proposition: '"'.repeat(10_000) },
    }),
    comments: (_, key) => `/api/feedback-items/${key}/comments`,
    changing: /^(?:id|created_at|updated_at|comments|slug|product|external_key)$/,
  },
}
const COMMENT_COUNT = 30

const cases = Object.keys(RECORDS).flatMap((kind) => ['csv', 'json', 'ndjson'].map((format) => [kind, format] as const))

test.each(cases)('the longest %s goes through an export as %s and an import', async (kind, format) => {
  const [here, there] = [await createWorkspace(), await createWorkspace()]
  const { path, importPath, body, comments, changing } = RECORDS[kind] as LongRecord
  const create = kind === 'idea' ? path(here) : path(here).replace('/backlog', '/epics')
  const made = await here.client<Record<string, string>>('POST', create, { json: body(here) })
  expect(made.status, JSON.stringify(made.body).slice(0, 300)).toBeLessThan(300)
  const key = made.body.data.externalKey ?? made.body.data.external_key ?? ''
  for (let n = 0; n < COMMENT_COUNT; n++)
    await here.client('POST', comments(here, key), { json: { text: LONG_COMMENT.replace('<p>', `<p>${n} `) } })
  const download = async (of: Workspace, as: string) => {
    const url = `${path(of)}/export?format=${as}&include=comments`
    return (await send('GET', url, { apiKey: await of.key() })).response
  }
  const file = await (await download(here, format)).text()
  expect(file.length).toBeGreaterThan(1_000_000)
  const raw = new FormData()
  raw.set('file', new File([file], `export.${format}`))
  const run = await there.client<Run>('POST', importPath(there), { raw, env: { QUEUE } })
  expect(run.body.data).toMatchObject({ totals: { rows: 1, created: 1, rejected: 0 }, warnings: [] })
  const list = async (of: Workspace) => {
    const [record] = (await (await download(of, 'json')).json()) as Record<string, unknown>[]
    const said = (record?.comments ?? []) as { text: string }[]
    const own = Object.entries(record ?? {}).filter(([name]) => !changing.test(name))
    return { ...Object.fromEntries(own), said: said.map(({ text }) => text) }
  }
  const [before, after] = [await list(here), await list(there)]
  expect(before.said.length).toBe(COMMENT_COUNT)
  expect(JSON.stringify(after) === JSON.stringify(before), summarizeDifferences(before, after)).toBe(true)
})

/** The texts are too long to print. */
const summarizeDifferences = (a: object, b: object): string =>
  Object.entries(a)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify((b as Record<string, unknown>)[name]))
    .map(([name, value]) => `${name}: ${String(JSON.stringify(value)).length} characters`)
    .join()

test('long rows are stored one by one, and a row of more than 1.9 MB is rejected alone', async () => {
  const here = await createWorkspace()
  const toComments = (count: number) => Array.from({ length: count }, () => ({ text: 'é'.repeat(19_000) }))
  const rows = [60, 23, 40].map((count) => ({ summary: `${count} comments`, comments: toComments(count) }))
  const raw = new FormData()
  raw.set('file', new File([JSON.stringify([...rows, { summary: 'Short' }])], 'a.json'))
  const path = `/api/initiatives/${here.product.externalKey}/backlog/import`
  const { body } = await here.client<Run>('POST', path, { raw, env: { QUEUE } })
  expect(body.data).toMatchObject({
    totals: { created: 3, rejected: 1 },
    rejected: [{ row: 1, reason: expect.stringContaining('1.9 MB') }],
  })
})

test('a row with too many values or delimiters is refused before it takes memory', async () => {
  const here = await createWorkspace()
  const path = `/api/initiatives/${here.product.externalKey}/backlog/import`
  const files = [
    ['a.json', `[{"summary": "Long", "x": [${'1,'.repeat(250_000)}1]}]`, /more than 200000 values/],
    ['a.csv', `summary,x\nLong,${','.repeat(1_500_000)}\n`, /too many delimiters/],
  ] as const
  for (const [name, content, reason] of files) {
    const raw = new FormData()
    raw.set('file', new File([content], name))
    const { status, body } = await here.client<Run>('POST', path, { raw, env: { QUEUE } })
    expect([status, body.error?.issues?.[0]?.message]).toEqual([400, expect.stringMatching(reason)])
  }
})
