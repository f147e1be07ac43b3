import { expect, test } from 'vitest'
import { call, send } from '../client'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('the start page is HTML for browsers and JSON for programs', async () => {
  const { response } = await send('GET', '/', { headers: BROWSER })
  expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
    ...[200, 'text/html; charset=utf-8', 'Accept'],
  ])
  const page = await response.text()
  expect(page).toContain('/api/v2/me -H')
  // The page loads files of this service alone.
  const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source)
  expect(sources).toEqual(expect.arrayContaining(['/start.js', '/docs/style.css']))
  expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
  for (const source of sources) expect(source).toMatch(/^\/[a-z]/)
  for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json']) {
    const { status, body } = await call<{ reference: string }>('GET', '/', { headers: { accept } })
    expect([status, body.success, body.data.reference]).toEqual([200, true, '/docs'])
  }
  expect((await call('POST', '/', { json: {} })).headers.get('allow')).toBe('GET, HEAD')
})

test('a missing page is HTML for browsers, with the path as text', async () => {
  const { response } = await send('GET', '/no/<script>alert(1)</script>', { headers: BROWSER })
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(response.headers.get('x-request-id')).toMatch(/./)
  const page = await response.text()
  expect(page).not.toContain('<script')
  expect(page).toContain('href="/docs"')
  expect((await call('GET', '/no/page', {})).body.error?.code).toBe('route_not_found')
  // A wrong method is a failure of a program.
  expect((await call('POST', '/health', { json: {}, headers: BROWSER })).body.error?.code).toBe('method_not_allowed')
})

test('reports of vulnerabilities have an address', async () => {
  const read = async (MAIL_FROM: string) => {
    const { response } = await send('GET', '/.well-known/security.txt', { env: { MAIL_FROM } })
    return response.text()
  }
  expect(await read('Acme <news@acme.example>')).toMatch(/^Contact: mailto:news@acme\.example\nExpires: \d{4}-/)
  expect(await read('plain@acme.example')).toContain('mailto:plain@acme.example\n')
})
