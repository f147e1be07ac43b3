import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { buildSettleStatements } from '../../../src/workspace/webhooks/delivery/queries/settle'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { runtimeTest } from '../../runtime-test'

runtimeTest('the outcomes of deliveries are written without a read of other deliveries', async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
     INSERT INTO webhook_deliveries (subscription_id, webhook_id, event_id, type, status, bytes, claim, next_attempt_at, created_at)
     SELECT 77, 1, i, 'epic.created', CASE WHEN i > 1000 THEN 'pending' ELSE 'delivered' END, 10,
       CASE WHEN i > 1980 THEN 'mine' WHEN i > 1000 THEN 'another' END, 0, 0 FROM n`,
  ).run()
  const outcomes = [7, 1500, 1981, 1990, 2000, 2001].map((eventId) => {
    return { eventId, status: 'delivered' as const, nextAttemptAt: 5, attempt: null }
  })
  const { d1, cost } = meteredDatabase(env.DB)
  const tally = { succeeded: true, failed: 0, error: null }
  await openStore(d1, readClock()).batch(77, ...buildSettleStatements(1, 'mine', outcomes, tally))
  expect(cost.rowsRead).toBeLessThan(100)
  const { results } = await env.DB.prepare(
    'SELECT event_id AS id FROM webhook_deliveries WHERE subscription_id = 77 AND next_attempt_at = 5',
  ).all()
  expect(results).toEqual([{ id: 1981 }, { id: 1990 }, { id: 2000 }])
})
