import { expect, test } from 'vitest'
import { extractSnippet } from '../../../src/feedback/search/snippet'
import { createWorkspace, type Workspace } from '../../factories'

interface Result {
  type: string
  externalKey: string
  title: string
  snippet: string
  product: string | null
  score: number
}

const searchRecords = async ({ client }: Pick<Workspace, 'client'>, q: string, apiKey?: string, limit = 50) => {
  const query = new URLSearchParams({ q, limit: String(limit) })
  return client<Result[]>('GET', `/api/v2/search?${query}`, apiKey ? { apiKey } : {})
}
const searchKeys = async (...asked: Parameters<typeof searchRecords>) =>
  (await searchRecords(...asked)).body.data.map(({ externalKey }) => externalKey)

async function createRecord({ client }: Workspace, path: string, json: object) {
  const { body } = await client<{ externalKey?: string; external_key?: string }>('POST', path, { json })
  expect(body).toMatchObject({ success: true })
  return body.data.externalKey ?? body.data.external_key ?? ''
}

async function createEachKind(here: Workspace, word: string) {
  const P = `/api/initiatives/${here.product.externalKey}`
  return {
    epic: await createRecord(here, `${P}/epics`, { summary: `An epic of ${word}` }),
    feature: await createRecord(here, `${P}/features`, { summary: `A feature of ${word}` }),
    userstory: await createRecord(here, `${P}/storyMap/card`, { summary: `A story of ${word}` }),
    feedback: await createRecord(here, '/api/feedback-items', {
      title: `Idea ${word}`,
      product: here.product.externalKey,
    }),
    persona: await createRecord(here, '/api/v2/persona', { name: `Paula ${word}` }),
    kpi: await createRecord(here, `${P}/kpi`, { title: `Rate of ${word}` }),
  }
}

test('finds records of every kind in one round trip with snippet, product and score', async () => {
  const here = await createWorkspace()
  const made = await createEachKind(here, 'Zeppelin')
  const answer = await searchRecords(here, 'zeppelin')
  expect(answer.status).toBe(200)
  expect(answer.cost.roundTrips).toBe(1)
  const found = answer.body.data
  expect(Object.fromEntries(found.map(({ type, externalKey }) => [type, externalKey]))).toEqual(made)
  for (const { type, product, score } of found) {
    expect([type, product]).toEqual([type, type === 'persona' ? null : here.product.externalKey])
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThanOrEqual(1)
  }
  expect(found[0]?.score).toBe(1)
})

test('finds all words by their beginnings in any case and accent, titles first', async () => {
  const here = await createWorkspace()
  const idea = (title: string, long_description = '') =>
    createRecord(here, '/api/feedback-items', { title, long_description, product: here.product.externalKey })
  const titled = await idea('Größere Übersicht im Café')
  const describedIdea = await idea('Something else', '<p>Eine größere <b>Übersicht</b>, auch im Café</p>')
  await idea('Übersicht')
  for (const q of ['größere übersicht', 'GRÖßERE', 'uber cafe', 'CAFÉ über']) {
    expect([q, await searchKeys(here, q)]).toEqual([q, [titled, describedIdea]])
  }
  for (const q of ['übersicht nirgends', 'u']) expect([q, await searchKeys(here, q)]).toEqual([q, []])
  expect((await searchRecords(here, 'café')).body.data[1]?.snippet).toBe('Eine größere Übersicht , auch im Café')
})

test('follows writes, removals and restores', async () => {
  const here = await createWorkspace()
  const made = await createEachKind(here, 'quokka')
  const P = `/api/initiatives/${here.product.externalKey}`
  const paths = {
    epic: `${P}/epics/${made.epic}`,
    feedback: `/api/feedback-items/${made.feedback}`,
    persona: `/api/v2/persona/${made.persona}`,
    kpi: `${P}/kpi/${made.kpi}`,
  }
  const names = { epic: 'summary', feedback: 'title', persona: 'name', kpi: 'title' } as const
  for (const [kind, path] of Object.entries(paths) as [keyof typeof paths, string][]) {
    const key = made[kind]
    await here.client('PUT', path, { json: { [names[kind]]: 'A wombat now' } })
    expect([kind, await searchKeys(here, 'wombat'), (await searchKeys(here, 'quokka')).includes(key)]).toEqual([
      kind,
      [key],
      false,
    ])
    await here.client('DELETE', path)
    expect([kind, await searchKeys(here, 'wombat')]).toEqual([kind, []])
    await here.client('POST', `${path}/restore`)
    expect([kind, await searchKeys(here, 'wombat')]).toEqual([kind, [key]])
    await here.client('DELETE', path)
  }
})

