import { expect, test } from 'vitest'
import { send } from '../client'
import { createWorkspace, type Workspace } from '../factories'
import { createUniqueId } from '../unique'

const BROWSER = { accept: 'text/html' }

async function openBoard(json: object = {}): Promise<Workspace & { slug: string; path: string }> {
  const workspace = await createWorkspace()
  const slug = `p-${createUniqueId().slice(0, 12)}`
  const settings = { slug, name: 'Plumbline', products: [workspace.product.externalKey], ...json }
  expect((await workspace.client('PUT', '/api/v2/settings/portal', { json: settings })).status).toBe(200)
  return { ...workspace, slug, path: `/p/${slug}` }
}

async function createIdea({ client, product }: Workspace, title: string, rest: object = {}): Promise<string> {
  const json = { title, product: product.externalKey, ...rest }
  const { body } = await client<{ external_key: string }>('POST', '/api/feedback-items', { json })
  return body.data.external_key
}

async function show(path: string, headers: Record<string, string> = {}) {
  const { response, cost } = await send('GET', path, { headers: { ...BROWSER, ...headers } })
  return { response, cost, html: await response.text() }
}

test('the board shows the ideas of the portal in one trip, the same for everybody', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Work <offline>', { long_description: '<p>In <b>basements</b></p>' })
  await show(board.path)
  const { response, html, cost } = await show(board.path)
  expect([response.status, cost.roundTrips]).toEqual([200, 1])
  expect(html).toContain(`<a class="stretch" href="${board.path}/ideas/${key}">Work &lt;offline&gt;</a>`)
  expect(html).toContain('<p class="clamp">In basements</p>')
  expect(html).not.toContain('@')
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=0, s-maxage=60, stale-while-revalidate=300',
    vary: 'Cookie',
    'referrer-policy': 'same-origin',
  })
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['content-security-policy']).not.toContain('unsafe')
  const etag = headers.etag ?? ''
  const again = await show(board.path, { 'if-none-match': `W/${etag}` })
  expect([again.response.status, again.html]).toEqual([304, ''])
})

test('the board filters, searches and pages by its address', async () => {
  const board = await openBoard()
  for (const title of ['Dark theme', 'Dark icons', 'Light lamps']) await createIdea(board, title)
  const { html } = await show(`${board.path}?q=dark&sort=new`)
  expect(html).toContain('Dark theme')
  expect(html).toContain('Dark icons')
  expect(html).not.toContain('Light lamps')
  expect(html).toContain('value="dark"')
  expect(html).toContain('<meta name="robots" content="noindex"/>')
  const none = await show(`${board.path}?q=zebra`)
  expect(none.html).toContain('No idea matches these filters')
  const { body } = await board.client<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')
  const planned = body.data.find(({ name }) => name === 'planned')?.id
  await createIdea(board, 'Planned thing', { status_id: planned })
  const filtered = await show(`${board.path}?status=${planned}`)
  expect(filtered.html).toContain('Planned thing')
  expect(filtered.html).not.toContain('Dark theme')
})

test('an idea shows its text, updates and comments, and no private note or address', async () => {
  const board = await openBoard()
  const { client } = board
  const key = await createIdea(board, 'Dark theme', { long_description: '<h1>Why</h1><script>alert(1)</script>' })
  const commentPath = `/api/feedback-items/${key}/comments`
  await client('POST', commentPath, { json: { text: '<p>Public words</p>' } })
  await client('POST', commentPath, { json: { text: '<p>Private words</p>', isPrivate: true } })
  await client('POST', `/api/feedback-items/${key}/status-updates`, { json: { status: 'planned', message: 'In May.' } })
  await show(board.path)
  const { response, html, cost } = await show(`${board.path}/ideas/${key}`)
  expect([response.status, cost.roundTrips]).toEqual([200, 1])
  expect(html).toContain('<h2>Why</h2>')
  expect(html).toContain('In May.')
  expect(html).toContain('Public words')
  expect(html).not.toMatch(/Private words|<script>|@/)
  const missing = await show(`${board.path}/ideas/IDEA-99999`)
  expect(missing.response.status).toBe(404)
  expect(missing.html).toContain('There is no page here')
  expect((await show(`${board.path}/nothing/here`)).response.status).toBe(404)
})

