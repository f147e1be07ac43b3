import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { ExportedComment } from '../../../src/workspace/comments/schema'
import { call, send } from '../../client'
import { seededRandom } from '../../files/read-file'
import { runtimeTest } from '../../runtime-test'
import { simulateImports } from '../../workspace/imports/import-simulation'
import { createImportScenario } from './scenario'

const LINK_TYPES = ['blocks', 'relates', 'duplicates'] as const

interface Item {
  type: string
  externalKey: string
  epicId: number
  featureId: number
  id: number
  externalIds: object[]
  [field: string]: unknown
}

const { below, pick } = seededRandom(10)
const SPECIAL_TEXTS = [...'=+-@\'",;| 5.eé＝', '__proto__', '[]', '{"a":1}', '<b>', '&']

function randomCharacter(): string {
  const code = below(0x11) * 0x10000 + 0xa0 + below(0xff00)
  return code >= 0xd800 && code < 0xe000 ? 'x' : String.fromCodePoint(code)
}
const randomText = (most: number) =>
  Array.from({ length: below(most) }, () => (below(3) ? pick(SPECIAL_TEXTS) : randomCharacter()))
    .join('')
    .replace(/[\u2028\u2029]/g, '')
    .trim()

const randomFields = () => ({
  summary: `${randomText(8)}x`,
  progress: pick(['to-do', 'in-progress', 'done']),
  ...(below(2) && { description: pick(['<p>Hi <strong>you</strong></p>', 'plain', '<ul><li>a</li></ul>']) }),
  ...(below(2) && { businessGoal: randomText(10) }),
  ...(below(2) && { startDate: '2026-01-02T03:04:05.678Z', endDate: '2026-12-31' }),
  ...(below(2) && { tags: JSON.stringify([randomText(5), 7]) }),
  ...(below(2) && { urls: [{ url: `https://example.com/${below(9)}?a=b,c` }] }),
  ...(below(2) && { attributes: { Größe: randomText(6), n: below(100) / 7, yes: true } }),
  ...(below(2) && {
    color: '#123456',
    externalProgress: randomText(5),
    jiraId: pick(['7', '8', `${below(99)}-${randomText(3)}`]),
  }),
})
const SCORINGS = [
  { model: 'rice', inputs: { reach: 500, impact: 2, confidence: 0.8, effort: 4 } },
  { model: 'custom', inputs: { '=fun': 3, gain: -1 }, weights: { '=fun': 2, gain: 1.5 } },
]
const TEAM = '=Café, "A"'
const randomPlan = () => ({ ...(below(2) && { estimate: '3.5', businessValue: '-2', score: below(10_000) / 100 }) })

/** Stores comments and ids in other systems, which an export can contain. */
async function createRandomRelations(
  { subscriptionId, product, row }: Awaited<ReturnType<typeof createImportScenario>>,
  userIds: number[],
  ids: number[],
) {
  for (const [n, id] of ids.entries()) {
    const own = { subscription_id: subscriptionId, work_item_id: id }
    if (below(2)) {
      const foreign = [pick(['linear', 'azure']), `${n}-${randomText(3)}`]
      await env.DB.prepare('INSERT INTO work_item_foreign_ids VALUES (?, ?, ?, ?, ?)')
        .bind(subscriptionId, product.id, ...foreign, id)
        .run()
    }
    let parent: number | null = null
    let isPrivate = 0
    for (let said = below(3); said > 0; said--) {
      // Replies to a private comment are private.
      isPrivate ||= below(2)
      const at = 1_000_000 + n * 100 - said
      const author = { user_id: pick(userIds), is_private: isPrivate, parent_id: parent }
      const text = `${randomText(9)}x`.replace(/[<&]/g, '')
      parent = await row('work_item_comments', { ...own, ...author, text, created_at: at, updated_at: at })
    }
  }
}

/** People and a team, whom an import finds by address and name. */
async function createPeople({ client, userId }: Awaited<ReturnType<typeof createImportScenario>>) {
  const ada = await client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'ada@example.com' } })
  const team = await client<{ id: number }>('POST', '/api/v2/teams', { json: { name: TEAM } })
  expect([ada.status, team.status]).toEqual([201, 201])
  return { userIds: [ada.body.data.id, userId], teamId: team.body.data.id }
}

