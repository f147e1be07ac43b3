import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

const PATH = '/api/v2/settings'

interface Settings {
  feedback: { moderation: boolean }
  cors: string[]
  ideaUrl: string | null
  mailTemplates: object
}

const MAIL_DEFAULTS = { ideaUrl: null, mailTemplates: {} }

test('a new workspace has settings, and an update changes only the sent members', async () => {
  const { client, key, product } = await createWorkspace()
  const first = await client<Settings>('GET', PATH)
  expect([first.status, first.body.data, first.cost.roundTrips]).toEqual([
    200,
    { feedback: { moderation: false }, cors: [], ...MAIL_DEFAULTS },
    1,
  ])
  const on = await client<Settings>('PUT', PATH, { json: { feedback: { moderation: true } } })
  expect([on.status, on.body.data]).toEqual([200, { feedback: { moderation: true }, cors: [], ...MAIL_DEFAULTS }])
  for (const json of [{}, { feedback: {} }, { feedback: { moderation: true } }]) {
    const same = await client<Settings>('PUT', PATH, { json })
    expect([same.body.data, same.cost.rowsWritten]).toEqual([
      { feedback: { moderation: true }, cors: [], ...MAIL_DEFAULTS },
      0,
    ])
  }
  const stale = await client('PUT', PATH, {
    json: { feedback: { moderation: false } },
    headers: { 'if-match': '"v1"' },
  })
  expect(stale.status).toBe(412)
  for (const json of [
    { feedback: { moderation: 'yes' } },
    { feedback: null },
    { feedback: { moderation: null } },
    [],
  ]) {
    expect((await client('PUT', PATH, { json })).status).toBe(400)
  }
  const limited = await key({ products: [product.id] })
  expect((await client('PUT', PATH, { json: {}, apiKey: limited })).status).toBe(403)
  expect((await client<Settings>('GET', PATH, { apiKey: limited })).body.data.feedback.moderation).toBe(true)
})

test('an idea is pending while the workspace moderates', async () => {
  const { client, product } = await createWorkspace()
  const make = async (title: string) =>
    (
      await client<{ external_key: string; visibility_level: string | null }>('POST', '/api/feedback-items', {
        json: { title, product: product.externalKey },
      })
    ).body.data
  expect((await make('Before')).visibility_level).toBeNull()
  await client('PUT', PATH, { json: { feedback: { moderation: true } } })
  const [first, second] = [await make('First'), await make('Second')]
  expect([first.visibility_level, second.visibility_level]).toEqual(['pending', 'pending'])
  const listed = async (level: string) =>
    (await client<{ title: string }[]>('GET', `/api/feedback-items?visibility_level=${level}`)).body.data.map(
      ({ title }) => title,
    )
  expect(await listed('pending')).toEqual(['Second', 'First'])
  expect(await listed('public')).toEqual(['Before'])
  for (const level of ['approved', 'rejected'] as const) {
    const key = level === 'approved' ? first.external_key : second.external_key
    const set = await client<{ visibility_level: string }>('PUT', `/api/feedback-items/${key}`, {
      json: { visibility_level: level },
    })
    expect([set.status, set.body.data.visibility_level]).toEqual([200, level])
    expect(await listed(level)).toHaveLength(1)
  }
  expect([await listed('pending'), await listed('public')]).toEqual([[], ['First', 'Before']])
  const wrong = await client('PUT', '/api/feedback-items/IDEA-1', { json: { visibility_level: 'secret' } })
  expect([wrong.status, wrong.body.error?.issues[0]?.path]).toEqual([400, '/visibility_level'])
})