test('a merged idea leads to its target', async () => {
  const board = await openBoard()
  const [source, target] = [await createIdea(board, 'Twin'), await createIdea(board, 'Kept')]
  await board.client('POST', `/api/feedback-items/${source}/merge`, { json: { into: target } })
  const { response } = await show(`${board.path}/de/ideas/${source}`)
  expect([response.status, response.headers.get('location')]).toEqual([301, `${board.path}/de/ideas/${target}`])
})

test('the roadmap has a lane for each open status behind the first', async () => {
  const board = await openBoard()
  const { body } = await board.client<{ id: number; name: string }[]>('GET', '/api/feedback-items/statuses')
  const statusOf = (name: string) => body.data.find((status) => status.name === name)?.id
  await createIdea(board, 'Planned thing', { status_id: statusOf('planned') })
  await createIdea(board, 'Open thing', { status_id: statusOf('open') })
  await show(board.path)
  const { html, cost } = await show(`${board.path}/de/roadmap`)
  expect(cost.roundTrips).toBe(1)
  expect(html).toContain('<html lang="de"')
  expect(html).toContain('Planned thing')
  expect(html).not.toContain('Open thing')
  expect(Array.from(html.matchAll(/class="lane"/g))).toHaveLength(3)
})

test('a portal without a roadmap has no page for it, and a wrong address is no failure of the service', async () => {
  const board = await openBoard({ roadmap: false })
  const { response, html } = await show(`${board.path}/roadmap`)
  expect([response.status, html.includes('Plumbline')]).toEqual([404, true])
  expect((await show(board.path)).html).not.toContain('/roadmap')
  const wrong = await show(`${board.path}?cursor=nonsense`)
  expect([wrong.response.status, wrong.html.includes('There is no page here')]).toEqual([400, true])
  expect((await show(`${board.path}?sort=nonsense&status=x&category=-1`)).response.status).toBe(200)
})

test('a private portal shows nothing to strangers, and has no sitemap', async () => {
  const board = await openBoard({ visibility: 'private' })
  const key = await createIdea(board, 'Secret plan')
  for (const path of ['', '/roadmap', `/ideas/${key}`, '/de', '/sitemap.xml']) {
    const { response, html } = await show(board.path + path)
    const base = path === '/de' ? `${board.path}/de` : board.path
    const location = `${base}/sign-in?return=${encodeURIComponent(board.path + path)}`
    expect([response.status, response.headers.get('location'), html]).toEqual([303, location, ''])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  }
  const unknown = await show('/p/no-such-portal')
  expect([unknown.response.status, unknown.html.includes('There is no page here')]).toEqual([404, true])
})

test('ideas of other products, pending and removed ideas stay hidden', async () => {
  const board = await openBoard()
  const { client } = board
  const other = await client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Hidden product' } })
  const elsewhere = await client<{ external_key: string }>('POST', '/api/feedback-items', {
    json: { title: 'Hidden elsewhere', product: other.body.data.externalKey },
  })
  const pending = await createIdea(board, 'Hidden pending')
  await client('PUT', `/api/feedback-items/${pending}`, { json: { visibility_level: 'pending' } })
  const removed = await createIdea(board, 'Hidden removed')
  await client('DELETE', `/api/feedback-items/${removed}`)
  expect((await show(board.path)).html).not.toContain('Hidden')
  for (const key of [elsewhere.body.data.external_key, pending, removed])
    expect((await show(`${board.path}/ideas/${key}`)).response.status, key).toBe(404)
})