async function createRandomTree(
  { client, product, subscriptionId }: Awaited<ReturnType<typeof createImportScenario>>,
  { userIds, teamId }: Awaited<ReturnType<typeof createPeople>>,
  items: number,
) {
  const P = `/api/initiatives/${product.externalKey}`
  const [epics, features]: [number[], number[]] = [[], []]
  const ids: number[] = []
  const keys: string[] = []
  const make = async (at: string, json: object) => {
    const linked = { ...(below(2) && { teamId }), ...(below(2) && { userId: below(2) ? userIds : [userIds[1]] }) }
    const made = await client<{ externalKey: string }>('POST', `${P}/${at}`, { json: { ...json, ...linked } })
    expect(made.status).toBeLessThan(300)
    if (below(3) === 0) {
      const path = `${P}/backlog/${made.body.data.externalKey}/scoring`
      expect((await client('PUT', path, { json: pick(SCORINGS) })).status).toBe(200)
    }
    const { id } = (await client<Item>('GET', `${P}/backlog/${made.body.data.externalKey}`)).body.data
    ids.push(id)
    keys.push(made.body.data.externalKey)
    return id
  }
  for (let n = 0; n < items; n++) {
    const kind = below(6)
    const epicId = epics.length && below(3) ? pick(epics) : 0
    if (kind === 0) epics.push(await make('epics', { ...randomFields(), ...randomPlan() }))
    else if (kind === 1) features.push(await make('features', { ...randomFields(), ...randomPlan(), epicId }))
    else {
      const parent = features.length && below(2) ? { featureId: pick(features) } : { epicId }
      await make('storyMap/card', {
        ...randomFields(),
        ...parent,
        storyPoint: `${below(9)}`,
        progressPercentage: below(100),
      })
    }
  }
  for (let n = 0; n < items; n++) {
    const made = await client('POST', `${P}/backlog/${pick(keys)}/links`, {
      json: { type: pick(LINK_TYPES), to: pick(keys) },
    })
    // A link of an item to itself, a second link or a circle is refused.
    expect([201, 400, 409]).toContain(made.status)
  }
  await env.DB.prepare('UPDATE work_items SET created_at = 1000000007 * (id % 100) WHERE subscription_id = ?')
    .bind(subscriptionId)
    .run()
  return ids
}

const toComparableComments = (comments: ExportedComment[]) =>
  comments.map(({ id: _, parentId, ...said }) => ({
    ...said,
    repliesTo: comments.findIndex((one) => one.id === parentId),
  }))

/** Exports a backlog in a form comparable across workspaces: each key becomes a position among the items of a type. */
async function exportComparable({ path, key }: Awaited<ReturnType<typeof createImportScenario>>) {
  const { response } = await send('GET', `${path}/export?format=json&include=comments`, { apiKey: await key() })
  const items: Item[] = await response.json()
  const places = new Map([['', '']])
  for (const type of ['epic', 'feature', 'userstory']) {
    for (const [n, item] of items.filter((one) => one.type === type).entries()) {
      places.set(item.externalKey, `${type} ${n}`)
    }
  }
  return items.map(
    ({
      id,
      initiativeId,
      updatedAt,
      teamId,
      userId,
      epicId,
      featureId,
      externalKey,
      epicKey,
      featureKey,
      ...rest
    }) => ({
      ...rest,
      comments: toComparableComments(rest.comments as ExportedComment[]),
      ...Object.fromEntries(LINK_TYPES.map((type) => [type, (rest[type] as string[]).map((key) => places.get(key))])),
      is: places.get(externalKey),
      epic: places.get(epicKey as string),
      feature: places.get(featureKey as string),
    }),
  )
}

