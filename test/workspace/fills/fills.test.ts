import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { feedbackNotices } from '../../../src/db/schema/notices'
import { tags } from '../../../src/db/schema/tags'
import { fillNewColumns } from '../../../src/workspace/fills/fills'
import type { Fill } from '../../../src/workspace/fills/queries'
import { FILLS } from '../../../src/workspace/fills/statements'
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

test('slugs of names with signs are made anew, for tags, categories, statuses and the tags of items', async () => {
  const { client, product, subscriptionId } = await createWorkspace()
  const at = `/api/initiatives/${product.externalKey}`
  const names = ['Hot', '🔥 Hot', '.NET', 'NET', 'Plain']
  for (const name of names) {
    await client('POST', `${at}/tags`, { json: { name } })
    await client('POST', '/api/v2/feedback-categories', { json: { name } })
    await client('POST', '/api/v2/feedback-statuses', { json: { name } })
  }
  await client('POST', `${at}/epics`, { json: { summary: 'E', tags: JSON.stringify(names) } })
  const tables = ['tags', 'feedback_categories', 'feedback_statuses']
  const read = async () => {
    const all: unknown[] = []
    for (const table of tables) {
      const columns = table === 'tags' ? 'name, slug, usage_count' : 'name, slug'
      const text = `SELECT ${columns} FROM ${table} WHERE subscription_id = ? AND name IN (SELECT value FROM json_each(?))
        ORDER BY id`
      all.push((await env.DB.prepare(text).bind(subscriptionId, JSON.stringify(names)).all()).results)
    }
    const ofItems = 'SELECT slug FROM work_item_tags WHERE subscription_id = ? ORDER BY slug'
    return [...all, (await env.DB.prepare(ofItems).bind(subscriptionId).all()).results]
  }
  const after = await read()
  // The release before had one slug for names that differ in a sign.
  const former = { '🔥 Hot': 'hot-2', '.NET': 'net-2' }
  for (const [name, slug] of Object.entries(former))
    for (const table of tables)
      await env.DB.prepare(`UPDATE ${table} SET slug = ? WHERE subscription_id = ? AND name = ?`)
        .bind(slug, subscriptionId, name)
        .run()
  await env.DB.prepare("DELETE FROM work_item_tags WHERE subscription_id = ? AND slug GLOB '*-*'")
    .bind(subscriptionId)
    .run()
  expect(await read()).not.toEqual(after)
  const slugFills = FILLS.filter(({ name }) => name.startsWith('slugs_of_')).map((fill) => ({
    ...fill,
    name: `again_${fill.name}`,
  }))
  expect(slugFills).toHaveLength(4)
  await runFills(slugFills)
  expect(await read()).toEqual(after)
  const found = await client<object[]>('GET', `${at}/epics?tag=${encodeURIComponent('🔥 Hot')}`)
  expect(found.body.data).toHaveLength(1)
  // The name finds its tag instead of making another.
  await client('POST', '/api/feedback-items', { json: { title: 'Idea', product: product.externalKey, tags: names } })
  const { results } = await env.DB.prepare('SELECT name FROM tags WHERE subscription_id = ?').bind(subscriptionId).all()
  expect(results).toHaveLength(names.length)
})

test('a name whose slug another record has keeps its own, and a text that changes meanwhile its values', async () => {
  const { subscriptionId, product, row } = await createWorkspace()
  const tag = (name: string, slug: string) =>
    row('tags', {
      ...{ subscription_id: subscriptionId, product_id: product.id, name, slug },
      ...{ created_at: 0, updated_at: 0 },
    })
  await tag('🔥 Hot', 'hot')
  await tag('🔥-hot', '1f525-hot')
  const [fill] = FILLS.filter(({ name }) => name === 'slugs_of_tags')
  if (!fill || !('derive' in fill)) throw new Error('The tags have no fill.')
  await runFills([{ ...fill, name: 'taken' }])
  const slugs = async () =>
    (
      await env.DB.prepare('SELECT slug FROM tags WHERE subscription_id = ? ORDER BY id').bind(subscriptionId).all()
    ).results.map(({ slug }) => slug)
  expect(await slugs()).toEqual(['hot', '1f525-hot'])
  await tag('❤️ Now', 'now')
  const renaming: Fill = {
    ...{ ...fill, name: 'meanwhile' },
    writes: (derived) => [
      sql`UPDATE tags SET name = 'Later' WHERE id = (SELECT max(id) FROM (${derived}))`,
      ...fill.writes(derived),
    ],
  }
  await runFills([renaming])
  expect(await slugs()).toEqual(['hot', '1f525-hot', 'now'])
})

test('texts of many bytes are filled in several runs, and a text that is no list stops no other', async () => {
  const { client, product, subscriptionId } = await createWorkspace()
  const at = `/api/initiatives/${product.externalKey}/epics`
  const tags = JSON.stringify(['🔥 Hot', ...Array.from({ length: 180 }, (_, n) => `${'x'.repeat(90)}${n}`)])
  for (let n = 0; n < 4; n++) await client('POST', at, { json: { summary: `${n}`, tags } })
  const own = env.DB.prepare('SELECT id FROM work_items WHERE subscription_id = ? ORDER BY id').bind(subscriptionId)
  const ids = (await own.all<{ id: number }>()).results.map(({ id }) => id)
  const setTags = 'UPDATE work_items SET tags = ? WHERE id = ?'
  await env.DB.prepare(setTags).bind('no list', ids[0]).run()
  await env.DB.prepare(setTags).bind('{"a":1}', ids[1]).run()
  await env.DB.prepare(setTags)
    .bind(JSON.stringify(['🔥 Hot', 'y'.repeat(500_000)]), ids[2])
    .run()
  await env.DB.prepare('DELETE FROM work_item_tags WHERE subscription_id = ?').bind(subscriptionId).run()
  const [fill] = FILLS.filter(({ name }) => name === 'slugs_of_work_item_tags')
  if (!fill) throw new Error('The tags of items have no fill.')
  const again = { ...fill, name: 'bytes_of_tags' }
  const found = async () =>
    (await client<object[]>('GET', `${at}?tag=${encodeURIComponent('🔥 Hot')}`)).body.data.length
  const counts: number[] = []
  for (let run = 0; run < 6 && (await positionOf(again.name)) !== Number.MAX_SAFE_INTEGER; run++) {
    await runFills([again])
    counts.push(await found())
  }
  expect(await positionOf(again.name)).toBe(Number.MAX_SAFE_INTEGER)
  expect(counts.at(-1)).toBe(2)
  expect(counts[0]).toBeLessThan(2)
})