test('the sitemap names every page in both languages', async () => {
  const board = await openBoard({ locale: 'de' })
  const key = await createIdea(board, 'Dark theme')
  const { response, html } = await show(`${board.path}/sitemap.xml`)
  expect(response.headers.get('content-type')).toContain('application/xml')
  const origin = new URL(response.url || 'https://groundwork.test').origin
  expect(html).toContain(`<loc>${origin}${board.path}/ideas/${key}</loc>`)
  expect(html).toContain(`hreflang="en" href="${origin}${board.path}/en/ideas/${key}"`)
  expect((await show(board.path)).html).toContain('<html lang="de"')
})

test('a theme holds only colors, and never changes', async () => {
  const { response, html } = await show('/p/any/theme.css?accent=0b6e5f&tones=aabbcc.}x{')
  expect(html).toBe(':root{--accent-base:#0b6e5f}\n.tone-aabbcc{--tone:#aabbcc}\n')
  expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(response.headers.get('cache-control')).toContain('immutable')
})

async function publish({ client }: Workspace, json: object): Promise<string> {
  const { body } = await client<{ externalKey: string }>('POST', '/api/v2/changelog', { json })
  const { externalKey } = body.data
  expect((await client('POST', `/api/v2/changelog/${externalKey}/publish`, { json: {} })).status).toBe(200)
  return externalKey
}

test('the changelog shows published entries in one trip, by label and by page', async () => {
  const board = await openBoard()
  const idea = await createIdea(board, 'Sign on the tablet')
  const content = '<p>Turn the <b>tablet</b>.</p><script>alert(1)</script>'
  const key = await publish(board, { title: 'Signed <reports>', content, labels: ['New'], ideas: [idea] })
  for (let n = 0; n < 10; n++) await publish(board, { title: `Fix ${n}`, labels: ['Fixed'] })
  await board.client('POST', '/api/v2/changelog', { json: { title: 'Draft of a plan' } })
  await show(board.path)
  const first = await show(`${board.path}/changelog`)
  expect([first.response.status, first.cost.roundTrips]).toEqual([200, 1])
  expect(first.response.headers.get('cache-control')).toContain('s-maxage=60')
  expect(first.html).toContain(`type="application/atom+xml" href="/api/v2/portal/${board.slug}/changelog.atom"`)
  expect(first.html).toMatch(/href="[^"]*\/changelog\?label=Fixed">Fixed</)
  expect(first.html).not.toMatch(/Draft of a plan|Signed &lt;reports/)
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.html) ?? []
  const second = await show(next)
  expect(second.html).toContain(`<a href="${board.path}/changelog/${key}">Signed &lt;reports&gt;</a>`)
  expect(second.html).not.toContain('rel="next"')
  expect((await show(`${board.path}/changelog?label=New`)).html).toContain('Signed &lt;reports')
  const entry = await show(`${board.path}/de/changelog/${key}`)
  expect([entry.response.status, entry.cost.roundTrips]).toEqual([200, 1])
  expect(entry.html).toContain('<h1>Signed &lt;reports&gt;</h1>')
  expect(entry.html).toContain('content="Turn the tablet ."')
  expect(entry.html).toContain(`href="${board.path}/de/ideas/${idea}">Sign on the tablet</a>`)
  expect(entry.html).not.toContain('<script>')
  const { html: sitemap } = await show(`${board.path}/sitemap.xml`)
  expect(sitemap).toContain(`${board.path}/changelog/${key}</loc>`)
})

test('a portal without a changelog has no page for it, and a wrong address of the changelog is a 404', async () => {
  const board = await openBoard({ changelog: false })
  const key = await publish(board, { title: 'Hidden' })
  for (const path of ['/changelog', `/changelog/${key}`])
    expect((await show(board.path + path)).response.status, path).toBe(404)
  expect((await show(board.path)).html).not.toContain('/changelog')
  expect((await show(`${board.path}/sitemap.xml`)).html).not.toContain('/changelog')
  const other = await openBoard()
  expect((await show(`${other.path}/changelog/CL-99`)).response.status).toBe(404)
  expect((await show(`${other.path}/changelog?cursor=1-x`)).response.status).toBe(400)
  const empty = await show(`${other.path}/changelog?label=%00`)
  expect([empty.response.status, empty.html.includes('No entries yet')]).toEqual([200, true])
})
