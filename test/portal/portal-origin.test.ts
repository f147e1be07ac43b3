import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../client'
import { createUniqueId } from '../unique'
import { fileForm, PIXEL_PNG } from '../world'
import { createIdea, type Headers, openBoard, readCode } from './visitors'

const SERVICE_ORIGIN = 'https://groundwork.test'
const PORTAL_ORIGIN = 'https://portals.test'
const SETTINGS = { PUBLIC_URL: SERVICE_ORIGIN, PORTAL_ORIGIN }

async function ask(method: string, url: string, options: Parameters<typeof send>[2] = {}) {
  const { response, cost } = await send(method, url, { ...options, env: { ...SETTINGS, ...options.env } })
  return { status: response.status, headers: response.headers, text: await response.text(), cost }
}

const show = (url: string, headers: Headers = {}) => ask('GET', url, { headers: { accept: 'text/html', ...headers } })

const post = (url: string, fields: Record<string, string>, headers: Headers = {}) =>
  ask('POST', url, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...{ 'sec-fetch-site': 'same-origin', origin: new URL(url).origin, ...headers },
    },
  })

const linksIn = (html: string) =>
  Array.from(html.matchAll(/(?:href|action|src)="([^"]*)"/g), ([, url = '']) => url.replaceAll('&amp;', '&'))

test('pages of portals move to their origin, and without the setting they stay', async () => {
  const board = await openBoard({ locale: 'en' })
  const key = await createIdea(board, 'Dark theme')
  for (const path of [
    '',
    '?sort=new',
    '/de',
    `/ideas/${key}`,
    '/changelog',
    '/sign-in',
    '/sitemap.xml',
    '/theme.css',
  ]) {
    const moved = await show(SERVICE_ORIGIN + board.path + path)
    expect([path, moved.status, moved.headers.get('location'), moved.cost.roundTrips]).toEqual([
      ...[path, 308, PORTAL_ORIGIN + board.path + path, 0],
    ])
    expect((await show(PORTAL_ORIGIN + board.path + path)).status).toBe(200)
    for (const portalOrigin of ['', SERVICE_ORIGIN]) {
      const one = { env: { PORTAL_ORIGIN: portalOrigin } }
      expect((await ask('GET', SERVICE_ORIGIN + board.path + path, one)).status).toBe(200)
    }
  }
  const vote = await post(`${SERVICE_ORIGIN}${board.path}/ideas/${key}/vote`, { type: 'up' })
  expect([vote.status, vote.headers.get('location')]).toEqual([303, `${PORTAL_ORIGIN}${board.path}/ideas/${key}/vote`])
  const odd = await show(`${SERVICE_ORIGIN}/p//evil.example/%2e%2e/x`)
  expect(odd.headers.get('location')).toMatch(/^https:\/\/portals\.test\/p\//)
})

test('the origin of portals serves portals and nothing of the team', async () => {
  const board = await openBoard()
  const apiKey = await board.key()
  const { headers } = await board.session()
  const paths = [
    ...['/', '/console', '/console/ideas', '/docs', '/docs/guides', '/health', '/mcp', '/.well-known/security.txt'],
    ...[
      '/api/v2/me',
      '/api/feedback-items',
      '/api/v2/settings/portal',
      '/api/v2/sign-in',
      '/api/v2/exports',
      '/api/v2/portal',
    ],
    ...['/sign-in', '/sign-in/oidc/start', '/unsubscribe/x', '/preferences/x', '/api/hooks/x', '/invitations/x'],
    ...[`/api/v2/portal/${board.slug}/../../me`, '/api/v2/portal/%2e%2e/me', '/p/../console', '/P/x', '//p/x'],
  ]
  for (const path of paths)
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, text } = await ask(method, PORTAL_ORIGIN + path, { apiKey, headers })
      expect([path, status, JSON.parse(text).error?.code]).toEqual([path, 404, 'route_not_found'])
    }
  expect((await ask('GET', `${PORTAL_ORIGIN}/api/v2/portal/${board.slug}/ideas`)).status).toBe(200)
  expect((await ask('GET', `${SERVICE_ORIGIN}/api/v2/portal/${board.slug}/ideas`, { apiKey })).status).toBe(200)
  const page = await show(`${SERVICE_ORIGIN}/console`)
  expect(page.text).toContain(`data-portal-origin="${PORTAL_ORIGIN}"`)
})

