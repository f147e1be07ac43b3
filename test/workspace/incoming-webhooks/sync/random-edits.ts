import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { createPair, type Item, listPathOf, type Pair, pathOf, type Side } from './pair'

const PEOPLE = ['ann@example.com', 'bob@example.com', 'cleo@example.com']
const MINUTE = 60_000

/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const TYPES = ['epic', 'feature', 'userstory'] as const
const uidOf = ({ attributes }: Item) => Number((attributes as { uid?: number }).uid)

interface ItemName {
  id: number
  externalKey: string
  type: Item['type']
  uid: number
}

/** Reads the names from the database, because most steps need no more. */
async function listNames({ space }: Side): Promise<ItemName[]> {
  const { results } = await env.DB.prepare(
    `SELECT id, external_key AS externalKey, type, attributes ->> 'uid' AS uid FROM work_items
     WHERE product_id = ? AND deleted_at IS NULL ORDER BY id`,
  )
    .bind(space.product.id)
    .all<ItemName>()
  return results
}

export interface RandomRun {
  pair: Pair
  run(steps: number): Promise<void>
  expectEqualItems(): Promise<void>
  /** Each event of a person is delivered once, and no event of a delivery is, except for children that leave a parent. */
  expectNoLoop(): Promise<void>
  countCreated(): number
}

