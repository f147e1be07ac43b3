import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { createBox, createWebhookScenario, HOUR, MINUTE, SECOND } from './scenario'

const DELIVERIES_PER_PROBE = 5

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

test('an endpoint is probed with five deliveries from its first failure on, until a delivery succeeds', async () => {
  const { endpoint, epic, wakeWebhooks, runFor, read } = await createWebhookScenario()
  const box = createBox()
  const hook = await endpoint({ url: box.url, events: ['epic.*'] })
  await box.answers({ status: 500 })
  await epic()
  await wakeWebhooks()
  expect([(await box.received()).length, (await read(hook.id)).failures]).toEqual([1, 1])
  for (let n = 0; n < 8; n++) await epic()
  await wakeWebhooks()
  await runFor(MINUTE)
  expect((await box.received()).length).toBe(1 + DELIVERIES_PER_PROBE)
  await box.answers({ status: 200 })
  await runFor(HOUR)
  const delivered = (await box.received()).length
  expect(delivered).toBe(1 + DELIVERIES_PER_PROBE + 9)
  for (let n = 0; n < 8; n++) await epic()
  await box.answers({ status: 500 })
  await wakeWebhooks()
  // Without a failure before, a claim takes all deliveries.
  expect((await box.received()).length).toBe(delivered + 8)
})

test.each([
  ['removed', 'DELETE', undefined, 'discarded'],
  ['paused', 'PUT', { status: 'paused' }, 'pending'],
] as const)('no waiting delivery of a %s webhook is sent', async (_, method, json, status) => {
  const { endpoint, epic, wakeWebhooks, handleDueMessages, client, office, space } = await createWebhookScenario()
  const { subscriptionId } = space
  const [box, other] = [createBox(), createBox()]
  const hook = await endpoint({ url: box.url, events: ['epic.*'] })
  const further = await endpoint({ url: other.url, events: ['epic.*'] })
  for (const { answers } of [box, other]) await answers({ status: 500 })
  for (let n = 0; n < 3; n++) await epic()
  await wakeWebhooks()
  const sent = (await box.received()).length
  expect((await client(method, `/api/v2/webhooks/${hook.id}`, json ? { json } : {})).status).toBe(200)
  for (const { answers } of [box, other]) await answers({ status: 200 })
  office.now += 10 * SECOND
  for (const webhookId of [hook.id, further.id]) office.enqueue({ kind: 'webhook.deliver', subscriptionId, webhookId })
  await handleDueMessages()
  expect((await box.received()).length).toBe(sent)
  const { results } = await env.DB.prepare(
    'SELECT webhook_id AS hook, status, count(*) AS n FROM webhook_deliveries WHERE subscription_id = ? GROUP BY 1, 2',
  )
    .bind(subscriptionId)
    .all()
  expect(results).toEqual([
    { hook: hook.id, status, n: 3 },
    { hook: further.id, status: 'delivered', n: 3 },
  ])
})