test('the links of pages and feeds name the origin of portals, or the own domain of the portal', async () => {
  const board = await openBoard({ locale: 'en' })
  const key = await createIdea(board, 'Dark theme')
  const { text } = await show(`${PORTAL_ORIGIN}${board.path}/ideas/${key}`)
  expect(text).toContain(`<link rel="canonical" href="${PORTAL_ORIGIN}${board.path}/ideas/${key}"/>`)
  for (const link of linksIn(text)) expect(link).toMatch(/^(\/|#|https:\/\/portals\.test\/)/)
  expect((await show(`${PORTAL_ORIGIN}${board.path}/sitemap.xml`)).text).toContain(
    `<loc>${PORTAL_ORIGIN}${board.path}/ideas/${key}</loc>`,
  )
  for (const origin of [PORTAL_ORIGIN, SERVICE_ORIGIN]) {
    const feed = await ask('GET', `${origin}/api/v2/portal/${board.slug}/changelog.json`)
    expect(JSON.parse(feed.text)).toMatchObject({
      home_page_url: `${PORTAL_ORIGIN}${board.path}/changelog`,
      feed_url: `${PORTAL_ORIGIN}/api/v2/portal/${board.slug}/changelog.json`,
    })
    const atom = await ask('GET', `${origin}/api/v2/portal/${board.slug}/changelog.atom`)
    expect(atom.text).toContain(`href="${PORTAL_ORIGIN}${board.path}/changelog"`)
    expect(atom.text).not.toContain(SERVICE_ORIGIN)
  }
  const domain = `ideas-${createUniqueId().slice(0, 8)}.example.com`
  await env.DB.prepare('UPDATE portals SET domain = ?, domain_verified = 1 WHERE subscription_id = ?')
    .bind(domain, board.subscriptionId)
    .run()
  const moved = await show(`${PORTAL_ORIGIN}${board.path}/ideas/${key}`)
  expect(moved.text).toContain(`<link rel="canonical" href="https://${domain}/ideas/${key}"/>`)
  const feed = await ask('GET', `${PORTAL_ORIGIN}/api/v2/portal/${board.slug}/changelog.json`)
  expect(JSON.parse(feed.text).home_page_url).toBe(`https://${domain}/changelog`)
  const own = await show(`https://${domain}/ideas/${key}`)
  expect([own.status, own.headers.get('location')]).toEqual([200, null])
})

test('a visitor signs in by code at the origin of portals, and the session stays there', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const email = `${createUniqueId()}@example.com`
  const at = PORTAL_ORIGIN + board.path
  expect((await post(`${at}/sign-in`, { email, return: `${board.path}/ideas/${key}` })).status).toBe(200)
  const fields = { email, code: await readCode(), return: `${board.path}/ideas/${key}`, vote: key }
  const done = await post(`${at}/sign-in/code`, fields)
  expect([done.status, done.headers.get('location')]).toEqual([303, `${board.path}/ideas/${key}`])
  const cookie = done.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^__Host-groundwork-session=/)
  expect(cookie).not.toMatch(/domain=/i)
  const session = { cookie: cookie.split(';')[0] ?? '' }
  expect((await show(`${at}/ideas/${key}`, session)).text).toContain('aria-pressed="true"')
  for (const from of ['same-site', 'cross-site', 'none']) {
    const sent = await post(`${at}/ideas/${key}/vote`, { type: 'up' }, { ...session, 'sec-fetch-site': from })
    expect([from, sent.status]).toEqual([from, 403])
  }
})

