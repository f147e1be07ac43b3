import { expect, test } from 'vitest'
import { call, send } from '../client'

test('health answers without a key, and a database that does not answer is a 503', async () => {
  const answer = await call<{ status: string }>('GET', '/health')
  expect([answer.status, answer.body.data.status]).toEqual([200, 'ok'])
  expect(answer.headers.get('server-timing')).toMatch(/desc="1"$/)
  const failing = {
    prepare() {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  }
  const down = await call('GET', '/health', { env: { DB: failing as never } })
  expect([down.status, down.body.error?.code]).toEqual([503, 'temporarily_unavailable'])
})

test('the reference page loads only from here', async () => {
  const { response } = await send('GET', '/docs')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await response.text()
  const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source)
  expect(sources.length).toBeGreaterThan(2)
  for (const source of sources) expect(source).toMatch(/^\/docs\/|^data:,$/)
})
