import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { send } from '../client'
import { createWorkspace, type Workspace } from '../factories'
import { createUniqueId } from '../unique'
import { createIdea, type Headers, openBoard, readCode, show as showAtService, signIn } from './visitors'

const SETTINGS = '/api/v2/settings/portal'
const SERVICE = { PUBLIC_URL: 'https://groundwork.test' }

afterEach(() => {
  vi.restoreAllMocks()
})

/** A resolver that knows the records. */
function stubResolver() {
  const records = new Map<string, string>()
  const asked: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const name = new URL(String(input)).searchParams.get('name') ?? ''
    asked.push(name)
    const data = records.get(name)
    return Response.json({ Answer: data === undefined ? [] : [{ type: 16, data: `"${data}"` }] })
  })
  return { records, asked }
}

interface Settings {
  domain: string | null
  domainVerified: boolean
}

const save = ({ client }: Workspace, json: object) => client<Settings>('PUT', SETTINGS, { json })

const newDomain = () => `ideas-${createUniqueId().slice(0, 8)}.example.com`

/** A board whose own host is verified. */
async function openOwnHost(json: object = {}) {
  const board = await openBoard(json)
  const domain = newDomain()
  const { records } = stubResolver()
  records.set(`_groundwork.${domain}`, `groundwork-verification=groundwork.test/${board.subscriptionId}`)
  const { body } = await save(board, { domain })
  expect(body.data).toMatchObject({ domain, domainVerified: true })
  return { board, domain, origin: `https://${domain}` }
}

async function show(url: string, headers: Headers = {}) {
  const { response, cost } = await send('GET', url, { headers: { accept: 'text/html', ...headers }, env: SERVICE })
  return { status: response.status, headers: response.headers, html: await response.text(), cost }
}

async function post(url: string, fields: Record<string, string>, headers: Headers = {}) {
  const { origin } = new URL(url)
  const { response } = await send('POST', url, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...{ 'sec-fetch-site': 'same-origin', origin, ...headers },
    },
    env: SERVICE,
  })
  await response.text()
  return response
}

const linksIn = (html: string) =>
  Array.from(html.matchAll(/(?:href|action|src)="([^"]*)"/g), ([, url = '']) => url.replaceAll('&amp;', '&'))

test('a domain works once its TXT record is found, and is looked up again when it is sent again', async () => {
  const board = await openBoard()
  const domain = newDomain()
  const { records, asked } = stubResolver()
  const first = await save(board, { domain: domain.toUpperCase() })
  expect(first.body.data).toMatchObject({ domain, domainVerified: false })
  const record = `groundwork-verification=groundwork.test/${board.subscriptionId}`
  expect(first.body.message).toContain(`Publish the TXT record ${record} for _groundwork.${domain}`)
  records.set(`_groundwork.${domain}`, 'groundwork-verification=groundwork.test/0')
  expect((await save(board, { domain })).body.data.domainVerified).toBe(false)
  records.set(`_groundwork.${domain}`, record)
  expect((await save(board, { domain })).body.data.domainVerified).toBe(true)
  records.clear()
  const again = await save(board, { domain, name: 'Renamed' })
  expect([again.body.data.domainVerified, asked.length]).toEqual([true, 3])
  expect((await save(board, { domain })).cost.rowsWritten).toBe(0)
  expect((await save(board, { domain: null })).body.data).toMatchObject({ domain: null, domainVerified: false })
  expect((await save(board, { domain })).body.data.domainVerified).toBe(false)
  for (const wrong of ['localhost', 'https://a.example.com', 'a.example.com:80', '*.example.com', 'groundwork.test'])
    expect([wrong, (await save(board, { domain: wrong })).status]).toEqual([wrong, 400])
  const { results } = await env.DB.prepare("SELECT data FROM log WHERE subscription_id = ? AND type = 'portal.updated'")
    .bind(board.subscriptionId)
    .all<{ data: string }>()
  expect(results.map(({ data }) => JSON.parse(data).domainVerified)).toEqual([false, false, true, true, false, false])
})

