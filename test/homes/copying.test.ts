import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { openStore } from '../../src/db/client/client'
import { listChangesOfRows } from '../../src/workspace/moves/queries/rows'
import { listMovedTables } from '../../src/workspace/moves/queries/tables'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { dumpWorkspace, finishMove, readMove, requestMove } from './moving'

const bindings = await openTwoHomes()
const store = openStore(env.DB, readClock())

async function moveToEu(id: number) {
  const clock = { now: readClock() }
  await requestMove(env.DB, id, EU_NUMBER, clock.now)
  await finishMove(bindings, clock)
  return readMove(env.DB, id)
}

test('each given row is found by its key, so the work is linear in the rows', async () => {
  for (const table of await listMovedTables(store))
    for (const { template, values = {} } of listChangesOfRows(table, 1, [])) {
      const { text, names } = template()
      if (text.startsWith('DELETE')) continue
      const bound = names.map((name) => (values as Record<string, unknown>)[name] ?? null)
      const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`)
        .bind(...bound)
        .all<{ detail: string }>()
      const [first = '', second = ''] = plan.results.map(({ detail }) => detail)
      expect([table.name, first.slice(0, 6)]).toEqual([table.name, 'SCAN r'])
      if (text.startsWith('UPDATE'))
        expect([table.name, second]).toEqual([table.name, expect.stringMatching(/^SEARCH t USING/)])
    }
})

test('ideas that fill several pages move with the subscriptions that a trigger gives to them', async () => {
  const { client, subscriptionId, product } = await createWorkspace()
  const ideas = Array.from({ length: 20 }, (_, n) => ({
    ...{ title: `Idea ${n}`, product: product.externalKey, long_description: 'word '.repeat(1_200) },
  }))
  for (let n = 0; n < 4; n++) {
    const made = await client('POST', '/api/feedback-items/bulk-create', { json: ideas, env: { HOMES: TWO_HOMES } })
    expect(made.status).toBeLessThan(300)
  }
  const before = await dumpWorkspace(env.DB, subscriptionId)
  expect(before.feedback_subscriptions?.length).toBe(80)
  expect(await moveToEu(subscriptionId)).toMatchObject({ state: 'moved', problem: null })
  expect(await dumpWorkspace(env.DB_EU, subscriptionId)).toEqual(before)
})

test('a code that was mailed before the move stays, because the other home has a decoy only', async () => {
  const { subscriptionId } = await createWorkspace()
  const insert = (d1: D1Database, tenant: number, nonce: string) =>
    d1
      .prepare(
        'INSERT INTO sign_ins (address_hash, subscription_id, user_id, nonce, sent_since, expires_at) VALUES (?, ?, 0, ?, 1, 9e15)',
      )
      .bind('hash of the address', tenant, nonce)
      .run()
  await insert(env.DB, subscriptionId, 'mailed')
  await insert(env.DB_EU, 0, 'decoy')
  expect(await moveToEu(subscriptionId)).toMatchObject({ state: 'moved' })
  const { results } = await env.DB_EU.prepare('SELECT subscription_id, nonce FROM sign_ins').all()
  expect(results).toEqual([{ subscription_id: subscriptionId, nonce: 'mailed' }])
})

test('a move into a home without ids fails before writes wait', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { subscriptionId } = await createWorkspace()
  await env.DB.prepare('UPDATE home SET id_range = ?')
    .bind(2 ** 21 - 1)
    .run()
  expect(await moveToEu(subscriptionId)).toMatchObject({
    ...{ state: 'failed', problem: 'The ranges of ids of home 1 are used up.' },
  })
})