test('hides the records of a removed product', async () => {
  const here = await createWorkspace()
  await createEachKind(here, 'narwhal')
  const { product } = here
  await createRecord(here, '/api/v2/persona', { name: 'Nora narwhal', product: product.externalKey })
  expect((await searchRecords(here, 'narwhal')).body.data).toHaveLength(7)
  await here.client('DELETE', `/api/initiatives/${product.externalKey}`)
  expect((await searchRecords(here, 'narwhal')).body.data.map(({ type }) => type)).toEqual(['persona'])
})

test('finds only records within the scopes, products and workspace of the key', async () => {
  const here = await createWorkspace()
  const made = await createEachKind(here, 'lighthouse')
  const scoped = async (...scopes: string[]) =>
    (await searchKeys(here, 'lighthouse', await here.key({ scopes }))).toSorted()
  expect(await scoped('backlog:read')).toEqual([made.epic, made.feature, made.userstory].toSorted())
  expect(await scoped('feedback:read', 'kpis:read')).toEqual([made.feedback, made.kpi].toSorted())
  expect(await scoped('personas:read')).toEqual([made.persona])
  expect(await scoped('personas:write', 'events:read')).toEqual([])

  const { body } = await here.client<{ id: number; externalKey: string }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  const beyond = await createRecord(here, `/api/initiatives/${body.data.externalKey}/epics`, {
    summary: 'A lighthouse',
  })
  expect(await searchKeys(here, 'lighthouse')).toContain(beyond)
  const limited = await here.key({ products: [here.product.id] })
  expect((await searchKeys(here, 'lighthouse', limited)).toSorted()).toEqual(Object.values(made).toSorted())
  const other = await here.key({ products: [body.data.id] })
  expect((await searchKeys(here, 'lighthouse', other)).toSorted()).toEqual([beyond, made.persona].toSorted())
  expect((await searchKeys(here, 'lighthouse', await here.key({ products: [] }))).toSorted()).toEqual([made.persona])
  expect(await searchKeys(await createWorkspace(), 'lighthouse')).toEqual([])
})

test('does not find an anonymous author by name', async () => {
  const here = await createWorkspace()
  const { product } = here
  const user = { name: 'Ottoline', email: 'ottoline@example.com' }
  await createRecord(here, '/api/feedback-items', {
    title: 'Hush',
    product: product.externalKey,
    is_anonymous: true,
    user,
  })
  expect(await searchKeys(here, 'ottoline')).toEqual([])
  expect((await searchRecords(here, 'hush')).body.data).toHaveLength(1)
})

test('treats every sign in the query as text', async () => {
  const here = await createWorkspace()
  const key = await createRecord(here, '/api/feedback-items', {
    title: 'Near or not AND "quoted" (text)',
    product: here.product.externalKey,
  })
  const asked = [
    '"',
    '"near',
    '(near',
    'NEAR',
    'NEAR(a b)',
    'AND',
    'not',
    'near*',
    '*near',
    '-near',
    'title:near',
    '{near}',
    '^near',
    "near'",
    'near;',
    'near OR',
    '+near',
    'near\\',
    'quoted" OR "x',
  ]
  for (const q of asked) {
    const { status, body } = await searchRecords(here, q)
    expect([q, status]).toEqual([q, 200])
    const finds = !/[ax:]/.test(q.replace(/NEAR|AND|near|quoted/g, '')) && /[a-z]/i.test(q)
    if (finds) expect([q, body.data.map(({ externalKey }) => externalKey)]).toEqual([q, [key]])
  }
  for (const q of ['*', '"', '()', '- -', '🎈', '…', '\\', "'"]) expect([q, await searchKeys(here, q)]).toEqual([q, []])
  for (const q of ['', '   ', 'a'.repeat(501), 'word '.repeat(200_000)]) {
    const { status, body } = await searchRecords(here, q)
    expect([q.length, status, body.error?.issues[0]?.path]).toEqual([q.length, 400, '/query/q'])
  }
  expect((await here.client('GET', '/api/v2/search')).status).toBe(400)
  expect(await searchKeys(here, Array.from({ length: 100 }, () => 'near').join(' '))).toEqual([key])
})