test.each(['csv', 'json', 'ndjson'])(
  'an export as %s is imported elsewhere as the same tree in the same order',
  async (format) => {
    const here = await createImportScenario()
    const people = await createPeople(here)
    await createRandomRelations(here, people.userIds, await createRandomTree(here, people, 60))
    const P = `/api/initiatives/${here.product.externalKey}`
    await here.client('POST', `${P}/backlog/US-3/move`, { json: { beforeKey: 'US-1' } })
    const { response } = await send('GET', `${here.path}/export?format=${format}&include=comments`, {
      apiKey: await here.key(),
    })
    const file = await response.text()
    const there = await createImportScenario()
    await createPeople(there)
    const made = await there.run(file, { name: `backlog.${format}` })
    expect(made.body.data).toMatchObject({
      mapping: { preset: 'groundwork' },
      warnings: [],
      totals: { rows: 60, created: 60, rejected: 0 },
    })
    const items = await exportComparable(here)
    expect(await exportComparable(there)).toEqual(items)
    expect(items.flatMap(({ comments }) => comments).filter(({ repliesTo }) => repliesTo >= 0).length).toBeGreaterThan(
      5,
    )
    expect(items.flatMap(({ externalIds }) => externalIds).length).toBeGreaterThan(5)
    expect(items.filter(({ team }: Record<string, unknown>) => team === TEAM).length).toBeGreaterThan(10)
    expect(
      items.filter(({ assignees }: Record<string, unknown>) => (assignees as string[]).length === 2).length,
    ).toBeGreaterThan(5)
    expect(items.filter(({ scoring }: Record<string, unknown>) => scoring !== null).length).toBeGreaterThan(5)
    for (const type of LINK_TYPES)
      expect(items.flatMap((item: Record<string, unknown>) => item[type] as string[]).length).toBeGreaterThan(5)
    const secondTime = await there.run(file, { name: `backlog.${format}` })
    expect(secondTime.body.data.totals).toMatchObject({ created: 0, skipped: 60, rejected: 0 })
    // An import into the source workspace finds each row by key, and changes nothing.
    const again = await here.run(file, { name: `backlog.${format}`, query: '?onConflict=update' })
    expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 60, rejected: 0 })
  },
)

const ROWS = 5_400

/** The file has no times of creation. */
const withoutCreationTime = (items: Awaited<ReturnType<typeof exportComparable>>) =>
  items.map((item) => ({ ...item, createdAt: undefined }))

/** A file with children before and after their parents, thousands of rows apart. */
function createLargeFile(): string {
  const lines = Array.from({ length: ROWS }, (_, n) => {
    if (n % 9 === 4) return `k${n},epic,Epic ${n},`
    if (n % 9 === 2) return `k${n},feature,Feature ${n},k${(n * 7 + 9 * 13 - ((n * 7) % 9) + 4) % ROWS}`
    return `k${n},story,Story ${n},k${(ROWS - n + 9 - ((ROWS - n) % 9) + (n % 2 ? 2 : 4)) % ROWS}`
  })
  return `key,type,summary,parent\n${lines.join('\n')}\n`
}

runtimeTest('an import killed at each of its batches is complete, and so is its undo', async () => {
  const once = await createImportScenario()
  const apiKey = await once.key()
  const file = createLargeFile()
  const finish = async (space: typeof once, kill: boolean) => {
    const made = await space.run(file)
    expect(made.body.data).toMatchObject({ status: 'pending', totals: { rows: ROWS } })
    const message = { kind: 'import.run' as const, subscriptionId: space.subscriptionId, importId: made.body.data.id }
    const it = simulateImports()
    it.queue.push(message)
    if (!kill) await it.drain()
    for (let at = 1; kill && at <= 9; at++) {
      it.actionCount = 0
      it.kill = { at: 1 + (at % 2), when: at % 2 ? 'after' : 'before' }
      await it.drain()
      expect(it.killed).toBe(true)
      it.killed = false
      it.now += 180_000
      await it.cron().catch(() => undefined)
      it.queue = [message]
    }
    it.kill = {}
    if (kill) await it.restartProcess()
    return made.body.data.id
  }
  await finish(once, false)
  const twice = await createImportScenario()
  const id = await finish(twice, true)
  const run = await twice.client<Record<string, unknown>>('GET', `/api/v2/imports/${id}`)
  expect(run.body.data).toMatchObject({ status: 'completed', totals: { created: ROWS, rejected: 0 } })
  const expected = withoutCreationTime(await exportComparable(once))
  expect(expected.length).toBe(ROWS)
  expect(expected.filter(({ epic, feature }) => epic || feature).length).toBeGreaterThan(ROWS * 0.8)
  expect(withoutCreationTime(await exportComparable(twice))).toEqual(expected)

  const undo = await twice.client('POST', `/api/v2/imports/${id}/undo`)
  // The cost per item does not grow with the number of children.
  expect(undo.cost.rowsRead).toBeLessThan(40 * ROWS)
  const it = simulateImports()
  it.now += 180_000
  await it.cron()
  await it.drain()
  expect((await twice.client<Record<string, unknown>>('GET', `/api/v2/imports/${id}`)).body.data).toMatchObject({
    status: 'undone',
    totals: { kept: 0 },
  })
  expect(await exportComparable(twice)).toEqual([])
  expect((await call('GET', once.path, { apiKey })).status).toBe(200)
})