test('a page of a portal cannot act with the session of the team', async () => {
  const board = await openBoard()
  const { headers } = await board.session()
  for (const from of [{ 'sec-fetch-site': 'same-site' }, {}]) {
    const sent = await ask('POST', `${SERVICE_ORIGIN}/api/feedback-items`, {
      headers: { ...headers, 'sec-fetch-site': '', ...from, origin: PORTAL_ORIGIN },
      json: { title: 'Forged', product: board.product.externalKey },
    })
    expect(sent.status).toBe(403)
  }
})

test('the host of portals is no domain of a portal', async () => {
  const board = await openBoard()
  for (const domain of ['portals.test', 'groundwork.test']) {
    const { status, body } = await board.client('PUT', '/api/v2/settings/portal', { json: { domain }, env: SETTINGS })
    expect([domain, status, body.error?.issues[0]?.path]).toEqual([domain, 400, '/domain'])
  }
})

test('pictures of a public portal can be shown on other sites, from either origin', async () => {
  const board = await openBoard()
  const path = `/api/initiatives/${board.product.externalKey}/assets`
  const { body } = await board.client<{ id: number }>('POST', path, { raw: fileForm('file', PIXEL_PNG, 'logo.png') })
  const logo = body.data.id
  const url = `/api/v2/portal/${board.slug}/files/${logo}`
  for (const [visibility, policy] of [
    ['public', 'cross-origin'],
    ['private', 'same-origin'],
  ]) {
    await board.client('PUT', '/api/v2/settings/portal', { json: { logo, visibility } })
    const apiKey = visibility === 'private' ? await board.key() : null
    for (const origin of [PORTAL_ORIGIN, SERVICE_ORIGIN]) {
      const { headers, status } = await ask('GET', origin + url, { apiKey })
      expect([origin, status, headers.get('cross-origin-resource-policy')]).toEqual([origin, 200, policy])
    }
  }
})

test('each page runs the scripts of the service alone, by their address', async () => {
  const board = await openBoard()
  const ASSETS = { fetch: async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }) }
  const pages: [string, string, object][] = [
    [`${PORTAL_ORIGIN}${board.path}`, `${PORTAL_ORIGIN}/assets/`, {}],
    [`${PORTAL_ORIGIN}${board.path}/no/page`, `${PORTAL_ORIGIN}/assets/`, {}],
    [`${SERVICE_ORIGIN}${board.path}/sign-in`, `${SERVICE_ORIGIN}/assets/`, { PORTAL_ORIGIN: '' }],
    [`${SERVICE_ORIGIN}/console/ideas`, `${SERVICE_ORIGIN}/assets/`, {}],
    [`${SERVICE_ORIGIN}/docs`, `${SERVICE_ORIGIN}/docs/pages.js`, { ASSETS }],
    [`${SERVICE_ORIGIN}/docs/guides/portal`, `${SERVICE_ORIGIN}/docs/pages.js`, { ASSETS }],
    [`${SERVICE_ORIGIN}/`, `${SERVICE_ORIGIN}/start.js`, {}],
    [`${SERVICE_ORIGIN}/sign-in`, '', {}],
    [`${SERVICE_ORIGIN}/no/page`, '', {}],
  ]
  for (const [url, scripts, settings] of pages) {
    const { headers } = await ask('GET', url, { headers: { accept: 'text/html' }, env: settings })
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((part): [string, string] => {
        const [name = '', ...values] = part.split(' ')
        return [name, values.join(' ')]
      }),
    )
    expect([url, policy.get('script-src') ?? '']).toEqual([url, scripts])
    expect([url, policy.get('default-src'), policy.get('base-uri')]).toEqual([url, "'none'", "'none'"])
    if (!scripts) continue
    for (const name of ['worker-src', 'object-src', 'frame-src', 'frame-ancestors'])
      expect([url, name, policy.get(name)]).toEqual([url, name, "'none'"])
  }
  const missing = { ASSETS: { fetch: async () => new Response(null, { status: 404 }) } } as object
  expect((await ask('GET', `${SERVICE_ORIGIN}/docs/nowhere`, { env: missing })).status).toBe(404)
})
