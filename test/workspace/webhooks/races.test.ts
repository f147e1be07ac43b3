import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { resealSecrets } from '../../../src/workspace/webhooks/reseal'
import { readClock } from '../../clock'
import { interleave, interruptedDatabase } from '../../interleaving'
import { createBox, createWebhookScenario, verifyDelivery } from './scenario'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const WITH_NEWER_SECRET = `newer:bmV3ZXItc2VjcmV0LW9mLXRoZS10ZXN0LXN1aXRlLTE,${env.SIGNING_SECRETS}`
const URL_OF_RECEIVER = 'https://receiver.example.com/'

/** A webhook with waiting events, and the event ids that its receiver got. */
async function createBusyWebhook() {
  const received: string[] = []
  const scenario = await createWebhookScenario({}, async (_, init) => {
    received.push(new Headers(init?.headers).get('webhook-id') ?? '')
    return new Response(null, { status: 204 })
  })
  const hook = await scenario.endpoint({ url: URL_OF_RECEIVER, events: ['epic.*'] })
  for (let n = 0; n < 3; n++) await scenario.epic()
  const { subscriptionId } = scenario.space
  const countClaimed = async () => {
    const claimed = env.DB.prepare(
      "SELECT count(*) AS n FROM webhook_deliveries WHERE subscription_id = ? AND status = 'pending' AND claim IS NOT NULL",
    )
    return (await claimed.bind(subscriptionId).first<number>('n')) ?? 0
  }
  return { ...scenario, hook, received, countClaimed, message: { kind: 'webhook.wake', subscriptionId } as const }
}

test('a second consumer of a webhook delivers no event again, wherever the first is', async () => {
  const attempts = await interleave(async (interruption) => {
    const { office, received, message, space, hook } = await createBusyWebhook()
    const { subscriptionId } = space
    interruption.write = async () => {
      office.beforeAction = async () => {}
      for (const other of [message, { kind: 'webhook.deliver', subscriptionId, webhookId: hook.id } as const])
        await office.handle([other])
      office.beforeAction = interruption.beforeCall
    }
    office.beforeAction = interruption.beforeCall
    await office.handle([message])
    expect(received.length).toBe(3)
    expect(new Set(received).size).toBe(3)
  })
  // Fan-out, claim, three requests, and the end of the run.
  expect(attempts).toBeGreaterThan(6)
})

test('a webhook that is removed while its deliveries run gets the claimed deliveries only', async () => {
  const sent = new Set<number>()
  await interleave(async (interruption) => {
    const { office, received, message, countClaimed, client, hook } = await createBusyWebhook()
    let [claimed, before] = [0, 3]
    interruption.write = async () => {
      ;[claimed, before] = [await countClaimed(), received.length]
      expect((await client('DELETE', `/api/v2/webhooks/${hook.id}`)).status).toBe(200)
    }
    office.beforeAction = interruption.beforeCall
    await office.handle([message])
    expect(received.length).toBe(claimed || before)
    sent.add(received.length)
  })
  expect(sent).toEqual(new Set([0, 3]))
})

test('a secret that is rotated while secrets are encrypted again stays the secret of the webhook', async () => {
  await interleave(async (interruption) => {
    const { endpoint, epic, wakeWebhooks, client } = await createWebhookScenario({ SIGNING_SECRETS: WITH_NEWER_SECRET })
    const box = createBox()
    const hook = await endpoint({ url: box.url, events: ['epic.*'] })
    let { secret } = hook
    interruption.write = async () => {
      const { body } = await client<{ secret: string }>('POST', `/api/v2/webhooks/${hook.id}/rotate`)
      secret = body.data.secret
    }
    await resealSecrets({
      store: openStore(interruptedDatabase(env.DB, interruption), readClock()),
      settings: { ...env, SIGNING_SECRETS: WITH_NEWER_SECRET },
    })
    await epic()
    await wakeWebhooks()
    const [delivery] = await box.received()
    if (!delivery) throw new Error('Nothing was received')
    expect(verifyDelivery({ secret }, delivery).type).toBe('epic.created')
  })
})