test('a domain that another workspace has verified cannot be taken', async () => {
  const { board, domain } = await openOwnHost()
  const other = await createWorkspace()
  const { records } = stubResolver()
  expect((await save(other, { domain })).body.data).toMatchObject({ domain, domainVerified: false })
  records.set(`_groundwork.${domain}`, `groundwork-verification=groundwork.test/${other.subscriptionId}`)
  const taken = await save(other, { domain })
  expect([taken.status, taken.body.message?.startsWith('/domain: Another workspace')]).toEqual([409, true])
  expect((await save(board, { domain: null })).status).toBe(200)
  expect((await save(other, { domain })).body.data.domainVerified).toBe(true)
})

test('the own host shows the portal at its root, and every link stays there', async () => {
  const { board, origin } = await openOwnHost({ locale: 'en' })
  const key = await createIdea(board, 'Dark theme')
  await show(`${origin}/`)
  for (const path of [
    '/',
    '/de',
    `/ideas/${key}`,
    `/de/ideas/${key}`,
    '/roadmap',
    '/changelog',
    '/sign-in',
    '/no/page',
  ]) {
    const { status, html, cost } = await show(origin + path)
    expect([path, status, cost.roundTrips]).toEqual([path, path === '/no/page' ? 404 : 200, 1])
    expect(html).not.toContain('/p/')
    for (const link of linksIn(html)) expect([path, link]).toEqual([path, expect.stringMatching(/^(\/|#|https:\/\/)/)])
  }
  const board1 = await show(`${origin}/?sort=new`)
  expect(board1.html).toContain('Dark theme')
  expect(board1.html).toContain(`<link rel="canonical" href="${origin}/?sort=new"/>`)
  expect(board1.html).toContain(`hreflang="de" href="${origin}/de?sort=new"`)
  expect((await show(`${origin}/theme.css?accent=0b6e5f`)).headers.get('content-type')).toContain('text/css')
  const sitemap = await show(`${origin}/sitemap.xml`)
  expect(sitemap.html).toContain(`<loc>${origin}/ideas/${key}</loc>`)
  expect(sitemap.html).not.toContain('groundwork.test')
})

test('the pages at the host of the service name the own host as theirs', async () => {
  const { board, origin, domain } = await openOwnHost()
  const key = await createIdea(board, 'Dark theme')
  const { html } = await showAtService(`${board.path}/ideas/${key}`)
  expect(html).toContain(`<link rel="canonical" href="${origin}/ideas/${key}"/>`)
  expect(html).toContain(`href="${board.path}/de/ideas/${key}" lang="de"`)
  expect((await showAtService(`${board.path}/sitemap.xml`)).html).toContain(`<loc>${origin}/ideas/${key}</loc>`)
  const feed = await showAtService(`/api/v2/portal/${board.slug}/changelog.json`)
  expect(JSON.parse(feed.html)).toMatchObject({
    home_page_url: `${origin}/changelog`,
    feed_url: `https://${domain}/api/v2/portal/${board.slug}/changelog.json`,
  })
})

test('the own host serves its portal and nothing else', async () => {
  const { board, origin } = await openOwnHost()
  const other = await openBoard()
  const apiKey = await board.key()
  const { headers } = await board.session()
  const get = async (path: string) => {
    const { response } = await send('GET', origin + path, { apiKey, headers, env: SERVICE })
    await response.text()
    return response.status
  }
  expect(await get(`/api/v2/portal/${board.slug}/ideas`)).toBe(200)
  for (const path of [
    ...[
      '/api/v2/me',
      '/api/feedback-items',
      '/api/v2/settings',
      '/api/v2/sign-in',
      '/console',
      '/console/ideas',
      '/mcp',
    ],
    ...['/health', '/sign-in/oidc/start', '/unsubscribe/x', '/preferences/x', '/.well-known/security.txt'],
    ...[board.path, other.path, `/p/${other.slug}/theme.css`, `/api/v2/portal/${other.slug}/ideas`],
    ...[`/api/v2/portal/${board.slug}x`, `/api/v2/portal/${board.slug}/../../me`, '/api/v2/portal/%2e%2e/me'],
  ])
    expect([path, await get(path)]).toEqual([path, 404])
  for (const path of ['/api/v2/sign-in', '/api/v2/sign-out', '/api/feedback-items', '/mcp', '/api/hooks/x']) {
    const { response } = await send('POST', origin + path, { apiKey, json: {}, env: SERVICE })
    await response.text()
    expect([path, response.status]).toEqual([path, 404])
  }
})

test('a visitor signs in by code on the own host, and votes there', async () => {
  const { board, origin } = await openOwnHost()
  const key = await createIdea(board, 'Dark theme')
  const email = `${createUniqueId()}@example.com`
  const start = await post(`${origin}/ideas/${key}/vote`, { type: 'up' })
  expect([start.status, start.headers.get('location')]).toEqual([303, `/sign-in?return=%2Fideas%2F${key}&vote=${key}`])
  expect((await post(`${origin}/sign-in`, { email, return: `/ideas/${key}` })).status).toBe(200)
  const fields = { email, code: await readCode(), return: `/ideas/${key}`, vote: key }
  const done = await post(`${origin}/sign-in/code`, fields)
  expect([done.status, done.headers.get('location')]).toEqual([303, `/ideas/${key}`])
  const cookie = done.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^__Host-groundwork-session=/)
  expect(cookie).not.toMatch(/domain=/i)
  const session = { cookie: cookie.split(';')[0] ?? '' }
  expect((await show(`${origin}/ideas/${key}`, session)).html).toContain('aria-pressed="true"')
  const out = await post(`${origin}/sign-out`, {}, session)
  expect([out.status, out.headers.get('location')]).toEqual([303, '/'])
})

test('a form of another site, also of the service, changes nothing on the own host', async () => {
  const { board, origin } = await openOwnHost()
  const key = await createIdea(board, 'Dark theme')
  const { headers } = await signIn(board, 'Ada')
  for (const from of [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://groundwork.test' },
    { 'sec-fetch-site': 'none', origin },
  ])
    expect((await post(`${origin}/ideas/${key}/vote`, { type: 'up' }, { ...headers, ...from })).status).toBe(403)
  const target = await post(`${origin}/ideas/${key}/vote`, { type: 'up', return: '//evil.example' }, headers)
  expect(target.headers.get('location')).toBe('/')
  const hostilePaths = [
    'https://evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
  ]
  for (const hostile of hostilePaths)
    expect((await post(`${origin}/ideas/${key}/vote`, { return: hostile }, headers)).headers.get('location')).toBe('/')
})

test('a private portal asks strangers on the own host to sign in there', async () => {
  const { origin } = await openOwnHost({ visibility: 'private' })
  const { status, headers } = await show(`${origin}/roadmap`)
  expect([status, headers.get('location')]).toEqual([303, '/sign-in?return=%2Froadmap'])
})

test('unknown hosts belong to the service, and a removed domain closes at once', async () => {
  const { board, origin, domain } = await openOwnHost()
  expect((await show(`${origin}/`)).status).toBe(200)
  const unknown = await show(`https://${newDomain()}${board.path}`)
  expect([unknown.status, unknown.html.includes(`href="${board.path}"`)]).toEqual([200, true])
  // Without an address of the service, every host is a host of the service.
  const { response } = await send('GET', `${origin}/roadmap`, { headers: { accept: 'text/html' } })
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('Start page')])
  await save(board, { domain: null })
  expect((await show(`${origin}/`)).status).toBe(404)
  expect((await showAtService(board.path)).html).not.toContain(domain)
})
