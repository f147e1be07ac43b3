import { expect, test } from 'vitest'
import { call } from '../../client'
import { createWorkspace } from '../../factories'
import { fileForm, PIXEL_PNG } from '../../world'

interface Template {
  id: number
  title: string
  category: string | null
  content: string
  variables: { key: string; label: string; default: string | null }[]
}

interface Document {
  id: number
  externalKey: string
  title: string
  content: string
  template: number | null
}

const TEMPLATES = '/api/v2/docs-hub/templates'

async function createTemplateScenario() {
  const world = await createWorkspace()
  const { client, product } = world
  const base = `/api/initiatives/${product.externalKey}`
  const template = (json: object) => client<Template>('POST', TEMPLATES, { json: { title: 'T', ...json } })
  const instantiate = (id: number, variables?: object, json = {}) =>
    client<Document>('POST', `${TEMPLATES}/${id}/instantiate`, {
      json: { product: product.externalKey, title: 'D', ...(variables && { variables }), ...json },
    })
  const of = async (content: string, ...variables: object[]) => (await template({ content, variables })).body.data.id
  return { ...world, base, template, instantiate, of }
}

test('a template is sanitized and keeps its variables in place', async () => {
  const { client, template } = await createTemplateScenario()
  const created = await template({
    category: 'Research',
    content: '<h1 onclick="x()">{{ who }}</h1><script>alert(1)</script><p>{{who}} said {{what}}</p>',
    variables: [{ key: 'who', label: 'Who', default: 'Somebody' }, { key: 'what' }],
  })
  expect([created.status, created.cost.roundTrips]).toEqual([201, 1])
  expect(created.body.data).toMatchObject({
    content: '<h1>{{who}}</h1><p>{{who}} said {{what}}</p>',
    variables: [
      { key: 'who', label: 'Who', default: 'Somebody' },
      { key: 'what', label: 'what', default: null },
    ],
  })
  const path = created.headers.get('location') ?? ''
  const saved = await client<Template>('PUT', path, { json: { category: null } })
  expect(saved.body.data).toMatchObject({ category: null, content: created.body.data.content })
  const both = { content: '<p>{{a}}</p>', variables: [{ key: 'a' }] }
  expect((await client<Template>('PUT', path, { json: both })).body.data).toMatchObject({ content: '<p>{{a}}</p>' })

  const wrong: [json: object, paths: string[]][] = [
    [{ content: '<p>{{a}} {{b}}</p>', variables: [{ key: 'b' }] }, ['/content']],
    [{ content: '<a title="{{b}}" href="https://example.com">x</a>', variables: [{ key: 'b' }] }, ['/content']],
    [{ content: '<p>x</p>', variables: [{ key: 'b' }, { key: 'b' }] }, ['/variables']],
    [{ variables: [{ key: '1x' }, { key: 'a b' }, {}] }, ['/variables/0/key', '/variables/1/key', '/variables/2/key']],
    [{ title: '' }, ['/title']],
  ]
  for (const [json, paths] of wrong) {
    const answer = await template(json)
    expect([json, answer.status, answer.body.error?.issues.map(({ path }) => path)]).toEqual([json, 400, paths])
  }
  // A change of only the content or only the variables is validated against the stored half.
  const alone = async (json: object) => {
    const { status, body } = await client('PUT', path, { json })
    return [status, body.error?.issues.map((issue) => [issue.path, issue.message])]
  }
  const none = 'is not in the variables. Add the variable, or remove the placeholder.'
  expect(await alone({ content: '<p>{{a}} {{b}} {{c}}</p>' })).toEqual([
    400,
    [
      ['/content', `{{b}} ${none}`],
      ['/content', `{{c}} ${none}`],
    ],
  ])
  expect(await alone({ variables: [] })).toEqual([400, [['/variables', `{{a}} ${none}`]]])
  expect((await alone({ variables: [{ key: 'a' }, { key: 'b' }] }))[0]).toBe(200)
  expect((await alone({ content: '<p>{{b}}</p>' }))[0]).toBe(200)
  await template({ category: 'Other' })
  const listed = async (query: string) =>
    (await client<Template[]>('GET', `${TEMPLATES}?${query}`)).body.data.map(({ category }) => category)
  expect([await listed('category=Other'), await listed('')]).toEqual([['Other'], ['Other', null]])
})

test('a document from a template holds the values as text without HTML', async () => {
  const { client, instantiate, of, base } = await createTemplateScenario()
  const id = await of(
    '<h1>{{title_1}}</h1><p>{{a}} &amp; {{b}} and {{a}}, {{ b}}</p>',
    { key: 'title_1' },
    { key: 'a', default: 'x < y' },
    { key: 'b', default: '' },
  )
  const made = await instantiate(id, { title_1: `<script>alert("1")</script> '{{a}}' & {{b}} }}`, b: 'B' })
  expect([made.status, made.cost.roundTrips, made.headers.get('location')]).toEqual([201, 1, `${base}/documents/DOC-1`])
  const text =
    '&#x3C;script&#x3E;alert(&#x22;1&#x22;)&#x3C;/script&#x3E; &#x27;&#x7B;&#x7B;a&#x7D;&#x7D;&#x27; &#x26; &#x7B;&#x7B;b&#x7D;&#x7D; &#x7D;&#x7D;'
  expect(made.body.data).toMatchObject({
    ...{ externalKey: 'DOC-1', title: 'D', template: id },
    content: `<h1>${text}</h1><p>x &#x3C; y &#x26; B and x &#x3C; y, B</p>`,
  })
  expect((await client<Document>('GET', `${base}/documents/DOC-1`)).body.data).toEqual(made.body.data)
  const [event] = (await client<{ type: string; data: Document }[]>('GET', '/api/v2/events?key=DOC-1')).body.data
  expect(event).toMatchObject({ type: 'document.created', data: made.body.data })
  await client('DELETE', `${TEMPLATES}/${id}`)
  expect((await client<Document>('GET', `${base}/documents/DOC-1`)).body.data.template).toBeNull()
  expect((await instantiate(id)).body.error?.code).toBe('template_not_found')
  await client('POST', `${TEMPLATES}/${id}/restore`)
  expect((await client<Document>('GET', `${base}/documents/DOC-1`)).body.data.template).toBe(id)
})

