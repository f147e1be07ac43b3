import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { deleteExpiredHistory } from '../../../src/workspace/retention/forget'
import { call } from '../../client'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { createWorkspace } from '../../factories'
import { createUniqueId } from '../../unique'

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
  const now = readClock()
  const left = await createAgedRows([1, 9, 11, 31], now)
  await runForget(now, '0')
  expect(await left()).toEqual({ delivered: 4, pending: 4, receipts: 4 })
  await runForget(now, undefined)
  expect(await left()).toEqual({ delivered: 3, pending: 4, receipts: 3 })
  await runForget(now, '10')
  expect(await left()).toEqual({ delivered: 2, pending: 4, receipts: 2 })
})

test('ended sessions are deleted after 30 days, but not a session that keys or webhooks name', async () => {
  const now = readClock()
  const here = await createWorkspace()
  const end = async (id: number, ages: { expired?: number; revoked?: number }) => {
    const [expires, revoked] = [ages.expired ?? -30, ages.revoked]
    await env.DB.prepare('UPDATE api_keys SET expires_at = ?2, revoked_at = ?3 WHERE id = ?1')
      .bind(id, now - expires * DAY, revoked === undefined ? null : now - revoked * DAY)
      .run()
  }
  const create = async (ages: Parameters<typeof end>[1]) => {
    const { id } = await here.session()
    await end(id, ages)
    return id
  }
  const [active, old, revoked, recent] = [
    await create({}),
    await create({ expired: 31 }),
    await create({ expired: -5, revoked: 31 }),
    await create({ expired: 29 }),
  ]
  const naming: number[] = []
  for (const column of ['issued_by', 'rotated_by', 'first_issued_by']) {
    const id = await create({ revoked: 40 })
    naming.push(id)
    const row = { jti: createUniqueId(), user_id: here.userId, name: column, scopes: '[]', created_at: 0 }
    await here.row('api_keys', { subscription_id: here.subscriptionId, ...row, expires_at: now, [column]: id })
  }
  const { id: hooked, headers } = await here.session()
  naming.push(hooked)
  const json = { url: 'https://example.com/hook', events: ['epic.*'] }
  expect((await call('POST', '/api/v2/webhooks', { headers, json })).status).toBe(201)
  await end(hooked, { revoked: 40 })
  await here.key()
  const left = async () =>
    (
      await env.DB.prepare("SELECT id FROM api_keys WHERE subscription_id = ? AND kind = 'session' ORDER BY id")
        .bind(here.subscriptionId)
        .all<{ id: number }>()
    ).results.map(({ id }) => id)
  expect(await left()).toEqual([active, old, revoked, recent, ...naming])
  await runForget(now, '0')
  expect(await left()).toEqual([active, recent, ...naming])
  await env.DB.prepare('DELETE FROM api_keys WHERE issued_by = ?').bind(naming[0]).run()
  await runForget(now, '0')
  expect(await left()).toEqual([active, recent, ...naming])
  // The cron looks at the kept sessions once.
  const waiting = env.DB.prepare(
    "SELECT count(*) AS n FROM api_keys WHERE subscription_id = ? AND kind = 'session' AND retained = 0",
  )
  expect(await waiting.bind(here.subscriptionId).first('n')).toBe(2)
})

test('events of a deleted session name the person, and no key', async () => {
  const here = await createWorkspace()
  const { id, headers } = await here.session()
  await call('POST', '/api/v2/teams', { headers, json: { name: 'Red' } })
  await env.DB.prepare('UPDATE api_keys SET expires_at = 1 WHERE id = ?').bind(id).run()
  await here.key()
  const actorOf = async () =>
    (await here.client<{ actor: object }[]>('GET', '/api/v2/events?type=team.created')).body.data[0]?.actor
  expect(await actorOf()).toMatchObject({ userId: here.userId, keyId: id, keyName: 'test' })
  await runForget(readClock(), '0')
  expect(await actorOf()).toMatchObject({ userId: here.userId, keyId: null, keyName: null })
})
