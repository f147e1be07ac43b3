import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { app } from '../../src/app'
import { operations } from '../../src/operations'
import { send } from '../client'
import { createIdea, openBoard, signIn } from '../portal/visitors'

const known = new Set(operations.map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')))
/** Programs and providers call these, with a key or a signature. Links of mails name their person by a signature. */
const WITHOUT_SESSION = /^\/(?:api|mcp|unsubscribe|preferences|confirmations|invitations)\b/

const forms = [
  ...new Set(app.routes.filter(({ method, path }) => method === 'POST' && !known.has(path)).map(({ path }) => path)),
].filter((path) => !WITHOUT_SESSION.test(path))

const OTHER_SITES: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.groundwork.test' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  {},
]

test('no form of a page works from another site', async () => {
  const board = await openBoard()
  const key = await createIdea(board, 'Dark theme')
  const { headers } = await signIn(board, 'Ada')
  const values: Record<string, string> = { portal: board.slug, key, comment: '1', token: 'x' }
  const count = () =>
    env.DB.prepare(
      'SELECT (SELECT count(*) FROM log WHERE subscription_id = ?1) || (SELECT count(*) FROM emails WHERE subscription_id = ?1) AS n',
    )
      .bind(board.subscriptionId)
      .first('n')
  const before = await count()
  expect(forms.length).toBeGreaterThan(15)
  for (const form of forms) {
    const path = form.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x')
    for (const from of OTHER_SITES)
      for (const caller of [headers, {}]) {
        const raw = new URLSearchParams({ type: 'up', text: 'Foreign', title: 'Foreign', email: 'ada@example.com' })
        const { response } = await send('POST', path, { raw, headers: { ...from, ...caller } })
        await response.text()
        expect([path, from, response.status]).toEqual([path, from, 403])
        expect([path, response.headers.get('set-cookie')]).toEqual([path, null])
      }
  }
  expect(await count()).toBe(before)
})
