import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { deleteExpiredHistory } from '../../../src/workspace/retention/forget'
import { meteredDatabase } from '../../d1'
import { createWorkspace } from '../../factories'

const DAY = 86_400_000

/**
 * Inserts deliveries of an endpoint and receipts of an incoming webhook, with ages in days, and reads the remaining
 * rows.
 */
async function createAgedRows(ages: readonly number[], now: number) {
  const { subscriptionId, row } = await createWorkspace()
  const base = { subscription_id: subscriptionId, next_attempt_at: 0 }
  for (const [n, age] of ages.entries()) {
    const created_at = now - age * DAY
    const delivery = { ...base, webhook_id: 1, event_id: 10 + n, type: 'epic.created', bytes: 2, created_at }
    for (const status of ['delivered', 'pending']) {
      await env.DB.prepare(
        `INSERT INTO webhook_deliveries (${Object.keys(delivery).join()}, status) VALUES (${'?,'.repeat(7)} ?)`,
      )
        .bind(...Object.values({ ...delivery, event_id: delivery.event_id + (status === 'pending' ? 100 : 0) }), status)
        .run()
    }
    await row('incoming_receipts', { ...base, incoming_webhook_id: 1, delivery_id: `d${n}`, created_at })
  }
  const count = async (what: string) =>
    env.DB.prepare(`SELECT count(*) AS n FROM ${what} subscription_id = ?`).bind(subscriptionId).first<number>('n')
  return async () => ({
    delivered: await count("webhook_deliveries WHERE status = 'delivered' AND"),
    pending: await count("webhook_deliveries WHERE status = 'pending' AND"),
    receipts: await count('incoming_receipts WHERE'),
  })
}

const runForget = (now: number, days: string | undefined) =>
  deleteExpiredHistory({
    store: openStore(meteredDatabase(env.DB).d1, now),
    settings: { ...env, DELIVERIES_KEPT_DAYS: days } as never,
  })

test('deliveries and receipts are deleted after the set days, and pending deliveries stay', async () => {
  const now = Date.now()
  const left = await createAgedRows([1, 9, 11, 31], now)
  await runForget(now, '0')
  expect(await left()).toEqual({ delivered: 4, pending: 4, receipts: 4 })
  await runForget(now, undefined)
  expect(await left()).toEqual({ delivered: 3, pending: 4, receipts: 3 })
  await runForget(now, '10')
  expect(await left()).toEqual({ delivered: 2, pending: 4, receipts: 2 })
})
