import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { archiveDueLogs } from '../../../src/workspace/retention/archive'
import { readClock } from '../../clock'
import { interleave, interruptedDatabase } from '../../interleaving'
import { createBox, createWebhookScenario, DAY } from '../webhooks/scenario'

const OLD = readClock() - 400 * DAY

// The newest event, which the third delivery is about, always stays.
test.each([
  ['first', 0],
  ['last', 1],
] as const)(
  'the %s event of a page whose delivery is repeated while the archive works stays in the log',
  async (_, place) => {
    const spared: boolean[] = []
    await interleave(async (interruption) => {
      const { endpoint, epic, wakeWebhooks, client, space, deliveries } = await createWebhookScenario()
      const { subscriptionId } = space
      const box = createBox()
      const hook = await endpoint({ url: box.url, events: ['epic.*'] })
      for (let n = 0; n < 3; n++) await epic()
      await wakeWebhooks()
      const delivery = (await deliveries(hook.id))[place]
      if (!delivery) throw new Error('Nothing was delivered')
      const isInLog = async () => {
        const row = env.DB.prepare('SELECT 1 FROM log WHERE subscription_id = ? AND id = ?')
        return (await row.bind(subscriptionId, delivery.eventId).first()) !== null
      }
      await env.DB.batch([
        env.DB.prepare("DELETE FROM log WHERE subscription_id = ? AND type = 'webhook.created'").bind(subscriptionId),
        env.DB.prepare('UPDATE log SET created_at = ? WHERE subscription_id = ?').bind(OLD, subscriptionId),
        // The workspaces of earlier attempts are not due.
        env.DB.prepare('UPDATE log_keeping SET next_look_at = iif(subscription_id = ?1, 0, ?2)').bind(
          subscriptionId,
          readClock() + DAY,
        ),
      ])
      let wasInLog = false
      interruption.write = async () => {
        wasInLog = await isInLog()
        const { status } = await client('POST', `/api/v2/webhooks/${hook.id}/deliveries/${delivery.id}/replay`)
        expect(status).toBe(200)
      }
      const store = openStore(interruptedDatabase(env.DB, interruption), readClock())
      await archiveDueLogs({ store, files: env.FILES, settings: { ...env, EVENTS_KEPT_DAYS: '30' } })
      expect(await isInLog()).toBe(wasInLog)
      spared.push(wasInLog)
      if (!interruption.hasWritten) return
      await wakeWebhooks()
      expect((await box.received()).length).toBe(4)
    })
    // Before the lease, before the read, before the deletion, and after it.
    expect(spared).toEqual([true, true, true, false])
  },
)
