import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createImportScenario } from './scenario'

test.each(['csv', 'json', 'ndjson'])(
  'a reply to a removed comment keeps its place in an export as %s',
  async (format) => {
    const here = await createImportScenario()
    await here.run(
      JSON.stringify([
        {
          title: 'Idea',
          comments: [
            { id: 1, text: 'Before', email: 'ada@example.com' },
            { id: 2, text: 'Gone', email: 'ada@example.com' },
            { id: 3, parentId: 2, text: 'Reply', email: 'eve@example.com' },
          ],
        },
      ]),
      { name: 'ideas.json' },
    )
    await env.DB.prepare(
      `UPDATE feedback_comments SET deleted_at = 1, tombstone = 1, removed_text = text, text = '' WHERE subscription_id = ? AND text = 'Gone'`,
    )
      .bind(here.subscriptionId)
      .run()
    const there = await createImportScenario()
    const run = await there.run(await here.file(`format=${format}&include=comments`), { name: `ideas.${format}` })
    expect(run.body.data).toMatchObject({ totals: { created: 1, rejected: 0 }, warnings: [] })
    for (const { items } of [here, there]) {
      const [item] = await items.call(items === here.items ? here : there)
      const comments = item?.comments ?? []
      const parentOf = (id: number | null) => comments.find((one) => one.id === id)?.text
      expect(comments.map(({ text, email, parentId }) => [text, email, parentOf(parentId)])).toEqual([
        ['Before', 'ada@example.com', undefined],
        ['', '', undefined],
        ['Reply', 'eve@example.com', ''],
      ])
      expect(item?.comment).toBe(2)
    }
  },
)

test('an export names the lists that it cuts, and the import tells about the lists', async () => {
  const here = await createImportScenario()
  await here.run(JSON.stringify([{ title: 'Long' }, { title: 'Short' }]), { name: 'ideas.json' })
  const [long, short] = (await here.items()).map(({ id }) => id)
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40)
       INSERT INTO feedback_comments (subscription_id, feedback_id, user_id, text, created_at, updated_at)
       SELECT ?, ?, 0, ?, n, n FROM numbers`,
    ).bind(here.subscriptionId, long, 'x'.repeat(15_000)),
    env.DB.prepare('UPDATE feedback_items SET vote = 10001 WHERE id = ?').bind(short),
  ])
  const items = await here.items()
  expect(items.map(({ incomplete }) => incomplete)).toEqual([['comments'], ['votes']])
  expect(items[0]?.comments?.length).toBe(33)
  for (const format of ['csv', 'json']) {
    const there = await createImportScenario()
    const run = await there.run(await here.file(`format=${format}&include=votes`), { name: `ideas.${format}` })
    expect(run.body.data).toMatchObject({ warnings: [{ field: 'votes', rows: 1 }], totals: { created: 2 } })
  }
})