test('shows plain text of HTML and emoji, cut to a maximum length', async () => {
  const here = await createWorkspace()
  const nasty = '<img src=x onerror=alert(1)>🎈 <b>walrus</b> &amp; <script>alert("walrus")</script>'
  const P = `/api/initiatives/${here.product.externalKey}`
  const long = `${'<p>words and words</p>'.repeat(300)}<p>then a <a href="https://example.com/">walrus</a></p>`
  await createRecord(here, `${P}/epics`, { summary: 'walrus 🎈', description: nasty })
  await createRecord(here, `${P}/epics`, { summary: 'the second', description: long.slice(-400) })
  await createRecord(here, `${P}/epics`, { summary: 'walrus', description: long })
  await createRecord(here, '/api/feedback-items', {
    title: 'walrus',
    product: here.product.externalKey,
    value_proposition: nasty,
    target_audience: nasty,
    long_description: nasty,
  })
  await createRecord(here, '/api/v2/persona', {
    name: 'walrus',
    occupation: 'walrus',
    description: nasty,
    goals: ['walrus'],
  })
  await createRecord(here, `${P}/kpi`, { title: 'walrus', statement: nasty })
  const { data } = (await searchRecords(here, 'walrus')).body
  expect(data).toHaveLength(6)
  for (const { snippet } of data) {
    expect(snippet).not.toMatch(/<|onerror|href|&amp;/)
    expect(snippet.length).toBeLessThanOrEqual(240)
  }
  expect(data.find(({ title }) => title === 'the second')?.snippet).toContain('then a walrus')
})

test('returns a record with the searched key before records with the key in their words', async () => {
  const here = await createWorkspace()
  const P = `/api/initiatives/${here.product.externalKey}`
  const ops = Array.from({ length: 30 }, (_, n) => ({
    op: 'create',
    type: 'epic',
    body: { summary: `See EP-1 and ${n}` },
  }))
  await here.client('POST', `${P}/backlog/bulk`, { json: ops })
  for (const q of ['EP-1', ' ep-1 ']) {
    const keys = await searchKeys(here, q, undefined, 5)
    expect([q, keys[0], keys.length, new Set(keys).size]).toEqual([q, 'EP-1', 5, 5])
  }
  await here.client('DELETE', `${P}/epics/EP-1`)
  expect(await searchKeys(here, 'EP-1')).not.toContain('EP-1')
  expect(await searchKeys(await createWorkspace(), 'EP-1')).toEqual([])
  const other = (await here.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })).body.data
  expect(await searchKeys(here, 'EP-2', await here.key({ products: [other.id] }))).toEqual([])
  expect(await searchKeys(here, 'EP-2', await here.key({ scopes: ['feedback:read'] }))).toEqual([])
})

test('a snippet surrounds the first match and has a maximum length', () => {
  const text = `${'lorem ipsum '.repeat(100)}Übermut tut selten gut ${'dolor sit '.repeat(100)}`
  const snippet = extractSnippet(text, 'ubermut')
  expect(snippet).toMatch(/^…(lorem |ipsum )+Übermut tut selten gut (dolor |sit )+.*…$/)
  expect(snippet.length).toBeLessThanOrEqual(240)
  expect(extractSnippet(text, 'nowhere')).toMatch(/^lorem ipsum/)
  expect(extractSnippet('a'.repeat(5_000), 'b').length).toBeLessThanOrEqual(240)
  expect(extractSnippet(`${'a'.repeat(3_000)} found ${'b'.repeat(3_000)}`, 'found')).toMatch(/^…found b+…$/)
  expect(extractSnippet('cut off <a href="https://exa', 'cut')).toBe('cut off')
  expect(extractSnippet('1 &lt; 2 &#x26; 3 &#60; 4 &#x110000; &bogus;', 'x')).toBe('1 < 2 & 3 < 4 &#x110000; &bogus;')
})

test('returns the best of 300 matches, up to the limit', async () => {
  const here = await createWorkspace()
  const ops = Array.from({ length: 300 }, (_, n) => ({
    op: 'create',
    type: 'userstory',
    body: {
      summary: n === 7 ? 'marmot' : `Item ${n}`,
      description: n === 7 ? '' : 'It is about a marmot, somewhere in many words',
    },
  }))
  await here.client('POST', `/api/initiatives/${here.product.externalKey}/backlog/bulk`, { json: ops })
  const { data } = (await searchRecords(here, 'marmot', undefined, 10)).body
  expect(data).toHaveLength(10)
  expect(data[0]?.title).toBe('marmot')
  expect(data.map(({ score }) => score)).toEqual(data.map(({ score }) => score).toSorted((a, b) => b - a))
})