/** Edits of both workspaces, with failures of the deliveries and of the consumers. */
export async function createRandomRun(seed: number): Promise<RandomRun> {
  const random = createRandom(seed)
  const chance = (part: number) => random() < part
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const pair = await createPair()
  const { simulation } = pair
  simulation.random = random
  const userIds = new Map<Side, number[]>()
  for (const side of pair.sides) {
    const stamps = { subscription_id: side.space.subscriptionId, created_at: 0, updated_at: 0 }
    const ids = await Promise.all(
      PEOPLE.map((email) => side.space.row('users', { email, role: 'idm_member', ...stamps })),
    )
    userIds.set(side, ids)
  }
  pair.nextFault = () => {
    const delay = chance(0.3) ? below(90) : 0
    if (chance(0.08)) return { refuses: 503, delay }
    if (chance(0.08)) return { answers: 500, delay }
    return { delay, repeats: chance(0.08) }
  }
  pair.beforeStep = () => {
    if (chance(0.06)) simulation.kill = { at: simulation.actionCount + 1 + below(9), when: pick(['before', 'after']) }
  }
  pair.afterStep = () => {
    simulation.kill = {}
    simulation.killed = false
  }

  let lastUid = 0
  const word = () => `${pick(['alpha', 'beta', 'gamma', 'delta'])} ${below(1000)}`
  const maybeEmpty = (text: string) => (chance(0.25) ? '' : text)
  const day = () => (chance(0.3) ? null : `2026-0${1 + below(9)}-1${below(9)}`)
  function dates() {
    const [startDate, endDate] = [day(), day()]
    return startDate && endDate && startDate > endDate
      ? { startDate: endDate, endDate: startDate }
      : { startDate, endDate }
  }
  const EDITS: Record<string, (side: Side, item: Pick<Item, 'type'>, uid: number) => object> = {
    summary: () => ({ summary: word() }),
    description: () => ({ description: maybeEmpty(`<p>${word()}</p>`) }),
    businessGoal: () => ({ businessGoal: maybeEmpty(word()) }),
    color: () => ({ color: maybeEmpty(pick(['#ff0000', '#00ff00'])) }),
    progress: () => ({ progress: pick(['to-do', 'in-progress', 'done']) }),
    customProgress: () => ({ progress: word() }),
    percentage: (_, { type }) => (type === 'userstory' ? { progressPercentage: below(100) } : {}),
    dates,
    tags: () => ({ tags: chance(0.3) ? '[]' : JSON.stringify([word(), 'mobile']) }),
    urls: () => ({ urls: chance(0.3) ? [] : [{ url: `https://example.com/${below(100)}` }] }),
    attributes: (_, __, uid) => ({ attributes: { uid, ...(chance(0.7) && { plan: word(), size: below(9) }) } }),
    jira: () => ({ jiraKey: maybeEmpty(`J-${below(100)}`), jiraId: maybeEmpty(`${below(100)}`) }),
    externalProgress: () => ({ externalProgress: maybeEmpty(word()) }),
    backlog: () => ({ backlog: chance(0.5) }),
    points: (_, { type }) =>
      type === 'userstory'
        ? { storyPoint: maybeEmpty(chance(0.5) ? '5' : word()) }
        : { estimate: maybeEmpty(`${below(99)}`) },
    businessValue: (_, { type }) => (type === 'userstory' ? {} : { businessValue: maybeEmpty(`${below(99)}`) }),
    score: (_, { type }) => (type === 'userstory' ? {} : { score: below(1000) / 100 }),
    remainingTime: (_, { type }) => (type === 'userstory' ? { remainingTime: maybeEmpty(word()) } : {}),
    assignees: (side) => ({ userId: userIds.get(side)?.filter(() => chance(0.4)) }),
  }
  const ONLY_MODIFY = new Set(['customProgress', 'backlog'])

  async function parentFor(side: Side, { id, type }: { id?: number; type: Item['type'] }): Promise<object> {
    if (type === 'epic') return {}
    if (chance(0.3)) return type === 'feature' ? { epicId: 0 } : { epicId: 0, featureId: 0 }
    const parents = (await listNames(side)).filter(
      (item) => item.id !== id && (item.type === 'epic' || (item.type === 'feature' && type === 'userstory')),
    )
    if (!parents.length) return {}
    const parent = pick(parents)
    return parent.type === 'epic'
      ? { epicId: parent.id, ...(type === 'userstory' && { featureId: 0 }) }
      : { featureId: parent.id }
  }

  async function create(side: Side) {
    const type = pick(TYPES)
    const uid = ++lastUid
    const fields = Object.keys(EDITS).filter((name) => !ONLY_MODIFY.has(name) && chance(0.3))
    const json = Object.assign({}, ...fields.map((name) => EDITS[name]?.(side, { type }, uid)), {
      ...{ summary: word(), attributes: { uid } },
      ...(await parentFor(side, { type })),
    })
    const { status, body } = await side.client('POST', listPathOf(side, type), { json })
    expect([status, body.error?.issues ?? []]).toEqual([expect.toSatisfy((one: number) => one < 300), []])
  }

  async function pickItem(side: Side): Promise<ItemName | undefined> {
    const items = await listNames(side)
    return items.length ? pick(items) : undefined
  }

  let lastEdit: { uid: number; names: readonly string[] } = { uid: 0, names: [] }
  async function edit(side: Side, item: ItemName, names: readonly string[]) {
    lastEdit = { uid: item.uid, names }
    const json = Object.assign({}, ...names.map((name) => EDITS[name]?.(side, item, item.uid)))
    const { status, body } = await side.client('PUT', pathOf(side, item), { json })
    expect([status, body.error?.issues ?? []]).toEqual([200, []])
  }

  const ACTIONS: [weight: number, act: (side: Side) => Promise<void>][] = [
    [12, create],
    [
      40,
      async (side) => {
        const item = await pickItem(side)
        if (item) await edit(side, item, [pick(Object.keys(EDITS)), pick(Object.keys(EDITS))])
      },
    ],
    [
      15,
      async (side) => {
        const other = pair.sides.find((one) => one !== side) as Side
        const item = await pickItem(side)
        const twin = item && (await listNames(other)).find(({ uid }) => uid === item.uid)
        if (!item || !twin) return
        const names = [pick(Object.keys(EDITS))]
        await edit(side, item, names)
        await edit(other, twin, names)
      },
    ],
    [
      12,
      async (side) => {
        const item = await pickItem(side)
        if (!item) return
        const json = await parentFor(side, item)
        expect((await side.client('PUT', pathOf(side, item), { json })).status).toBe(200)
      },
    ],
    [
      7,
      async (side) => {
        const item = await pickItem(side)
        if (!item) return
        const cascade = item.type !== 'userstory' && chance(0.3) ? '?cascade=true' : ''
        expect((await side.client('DELETE', `${pathOf(side, item)}${cascade}`)).status).toBe(200)
      },
    ],
    [
      6,
      async (side) => {
        const type = pick(TYPES)
        const { body } = await side.client<Item[]>('GET', `${listPathOf(side, type)}?removed=only&limit=100`)
        if (!body.data.length) return
        expect((await side.client('POST', `${pathOf(side, { ...pick(body.data), type })}/restore`)).status).toBe(200)
      },
    ],
    [
      4,
      async (side) => {
        const item = await pickItem(side)
        if (!item) return
        const path = `${side.at}/backlog/${item.externalKey}/convert`
        expect([200, 409]).toContain((await side.client('POST', path, { json: { type: pick(TYPES) } })).status)
      },
    ],
  ]
  // People change the field of a change that is on its way.
  let isEditing = false
  simulation.beforeAction = async () => {
    if (isEditing || !chance(0.015)) return
    isEditing = true
    const side = pick(pair.sides)
    const item = (await listNames(side)).find(({ uid }) => uid === lastEdit.uid)
    if (item) await edit(side, item, lastEdit.names)
    isEditing = false
  }
  const totalWeight = ACTIONS.reduce((sum, [weight]) => sum + weight, 0)

  async function act() {
    let left = random() * totalWeight
    for (const [weight, action] of ACTIONS) {
      left -= weight
      if (left < 0) return action(pick(pair.sides))
    }
  }

  async function shownItems(side: Side) {
    const items = await pair.items(side)
    const uidById = new Map(items.map((item) => [item.id, uidOf(item)]))
    const ids = userIds.get(side) ?? []
    return items
      .map((item) => {
        const {
          id,
          externalKey,
          initiativeId,
          productId,
          productKey,
          createdAt,
          updatedAt,
          epicId,
          featureId,
          userId,
          ...rest
        } = item
        const isStory = item.type === 'userstory'
        const plan = { estimate: null, businessValue: null, score: null }
        const story = { storyPoint: null, remainingTime: null, firstChild: null, progressPercentage: null }
        return {
          ...{ uid: uidOf(item), ...rest, ...(isStory ? plan : story) },
          epic: epicId ? uidById.get(epicId) : 0,
          feature: featureId ? uidById.get(featureId) : 0,
          assignees: userId.map((one) => PEOPLE[ids.indexOf(one)]).sort(),
        }
      })
      .sort((one, other) => one.uid - other.uid)
  }

  return {
    pair,
    async run(steps) {
      for (let step = 0; step < steps; step++) {
        await act()
        if (chance(0.5)) pair.wake()
        pair.setClock(simulation.now + (chance(0.7) ? below(400) : below(MINUTE)))
        if (chance(0.6))
          for (let n = below(12); n > 0 && simulation.queue.some(({ due }) => due <= simulation.now); n--)
            await pair.step()
        if (chance(0.1)) await pair.cron()
      }
      await pair.settle()
    },
    async expectEqualItems() {
      const [first, second] = [await shownItems(pair.sides[0]), await shownItems(pair.sides[1])]
      expect(second).toEqual(first)
    },
    async expectNoLoop() {
      const { results } = await env.DB.prepare(
        `SELECT (SELECT count(*) FROM log WHERE subscription_id IN (?1, ?2) AND coalesce(hops, 0) = 0
            AND (type GLOB 'epic.*' OR type GLOB 'feature.*' OR type GLOB 'userstory.*')) AS changes,
          (SELECT count(*) FROM log WHERE subscription_id IN (?1, ?2) AND hops = 0) AS detached,
          (SELECT count(*) FROM webhook_deliveries WHERE subscription_id IN (?1, ?2)) AS deliveries,
          (SELECT count(*) FROM incoming_receipts WHERE subscription_id IN (?1, ?2) AND status = 'failed') AS failed`,
      )
        .bind(...pair.sides.map(({ space }) => space.subscriptionId))
        .all<Record<'changes' | 'detached' | 'deliveries' | 'failed', number>>()
      const [counts] = results
      expect(counts).toMatchObject({ deliveries: counts?.changes, failed: 0 })
      expect(counts?.detached).toBeLessThan((counts?.changes ?? 0) / 4)
    },
    countCreated: () => lastUid,
  }
}
