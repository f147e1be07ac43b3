import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../client'
import { UNLIMITED } from '../contract/table'
import { createWorkspace, type Workspace } from '../factories'
import { createIdea, openBoard, show, signIn } from '../portal/visitors'
import {
  asShown,
  countAttributes,
  findAdditions,
  joinSamples,
  listNodes,
  listSamples,
  type Node,
  readPage,
  readTree,
} from './live-html'

const ORIGIN = 'https://groundwork.test'
/** Pictures of other sites, which pages replace, and pictures whose addresses only look like the page's own. */
const FOREIGN_PICTURES = [
  ...['https://evil.example/a.png', '//evil.example/a.png', '/\\evil.example/a.png', '/\t/evil.example/a.png'],
  ...['\\\\evil.example/a.png', 'https:evil.example', `${ORIGIN}.evil.example/a.png`, `${ORIGIN}@evil.example/a.png`],
  ...['data:image/png,x', 'javascript:alert(1)', 'http://groundwork.test/a.png', 'https://[bad/'],
].map((src, n) => `<img alt='x"><meta http-equiv=refresh content="0;url=https://evil.example/">${n}' src="${src}">`)
const OTHER_TEXTS = [
  ...[
    '<h5 title="<h1>">a</h5>',
    '<h1 title="</h1>"><em>b</em></h1>',
    '<p><a href="/x"><img src="https://a.example/"></a></p>',
  ],
  '<picture><source srcset="https://evil.example/b.png 2x"><img src="/files/1" alt=">"></picture>',
]
const CONTENT = joinSamples([...listSamples('content'), ...FOREIGN_PICTURES, ...OTHER_TEXTS])
const MAIL = joinSamples([...listSamples('mail'), ...FOREIGN_PICTURES])

const REFUSED_IN_TEXTS = [
  'meta',
  'form',
  'script',
  'base',
  'svg',
  'math',
  'template',
  'style',
  'link',
  'iframe',
  'noscript',
]