test('missing, unknown and oversized variables are refused by name', async () => {
  const { instantiate, of, client, base, key, product } = await createTemplateScenario()
  const id = await of('<p>{{a}}{{b}}{{c}}</p>', { key: 'a' }, { key: 'b' }, { key: 'c', default: 'C' })
  const wrong = await instantiate(id, { b: '', d: 'x', c: 'y' })
  expect([wrong.status, wrong.body.error?.code]).toEqual([400, 'validation_failed'])
  expect(wrong.body.error?.issues.map(({ path, message }) => [path, message])).toEqual([
    ['/variables/a', 'This variable has no default. Send a value.'],
    ['/variables/d', 'The template does not have this variable. Leave out the value.'],
  ])
  for (const variables of [{ '1x': 'a' }, { a: 1 }, { a: 'x'.repeat(10_001) }]) {
    expect((await instantiate(id, variables)).status).toBe(400)
  }
  const many = await of(`<p>${'{{a}}'.repeat(1_000)}</p>`, { key: 'a' })
  const long = await instantiate(many, { a: '<'.repeat(1_000) })
  expect([long.status, long.body.error?.issues[0]?.path]).toEqual([400, '/variables'])
  expect((await instantiate(many, { a: 'x'.repeat(500) })).body.data.content.length).toBe(500_007)
  const nowhere = await instantiate(id, { a: '1', b: '2' }, { product: 'TST-0' })
  expect([nowhere.status, nowhere.body.error?.code]).toEqual([400, 'unknown_reference'])
  const apiKey = await key({ products: [product.id + 1_000] })
  const json = { product: product.externalKey, title: 'D', variables: { a: '1', b: '2' } }
  const beyond = await call('POST', `${TEMPLATES}/${id}/instantiate`, { apiKey, json })
  expect(beyond.body.error?.code).toBe('unknown_reference')
  const limited = await call('POST', `${TEMPLATES}/${id}/instantiate`, {
    apiKey: await key({ products: [product.id] }),
    json,
  })
  expect(limited.status).toBe(201)
  const stranger = await createWorkspace()
  expect((await stranger.client('GET', `${TEMPLATES}/${id}`)).status).toBe(404)
  expect((await client<Document[]>('GET', `${base}/documents`)).body.data.length).toBe(2)
})

test('a document is written, searched, removed and restored, and accepts files', async () => {
  const { client, base } = await createTemplateScenario()
  const make = (title: string, content: string) =>
    client<Document>('POST', `${base}/documents`, { json: { title, content } })
  const first = await make('Notes on shifts', '<p onclick="x()">They begin at <b>ten</b>.</p>')
  await make('Other', '<p>Nothing</p>')
  expect(first.body.data).toMatchObject({ content: '<p>They begin at <b>ten</b>.</p>', template: null })
  const found = async (q: string) =>
    (await client<Document[]>('GET', `${base}/documents?q=${q}`)).body.data.map(({ title }) => title)
  expect([await found('shift'), await found('begin%20ten'), await found('p'), await found('DOC-2')]).toEqual([
    ['Notes on shifts'],
    ['Notes on shifts'],
    [],
    ['Other'],
  ])
  const path = `${base}/documents/DOC-1`
  await client('PUT', path, { json: { content: '<p>They end at six.</p>' } })
  expect([await found('ten'), await found('six')]).toEqual([[], ['Notes on shifts']])
  await client('DELETE', path)
  expect([await found('six'), (await client('GET', path)).status]).toEqual([[], 404])
  await client('POST', `${path}/restore`)
  expect(await found('six')).toEqual(['Notes on shifts'])

  const asset = (await client<{ id: number }>('POST', `${base}/assets`, { raw: fileForm('file', PIXEL_PNG, 'a.png') }))
    .body.data
  const experiment = await client<{ externalKey: string }>('POST', `${base}/experiments`, { json: { title: 'E' } })
  for (const [artifactKey, usedAt] of [
    ['DOC-1', 'document'],
    [experiment.body.data.externalKey, 'experiment'],
  ]) {
    const put = await client<{ usedAt: string }>('PUT', `${base}/assets/${asset.id}`, { json: { artifactKey } })
    expect([put.status, put.body.data.usedAt]).toEqual([200, usedAt])
    const there = await client<{ id: number }[]>('GET', `${base}/assets?artifactKey=${artifactKey}`)
    expect(there.body.data.map(({ id }) => id)).toEqual([asset.id])
  }
})
