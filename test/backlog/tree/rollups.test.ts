import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { seededRandom } from '../../random'
import { createWorkItemScenario } from '../work-items/scenario'

const PATHS = { EP: 'epics', FE: 'features', US: 'storyMap/card' } as const
const TYPES = ['epic', 'feature', 'userstory'] as const

const pathOf = (key: string) => `${PATHS[key.slice(0, 2) as keyof typeof PATHS]}/${key}`

// Counts the sums of each parent from the items alone. A feature with stories is not a leaf.
const RECOUNT = `WITH leaves AS (
    SELECT w.epic_id, w.feature_id, w.points, w.progress = 'done' AS is_done,
      iif(w.progress = 'done', 100, w.progress_percentage) AS percent
    FROM work_items w WHERE w.subscription_id = ?1 AND w.deleted_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM work_items c WHERE c.subscription_id = ?1 AND c.feature_id = w.id AND c.deleted_at IS NULL))
  SELECT parent, count(*) AS leaves, sum(points) AS points, sum(points * is_done) AS done,
    sum(points * percent) AS weighted, sum(percent) AS percent
  FROM (SELECT epic_id AS parent, * FROM leaves UNION ALL SELECT feature_id, * FROM leaves)
  WHERE parent IS NOT NULL GROUP BY parent ORDER BY parent`

const STORED = `SELECT work_item_id AS parent, leaves, points, done, weighted, percent FROM work_item_rollups
  WHERE subscription_id = ?1 AND (leaves, points, done, weighted, percent) <> (0, 0, 0, 0, 0) ORDER BY parent`

test('the stored sums equal a full recount after each random step', async () => {
  const { client, at, subscriptionId } = await createWorkItemScenario()
  const random = seededRandom(1)
  const rows = async (text: string) => (await env.DB.prepare(text).bind(subscriptionId).all()).results
  const living: string[] = []
  const removed: string[] = []
  const ofType = (prefix: string) => living.filter((key) => key.startsWith(prefix))

  const state = (type: string) => ({
    ...(type === 'US'
      ? { storyPoint: random.pick(['', '1', '2.5', '8', 'XL', '0.000001']) }
      : { estimate: random.pick(['', '1', '2.5', '13', '0.000001']) }),
    progress: random.pick(['to-do', 'in-progress', 'done']),
    progressPercentage: random.below(101),
  })
  const parentOf = (key: string) => {
    const parents = key.startsWith('US') ? [...ofType('EP'), ...ofType('FE')] : ofType('EP')
    return parents.length === 0 || random.chance(20) ? null : random.pick(parents)
  }
  const move = (key: string) =>
    client('POST', `${at}/backlog/${key}/move`, { json: { parentKey: key.startsWith('EP') ? null : parentOf(key) } })

  const steps = {
    async create() {
      const type = random.pick(['EP', 'FE', 'FE', 'US', 'US', 'US'] as const)
      const json = { summary: 'S', ...state(type) }
      const { body, status } = await client<{ externalKey: string }>('POST', `${at}/${PATHS[type]}`, { json })
      expect([type, body.message, status]).toEqual([type, body.message, expect.toBeOneOf([200, 201])])
      living.push(body.data.externalKey)
      if (type !== 'EP') await move(body.data.externalKey)
    },
    modify: (key: string) => client('PUT', `${at}/${pathOf(key)}`, { json: state(key.slice(0, 2)) }),
    move,
    async convert(key: string) {
      const json = { type: random.pick(TYPES) }
      const { status, body } = await client<{ externalKey: string }>('POST', `${at}/backlog/${key}/convert`, { json })
      if (status === 200) living.splice(living.indexOf(key), 1, body.data.externalKey)
    },
    async remove(key: string) {
      const query = key.startsWith('US') ? '' : `?cascade=${random.chance(50)}`
      await client('DELETE', `${at}/${pathOf(key)}${query}`)
      await refresh()
    },
    async restore() {
      if (removed.length === 0) return
      const key = random.pick(removed)
      await client('POST', `${at}/${pathOf(key)}/restore`)
      await refresh()
    },
  }
  /** A removal also removes children, and a restore brings the children back. */
  async function refresh() {
    const keys = await rows('SELECT external_key AS key, deleted_at AS gone FROM work_items WHERE subscription_id = ?1')
    living.splice(0, living.length, ...keys.filter(({ gone }) => gone === null).map(({ key }) => String(key)))
    removed.splice(0, removed.length, ...keys.filter(({ gone }) => gone !== null).map(({ key }) => String(key)))
  }

  const kinds = ['create', 'modify', 'modify', 'move', 'move', 'convert', 'remove', 'restore'] as const
  const used = new Map<string, number>()
  for (let n = 0; n < 90; n++) {
    const kind = living.length < 8 ? 'create' : random.pick(kinds)
    const key = living.length < 8 ? '' : random.pick(living)
    await steps[kind](key)
    used.set(kind, (used.get(kind) ?? 0) + 1)
    const [stored, recount] = await Promise.all([rows(STORED), rows(RECOUNT)])
    expect([n, kind, key, stored]).toEqual([n, kind, key, recount])
  }
  expect(used.size).toBe(6)
})
