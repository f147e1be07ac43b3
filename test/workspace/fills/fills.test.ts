import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { feedbackNotices } from '../../../src/db/schema/notices'
import { tags } from '../../../src/db/schema/tags'
import { fillNewColumns } from '../../../src/workspace/fills/fills'
import type { Fill } from '../../../src/workspace/fills/queries'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { createWorkspace } from '../../factories'

const NOTICES: Fill = {
  name: 'notices_of_a_version',
  table: feedbackNotices,
  assignments: sql`solution_version_id = id % 7`,
}

/** A second home has a row that reserves the ids. */
const reserved = env.HOMES ? 1 : 0

async function runFills(fills?: readonly Fill[]) {
  const { d1, cost } = meteredDatabase(env.DB)
  await fillNewColumns({ store: openStore(d1, readClock()) }, fills)
  return cost
}

const insertNotices = (subscriptionId: number, count: number) =>
  env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO feedback_notices (subscription_id, id, created_at)
     SELECT ?1, (SELECT coalesce(max(id), 0) FROM feedback_notices) + i * 3, 0 FROM n`,
  )
    .bind(subscriptionId, count)
    .run()

const countFilled = () =>
  env.DB.prepare(
    'SELECT count(*) AS n FROM feedback_notices WHERE solution_version_id = id % 7 AND created_at = 0',
  ).first<number>('n')

const positionOf = (name: string) =>
  env.DB.prepare('SELECT position FROM fills WHERE name = ?').bind(name).first<number>('position')

async function listTagNames(): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT name FROM tags WHERE created_at = 0 ORDER BY id').all<{
    name: string
  }>()
  return results.map(({ name }) => name)
}

test('the cron fills a table in slices, once, in the order of the ids', async () => {
  const { subscriptionId } = await createWorkspace()
  await insertNotices(subscriptionId, 25_000)
  const filled: (number | null)[] = []
  for (let run = 1; run <= 4; run++) {
    await runFills([NOTICES])
    filled.push(await countFilled())
  }
  expect(filled).toEqual([10_000 - reserved, 20_000 - reserved, 25_000, 25_000])
  // The new version of the Worker writes the column of later rows itself.
  await insertNotices(subscriptionId, 10)
  const { rowsWritten } = await runFills([NOTICES])
  expect([rowsWritten, await countFilled()]).toEqual([0, 25_000])
  expect(await positionOf(NOTICES.name)).toBe(Number.MAX_SAFE_INTEGER)
})

test('a failed slice is repeated whole, and further fills go on', async () => {
  const { subscriptionId, product, row } = await createWorkspace()
  for (const name of ['a', 'b']) {
    await row('tags', {
      ...{ subscription_id: subscriptionId, product_id: product.id, name, slug: name },
      ...{ created_at: 0, updated_at: 0 },
    })
  }
  const broken: Fill = { name: 'broken', table: tags, assignments: sql`name = iif(name = 'b', NULL, 'filled')` }
  const further: Fill = { ...NOTICES, name: 'further' }
  await expect(runFills([broken, further])).rejects.toThrow('NOT NULL')
  expect([await positionOf('broken'), await listTagNames()]).toEqual([null, ['a', 'b']])
  expect(await positionOf('further')).toBeGreaterThan(0)
  await runFills([{ ...broken, assignments: sql`name = 'filled'` }])
  expect(await listTagNames()).toEqual(['filled', 'filled'])
})

test('a release without fills asks the database nothing', async () => {
  const { roundTrips } = await runFills([])
  expect(roundTrips).toBe(0)
})
