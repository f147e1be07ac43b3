import { expect, test } from 'vitest'
import { app } from '../../src/app'
import { operations } from '../../src/operations'
import { send } from '../client'
import { createWorkspace } from '../factories'
import { openPortalOf, write } from './portal'

const here = await createWorkspace()
const { slug } = await openPortalOf(here)
const idea = await write(here, 'POST', '/api/feedback-items', { title: 'Dark', product: here.product.externalKey })
const entry = await write(here, 'POST', '/api/v2/changelog', { title: 'Dark theme', content: '<p>x</p>' })
await write(here, 'POST', `/api/v2/changelog/${entry.externalKey}/publish`)

const known = new Set(operations.map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')))
const valueFor = (path: string, name: string) => {
  if (name === 'portal') return slug
  if (name !== 'key') return 'x'
  return path.includes('changelog') ? entry.externalKey : idea.external_key
}
const addressOf = (path: string) =>
  path.replace(/:(\w+)(?:\{[^}]*\})?/g, (_, name: string) => valueFor(path, name)).replace('*', 'nothing/here')

/** Addresses of the routes that a browser opens. */
const routes = [
  ...new Set(app.routes.filter(({ method, path }) => method === 'GET' && !known.has(path)).map(({ path }) => path)),
].filter((path) => !path.startsWith('/api/'))

const SAME_SITE = { 'sec-fetch-site': 'same-origin' }

function expectNoFrame(response: Response, name: string) {
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy, name).toContain("frame-ancestors 'none'")
  expect(policy, name).toContain("default-src 'none'")
  expect(policy, name).toContain("base-uri 'none'")
  const others = policy.replace(/script-src https:\/\/groundwork\.test\/[\w/.]+;/, '')
  expect(others, name).not.toMatch(/unsafe|\*|data:|https?:/)
  expect(response.headers.get('x-content-type-options'), name).toBe('nosniff')
  expect(response.headers.get('referrer-policy'), name).toMatch(/^(?:no-referrer|same-origin)$/)
}

test('no page of the service can stand in a frame of another site', async () => {
  const { headers } = await here.session()
  let pages = 0
  for (const path of routes) {
    for (const more of [{}, headers]) {
      const { response } = await send('GET', addressOf(path), { headers: { accept: 'text/html', ...more } })
      await response.text()
      if (!response.headers.get('content-type')?.startsWith('text/html')) continue
      expectNoFrame(response, `${path} ${response.status}`)
      pages++
    }
  }
  expect(pages).toBeGreaterThan(30)
})

test('pages that answer a form, and pages of a failure, cannot stand in a frame either', async () => {
  for (const [method, path, fields] of [
    ['POST', '/sign-in', { email: 'ada@example.com', next: '/' }],
    ['POST', '/sign-in', { email: 'nobody', next: '/' }],
    ['POST', '/sign-in/code', { email: 'ada@example.com', code: '000000', next: '/' }],
    ['GET', '/nothing/here', undefined],
    ['GET', '/p/no-such-portal', undefined],
    ['GET', `/p/${slug}?cursor=nonsense`, undefined],
    ['GET', '/sign-in/oidc/callback?state=x', undefined],
  ] as const) {
    const raw = fields && new URLSearchParams(fields)
    const { response } = await send(method, path, {
      ...(raw && { raw }),
      headers: { accept: 'text/html', ...SAME_SITE },
    })
    await response.text()
    expect([path, response.headers.get('content-type')?.split(';')[0]]).toEqual([path, 'text/html'])
    expectNoFrame(response, `${method} ${path}`)
  }
})