/** Nothing but the sent attributes is there, most of them are, and no element of a value came alive. */
function expectSent(sent: string, stored: string): void {
  const [before, after] = [readTree(sent), readTree(stored)]
  expect(findAdditions(before, after).slice(0, 5)).toEqual([])
  expect(countAttributes(after)).toBeGreaterThan(0.6 * countAttributes(before))
  // A reader that looks for tags by their signs finds none in the values.
  const values = Array.from(stored.matchAll(/="([^"]*)"/g), ([, value = '']) => value)
  expect(values.filter((value) => /[<>'`]/.test(value))).toEqual([])
}

const listProse = (page: Node): Node[] => listNodes(page).filter(({ attributes }) => attributes.class === 'prose')

function expectShown(html: string, stored: readonly string[]): void {
  const page = readPage(html)
  const expected = stored.map((text) => asShown(readTree(text), ORIGIN).children)
  expect(listProse(page).map((node) => asShown(node, ORIGIN).children)).toEqual(expected)
  for (const node of listProse(page).flatMap(listNodes)) expect(REFUSED_IN_TEXTS).not.toContain(node.name)
  expect(listNodes(page).filter(({ attributes }) => attributes['http-equiv'])).toEqual([])
}

async function write<D>({ client }: Workspace, method: string, path: string, json: object): Promise<D> {
  const { status, body } = await client<D>(method, path, { json, env: UNLIMITED })
  expect(status, JSON.stringify(body).slice(0, 500)).toBeLessThan(300)
  return body.data
}
async function read<D>({ client }: Workspace, path: string): Promise<D> {
  const { status, body } = await client<D>('GET', path, { env: UNLIMITED })
  expect(status).toBe(200)
  return body.data
}

test('the samples cover each allowed attribute', () => {
  const names = new Set(
    CONTENT.flatMap((text) => listNodes(readTree(text))).flatMap((one) => Object.keys(one.attributes)),
  )
  for (const name of ['alt', 'title', 'href', 'src', 'srcset', 'cite', 'longdesc', 'aria-label', 'itemtype', 'class'])
    expect(names).toContain(name)
  expect(names.size).toBeGreaterThan(70)
})

test('an idea of the API and of a visitor is shown with the tree that was stored', async () => {
  const board = await openBoard()
  const { headers } = await signIn(board, 'Vera')
  for (const text of CONTENT) {
    const key = await createIdea(board, 'Idea', { long_description: text })
    const { long_description: stored } = await read<{ long_description: string }>(board, `/api/feedback-items/${key}`)
    expectSent(text, stored)
    expectShown((await show(`${board.path}/ideas/${key}`)).html, [stored])
    const made = await call<{ key: string }>('POST', `/api/v2/portal/${board.slug}/ideas`, {
      json: { title: 'Idea', product: board.product.externalKey, text },
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      env: UNLIMITED,
    })
    expect([made.status, made.body.message]).toEqual([201, made.body.message])
    expectShown((await show(`${board.path}/ideas/${made.body.data.key}`, headers)).html, [stored])
  }
})

test('a comment, a reply and a comment of a named author are shown with the trees that were stored', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Idea')
  const at = `/api/feedback-items/${key}/comments`
  for (const [n, text] of CONTENT.entries()) {
    const { id } = await write<{ id: number }>(board, 'POST', at, { text })
    const reply = await write<{ id: number }>(board, 'POST', `/api/feedback-items/comments/${id}/reply`, { text })
    const author = { name: '"><meta http-equiv=refresh>' }
    const named = await write<{ id: number }>(board, 'PUT', `${at}/external/test/${n}`, { text, author })
    const stored = await Promise.all(
      [id, reply.id, named.id].map(
        async (one) => (await read<{ text: string }>(board, `/api/feedback-items/comments/${one}`)).text,
      ),
    )
    expectSent(text, stored[0] ?? '')
    expect(stored[1]).toBe(stored[0])
    expect(stored[2]).toContain('&#x3C;meta http-equiv=refresh>:')
    expectShown((await show(`${board.path}/ideas/${key}`)).html, stored)
    for (const one of [reply.id, id, named.id]) await board.client('DELETE', `/api/feedback-items/comments/${one}`)
  }
})

test('a text that an earlier release stored, with signs of tags in its values, is shown with its tree', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Idea', { long_description: 'x' })
  const value = `x><meta http-equiv=refresh content='0;url=https://evil.example/'><form action='/api/v2/me'>`
  const stored = [
    `<img alt="${value}" src="https://evil.example/a.png">`,
    `<p title="${value}">a</p><h1 title="${value}">b</h1><img src="/files/1" title="${value}" alt="<img src=x>">`,
    `<a href="/x" title="${value}">c</a>`,
    `<img src="/files/1"><p onclick="a()">not written by the service</p><script>d</script>`,
  ]
  for (const text of stored) {
    await env.DB.prepare(
      'UPDATE feedback_items SET long_description = ? WHERE external_key = ? AND subscription_id = ?',
    )
      .bind(text, key, board.subscriptionId)
      .run()
    const clean = text.startsWith('<img src="/files/1"><p')
      ? '<img src="/files/1"><p>not written by the service</p>'
      : text
    expectShown((await show(`${board.path}/ideas/${key}`)).html, [clean])
  }
})

interface Feeds {
  entries: { text?: string; html?: string }[]
}

test('a changelog entry has the same tree in the page, the list, the API and the feeds', async () => {
  const board = await openBoard()
  for (const text of CONTENT) {
    const { externalKey } = await write<{ externalKey: string }>(board, 'POST', '/api/v2/changelog', {
      title: 'News',
      content: text,
    })
    await write(board, 'POST', `/api/v2/changelog/${externalKey}/publish`, {})
    const { content: stored } = await read<{ content: string }>(board, `/api/v2/changelog/${externalKey}`)
    expectSent(text, stored)
    for (const path of [`/changelog/${externalKey}`, '/changelog'])
      expectShown((await show(board.path + path)).html, [stored])
    const list = await call<Feeds>('GET', `/api/v2/portal/${board.slug}/changelog`, {})
    expect(Object.values(list.body.data.entries[0] ?? {})).toContain(stored)
    const json = (await show(`/api/v2/portal/${board.slug}/changelog.json`)).html
    expect((JSON.parse(json) as { items: { content_html: string }[] }).items[0]?.content_html).toBe(stored)
    const atom = listNodes(readTree((await show(`/api/v2/portal/${board.slug}/changelog.atom`)).html))
    const content = atom.filter(({ name }) => name === 'content').map(({ children }) => children.join(''))
    expect(content).toEqual([stored])
    await write(board, 'POST', `/api/v2/changelog/${externalKey}/unpublish`, {})
  }
})

interface Made {
  id: number
  externalKey?: string
  external_key?: string
}

test.each([
  ['document', (key: string) => [`/api/initiatives/${key}/documents`, 'title', 'content'] as const],
  ['epic', (key: string) => [`/api/initiatives/${key}/epics`, 'summary', 'description'] as const],
  ['feature', (key: string) => [`/api/initiatives/${key}/features`, 'summary', 'description'] as const],
  ['persona', () => ['/api/v2/persona', 'name', 'description'] as const],
  ['template', () => ['/api/v2/docs-hub/templates', 'title', 'content'] as const],
])('the text of the type %s keeps its tree', async (kind, describe) => {
  const workspace = await createWorkspace()
  const [path, title, name] = describe(workspace.product.externalKey)
  const more = kind === 'persona' ? { product: workspace.product.externalKey } : {}
  for (const text of CONTENT) {
    const made = await write<Made>(workspace, 'POST', path, { [title]: 'A', [name]: text, ...more })
    const stored = await read<Record<string, string>>(
      workspace,
      `${path}/${made.externalKey ?? made.external_key ?? made.id}`,
    )
    expectSent(text, stored[name] ?? '')
  }
})

test('a mail keeps its tree while its variables are filled in', async () => {
  const workspace = await createWorkspace()
  const { subscriptionId, row } = workspace
  const now = { created_at: 0, updated_at: 0 }
  const name = '<b title="">&amp;'
  const person = { subscription_id: subscriptionId, email: 'a@example.com', first_name: name, role: 'idm_member' }
  const userId = await row('users', { ...person, ...now })
  const segment = { subscription_id: subscriptionId, name: 'Beta', user_count: 1, ...now }
  const segmentId = await row('segments', segment)
  await env.DB.prepare(
    'INSERT INTO segment_members (subscription_id, segment_id, user_id, created_at) VALUES (?, ?, ?, 0)',
  )
    .bind(subscriptionId, segmentId, userId)
    .run()
  for (const text of MAIL) {
    const html = `<p title="a>{{ firstName }}">{{firstName}}</p>${text}`
    const { message } = await write<{ message: { html: string } }>(
      workspace,
      'POST',
      `/api/v2/segments/${segmentId}/email/preview`,
      { subject: 'News', html },
    )
    const filled = `<p title="a>&lt;b title=&quot;&quot;&gt;&amp;amp;">&lt;b title=""&gt;&amp;amp;</p>${text}`
    expectSent(filled, message.html)
  }
})
