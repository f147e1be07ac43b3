import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

const IDEAS = '/api/feedback-items'

interface Idea {
  external_key: string
  visibility_level: string | null
}

test.each([false, true])('a new idea has the visibility that was sent (moderation: %s)', async (moderation) => {
  const { client, product } = await createWorkspace()
  await client('PUT', '/api/v2/settings', { json: { feedback: { moderation } } })
  const idea = { title: 'Dark mode', product: product.externalKey }
  const byDefault = moderation ? 'pending' : null
  for (const [sent, shown] of [
    [undefined, byDefault],
    [null, null],
    ...['pending', 'approved', 'rejected'].map((one) => [one, one] as const),
  ] as const) {
    const json = { ...idea, ...(sent !== undefined && { visibility_level: sent }) }
    const created = await client<Idea>('POST', IDEAS, { json })
    expect([sent, created.body.data.visibility_level]).toEqual([sent, shown])
    const { product: name, ...own } = json
    const upserted = await client<Idea>('PUT', `${IDEAS}/external/crm/${sent}?product=${name}`, { json: own })
    expect([sent, upserted.body.data.visibility_level]).toEqual([sent, shown])
    const bulk = await client<{ results: Idea[] }>('POST', `${IDEAS}/bulk-create`, { json: [json] })
    const key = (bulk.body.data.results[0] as unknown as { externalKey: string }).externalKey
    const read = await client<Idea>('GET', `${IDEAS}/${key}`)
    expect([sent, read.body.data.visibility_level]).toEqual([sent, shown])
  }
  const wrong = await client('POST', IDEAS, { json: { ...idea, visibility_level: 'public' } })
  expect([wrong.status, wrong.body.error?.issues[0]?.path]).toEqual([400, '/visibility_level'])
})

test('an upsert without a visibility leaves it', async () => {
  const { client, product } = await createWorkspace()
  const path = `${IDEAS}/external/crm/1?product=${product.externalKey}`
  await client('PUT', path, { json: { title: 'Dark mode', visibility_level: 'rejected' } })
  const { body } = await client<Idea>('PUT', path, { json: { title: 'Dark theme' } })
  expect(body.data.visibility_level).toBe('rejected')
})
