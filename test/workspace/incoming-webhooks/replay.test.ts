import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createIncomingScenario, type Incoming, PATH, signDelivery } from './scenario'

const TITLE = { title: '$.title' }
const BAD_EMAIL = { ...TITLE, email: '=nobody' }

async function createReplayScenario() {
  const it = await createIncomingScenario()
  return {
    ...it,
    async replay(hook: Incoming, receiptId?: number) {
      const id = receiptId ?? (await it.receipts(hook))[0]?.id
      const QUEUE = { send: async (body: never) => it.office.enqueue(body) } as never
      const reply = await it.client('POST', `${PATH}/${hook.id}/receipts/${id}/replay`, { env: { QUEUE } })
      await it.office.drain()
      return reply
    },
    modify: (hook: Incoming, mapping: object) =>
      it.client('PUT', `${PATH}/${hook.id}`, { json: { action: 'create_feedback', mapping } }),
    ideas: async () =>
      (await it.client<{ title: string }[]>('GET', '/api/feedback-items')).body.data.map(({ title }) => title),
  }
}

test('a failed delivery is handled again with the corrected mapping, once', async () => {
  const it = await createReplayScenario()
  const hook = await it.expectCreated({ provider: 'generic', action: 'create_feedback', mapping: BAD_EMAIL })
  await it.post(hook, '{"title":"Dark mode"}', { 'x-delivery-id': 'a' })
  expect(await it.receipts(hook)).toMatchObject([{ status: 'failed', replayable: true }])
  expect((await it.replay(hook)).body.data).toMatchObject({ status: 'queued', error: null, replayable: true })
  expect(await it.receipts(hook)).toMatchObject([{ status: 'failed', replayable: true }])

  await it.modify(hook, TITLE)
  const { status, body } = await it.replay(hook)
  expect([status, body.message]).toEqual([200, 'The delivery is handled again in a moment.'])
  expect(await it.receipts(hook)).toMatchObject([{ deliveryId: 'a', status: 'processed', replayable: false }])
  const again = await it.replay(hook)
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('not handled twice')])
  expect(await it.ideas()).toEqual(['Dark mode'])
  const { results } = await env.DB.prepare(
    "SELECT data FROM log WHERE subscription_id = ? AND type = 'incoming_webhook.replayed'",
  )
    .bind(it.subscriptionId)
    .all<{ data: string }>()
  expect(results.map(({ data }) => JSON.parse(data))).toEqual([
    { id: hook.id, receiptId: expect.any(Number) },
    { id: hook.id, receiptId: expect.any(Number) },
  ])
})

test('an ignored delivery is handled again, and a payload that is not stored is a conflict', async () => {
  const it = await createReplayScenario()
  const ignored = { exceptAuthors: ['bot'], mapping: { ...TITLE, author: '$.by' } }
  const hook = await it.expectCreated({ provider: 'generic', action: 'create_feedback', ...ignored })
  await it.post(hook, '{"title":"Left out","by":"bot"}')
  expect(await it.receipts(hook)).toMatchObject([{ status: 'ignored', replayable: true }])
  await it.modify(hook, TITLE)
  expect((await it.replay(hook)).status).toBe(200)
  expect(await it.receipts(hook)).toMatchObject([{ status: 'processed' }])

  await it.modify(hook, BAD_EMAIL)
  await it.post(hook, JSON.stringify({ title: 'Too long to keep', text: 'x'.repeat(100_001) }))
  expect((await it.receipts(hook))[0]).toMatchObject({ status: 'failed', replayable: false })
  const { status, body } = await it.replay(hook)
  expect([status, body.message]).toEqual([409, expect.stringContaining('no longer stored')])
  expect((await it.replay(hook, 999_999)).body.error?.code).toBe('incoming_receipt_not_found')
})

test('a delivery that the sender has sent again is not handled a second time', async () => {
  const it = await createReplayScenario()
  const secret = 'a secret of the sender'
  const hook = await it.expectCreated({
    ...{ provider: 'github', action: 'create_feedback', secret },
    mapping: BAD_EMAIL,
  })
  const raw = '{"title":"Sent twice"}'
  await it.post(hook, raw, await signDelivery('github', hook, raw, 'first'))
  const first = (await it.receipts(hook))[0]?.id
  await it.modify(hook, TITLE)
  await it.post(hook, raw, await signDelivery('github', hook, raw, 'second'))
  expect(await it.ideas()).toEqual(['Sent twice'])
  const { status, body } = await it.replay(hook, first)
  expect([status, body.message]).toEqual([409, expect.stringContaining('sent this delivery again')])
  expect(await it.ideas()).toEqual(['Sent twice'])
})

test('the newest 200 payloads of a webhook are kept', async () => {
  const it = await createReplayScenario()
  const hook = await it.expectCreated({ provider: 'generic', action: 'create_feedback', mapping: { title: '$.name' } })
  await env.DB.prepare(
    `INSERT INTO incoming_receipts (subscription_id, incoming_webhook_id, delivery_id, status, payload, next_attempt_at, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
     SELECT ?, ?, 'd' || i, 'failed', '{}', 0, i FROM n`,
  )
    .bind(it.subscriptionId, hook.id)
    .run()
  const kept = () =>
    env.DB.prepare(
      `SELECT count(*) AS count, min(created_at) AS oldest FROM incoming_receipts
       WHERE incoming_webhook_id = ? AND payload IS NOT NULL`,
    )
      .bind(hook.id)
      .first()
  expect(await kept()).toEqual({ count: 200, oldest: 1 })
  await it.post(hook, '{"title":"One more"}')
  expect(await kept()).toEqual({ count: 200, oldest: 2 })
})
