import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore, type Store } from '../../../src/db/client/client'
import type { Statement } from '../../../src/db/sql/statement'
import { archiveDueLogs } from '../../../src/workspace/retention/archive'
import type { ApiResponse, CallOptions } from '../../client'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { createWorkspace, type Workspace } from '../../factories'
import { createBox, createWebhookScenario, DAY, MINUTE } from '../webhooks/scenario'

interface Line {
  id: number
  type: string
  actorUserId: number | null
  actorKey: string | null
  resourceKey: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
  createdAt: string
}

// Later than the creation of every workspace in this file.
const NOW = readClock() + MINUTE
const OLD = NOW - 400 * DAY

/** Runs the cron's archive part. `at` must not decrease from run to run. */
async function runArchive({
  at = NOW,
  kept = '365',
  store = openStore(meteredDatabase(env.DB).d1, at, undefined, { rowsPerDay: 1, bytes: 0 }) as Store,
} = {}) {
  await archiveDueLogs({ store, files: env.FILES, settings: { ...env, EVENTS_KEPT_DAYS: kept } })
}

const setEventAge = ({ subscriptionId }: Workspace, upto: number, createdAt = OLD) =>
  env.DB.prepare('UPDATE log SET created_at = ? WHERE subscription_id = ? AND id <= ?')
    .bind(createdAt, subscriptionId, upto)
    .run()

async function listEventIds({ subscriptionId }: Workspace): Promise<number[]> {
  const { results } = await env.DB.prepare('SELECT id FROM log WHERE subscription_id = ? ORDER BY id')
    .bind(subscriptionId)
    .all<{ id: number }>()
  return results.map(({ id }) => id)
}

async function readArchive({ subscriptionId }: Workspace): Promise<Record<string, Line[]>> {
  const { objects } = await env.FILES.list({ prefix: `archive/${subscriptionId}/` })
  const read = async (key: string) => {
    const text = (await (await env.FILES.get(key))?.text()) ?? ''
    return [
      key.slice(`archive/${subscriptionId}/events/`.length),
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ]
  }
  return Object.fromEntries(await Promise.all(objects.map(({ key }) => read(key))))
}

const listArchivedIds = async (world: Workspace) =>
  Object.values(await readArchive(world))
    .flat()
    .map(({ id }) => id)

/** Ids of the events on all pages. */
async function followEvents({ client }: Workspace, query: string, { apiKey, ...options }: CallOptions = {}) {
  const ids: number[] = []
  let path: string | undefined = `/api/v2/events${query}`
  for (let pages = 0; path !== undefined && pages < 20; pages++) {
    const page: ApiResponse<{ id: number }[]> = await client('GET', path, { ...options, ...(apiKey && { apiKey }) })
    ids.push(...page.body.data.map(({ id }) => id))
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    path = next && new URL(next, 'https://groundwork.test').pathname + new URL(next, 'https://groundwork.test').search
  }
  return ids
}

async function setOrigins({ subscriptionId }: Workspace, origins: Record<number, string | null>) {
  for (const [id, origin] of Object.entries(origins))
    await env.DB.prepare('UPDATE log SET origin = ? WHERE subscription_id = ? AND id = ?')
      .bind(origin, subscriptionId, Number(id))
      .run()
}

const ownKeyId = async ({ client }: Workspace) =>
  (await client<{ id: number }[]>('GET', '/api/v2/api-keys?sort=createdAt')).body.data[0]?.id

const iso = (at: number) => new Date(at).toISOString()

async function createWorkspaceWithEpics(count: number) {
  const world = await createWorkspace()
  for (let n = 1; n <= count; n++) await createEpic(world, `Epic ${n}`)
  return world
}

const createEpic = ({ client, product }: Workspace, summary: string) =>
  client<{ externalKey: string }>('POST', `/api/initiatives/${product.externalKey}/epics`, { json: { summary } })

test('old events move to the archive with one object a day, and then leave the log', async () => {
  const world = await createWorkspaceWithEpics(6)
  await setEventAge(world, 4)
  await setEventAge(world, 2, OLD - 2 * DAY)
  await runArchive()
  expect(await listEventIds(world)).toEqual([3, 4, 5, 6])
  await runArchive()
  await runArchive()
  expect(await listEventIds(world)).toEqual([5, 6])
  const objects = await readArchive(world)
  expect(Object.entries(objects).map(([key, lines]) => [key, lines.map(({ id }) => id)])).toEqual([
    ['000000000002.ndjson', [1, 2]],
    ['000000000004.ndjson', [3, 4]],
  ])
  const [line] = objects['000000000004.ndjson'] ?? []
  expect(line).toMatchObject({
    ...{ id: 3, type: 'epic.created', resourceKey: 'EP-3', previous: null, createdAt: new Date(OLD).toISOString() },
    ...{ actorUserId: world.userId, actorKey: expect.any(String), data: { summary: 'Epic 3' } },
  })
})

test('the newest event stays, so that new ids continue after it', async () => {
  const world = await createWorkspaceWithEpics(3)
  await setEventAge(world, 3)
  await runArchive()
  expect(await listEventIds(world)).toEqual([3])
  await createEpic(world, 'Later')
  expect(await listEventIds(world)).toEqual([3, 4])
})

test('a run that dies between archive and log loses and repeats no event', async () => {
  const world = await createWorkspaceWithEpics(6)
  await setEventAge(world, 3)
  const store = openStore(env.DB, NOW)
  let batches = 0
  const killed: Store = {
    batch: async (...args) => {
      const own = args.slice(1).some((one) => (one as Statement).values['@subscription'] === world.subscriptionId)
      if (own && ++batches === 2) throw new Error('The process is gone')
      return store.batch(...args)
    },
  }
  await expect(runArchive({ store: killed })).rejects.toThrow('The process is gone')
  expect([await listEventIds(world), await listArchivedIds(world)]).toEqual([
    [1, 2, 3, 4, 5, 6],
    [1, 2, 3],
  ])
  // No run takes the workspace until the lease of the dead run has expired. More events are old by the end of the
  // lease.
  await setEventAge(world, 4)
  await runArchive({ at: NOW + 15 * MINUTE })
  expect(await listEventIds(world)).toHaveLength(6)
  await runArchive({ at: NOW + 21 * MINUTE })
  // The dead run left an object of its own, and a reader still sees each event once.
  expect([await listEventIds(world), await listArchivedIds(world)]).toEqual([
    [5, 6],
    [1, 2, 3, 1, 2, 3, 4],
  ])
  expect(await followEvents(world, '')).toEqual([1, 2, 3, 4, 5, 6])
})

test('a failed archive leaves the log unchanged, and other workspaces are archived', async () => {
  const [one, other] = [await createWorkspaceWithEpics(3), await createWorkspaceWithEpics(3)]
  for (const world of [one, other]) await setEventAge(world, 2)
  const files = {
    put: (...args: Parameters<R2Bucket['put']>) => {
      if (args[0].startsWith(`archive/${one.subscriptionId}/`)) throw new Error('R2 is down')
      return env.FILES.put(...args)
    },
  }
  const settings = { ...env, EVENTS_KEPT_DAYS: '365' }
  const at = NOW + 2 * DAY
  await expect(archiveDueLogs({ store: openStore(env.DB, at), files: files as R2Bucket, settings })).rejects.toThrow(
    'R2 is down',
  )
  expect([await listEventIds(one), await listEventIds(other)]).toEqual([[1, 2, 3], [3]])
})

test('an event stays in the log until every active endpoint has received it', async () => {
  const at = NOW + 10 * DAY
  const { space, endpoint, wakeWebhooks, runFor, deliveries } = await createWebhookScenario()
  const taking = createBox()
  const active = await endpoint({ url: taking.url, events: ['epic.*'] })
  await taking.answers({ status: 500 })
  const before = (await listEventIds(space)).length
  for (let n = 0; n < 3; n++) await createEpic(space, `Epic ${n}`)
  await setEventAge(space, before + 3)
  await runArchive({ at })
  // The endpoint still needs these events.
  expect((await listEventIds(space))[0]).toBeLessThanOrEqual(before + 1)
  await wakeWebhooks()
  await runArchive({ at: at + 2 * DAY })
  await runArchive({ at: at + 4 * DAY })
  // A delivery failed, and its retry is still due.
  const left = await listEventIds(space)
  expect(left[0]).toBeLessThanOrEqual(before + 1)
  expect(left).toContain(before + 1)
  expect(await listArchivedIds(space)).not.toContain(before + 1)
  await taking.answers({ status: 200 })
  await runFor(DAY / 2)
  expect((await deliveries(active.id)).map(({ status }) => status)).toEqual(Array(3).fill('delivered'))
  await runArchive({ at: at + 6 * DAY })
  await runArchive({ at: at + 8 * DAY })
  expect(await listEventIds(space)).not.toContain(before + 1)
})

test('a reader goes on from the archive to the log, with the same filters', async () => {
  const world = await createWorkspaceWithEpics(6)
  const { client, product } = world
  await client('PUT', `/api/initiatives/${product.externalKey}/epics/EP-2`, { json: { summary: 'Changed' } })
  await setEventAge(world, 4)
  await setOrigins(world, { 2: 'import:17', 3: null, 6: 'import:17' })
  await runArchive({ at: NOW + 20 * DAY })
  expect(await listEventIds(world)).toEqual([5, 6, 7])
  const limited = await world.key({ products: [product.id] })
  const elsewhere = await world.key({ products: [product.id + 1_000_000] })
  for (const [query, ids, apiKey] of [
    ['', [1, 2, 3, 4, 5, 6, 7]],
    ['?limit=1', [1, 2, 3, 4, 5, 6, 7]],
    ['?limit=3&after=2', [3, 4, 5, 6, 7]],
    ['?after=4', [5, 6, 7]],
    ['?after=7', []],
    ['?after=1&wait=5', [2, 3, 4, 5, 6, 7]],
    ['?type=epic.updated', [7]],
    ['?type=epic.created&after=3&limit=2', [4, 5, 6]],
    ['?type=kpi.created', []],
    ['?key=EP-2', [2, 7]],
    ['?key=EP-2&limit=1', [2, 7]],
    ['?key=EP-2&limit=1&order=newest', [7, 2]],
    ['?type=epic.*,kpi.created&limit=2', [1, 2, 3, 4, 5, 6, 7]],
    ['?type=kpi.*,epic.updated', [7]],
    ['?origin=import', [2, 6]],
    ['?origin=import:17&limit=1', [2, 6]],
    ['?origin=import:1', []],
    ['?origin=api', [1, 4, 5, 7]],
    [`?actor=${world.userId}&limit=3`, [1, 2, 3, 4, 5, 6, 7]],
    [`?actor=${world.userId + 1_000_000}`, []],
    [`?apiKey=${await ownKeyId(world)}`, [1, 2, 3, 4, 5, 6, 7]],
    [`?product=${product.externalKey}&key=EP-1`, [1]],
    [`?to=${iso(OLD + DAY)}`, [1, 2, 3, 4]],
    [`?to=${iso(OLD)}`, []],
    [`?from=${iso(OLD)}&to=${iso(OLD + DAY)}&limit=2`, [1, 2, 3, 4]],
    [`?from=${iso(OLD + DAY)}`, [5, 6, 7]],
    ['?order=newest', [7, 6, 5, 4, 3, 2, 1]],
    ['?order=newest&limit=2', [7, 6, 5, 4, 3, 2, 1]],
    ['?order=newest&limit=3&after=6', [5, 4, 3, 2, 1]],
    ['?order=newest&after=4', [3, 2, 1]],
    ['?order=newest&after=1', []],
    ['?order=newest&type=epic.created&limit=2', [6, 5, 4, 3, 2, 1]],
    ['?order=newest&origin=import', [6, 2]],
    [`?order=newest&to=${iso(OLD + DAY)}&limit=3`, [4, 3, 2, 1]],
    [`?order=newest&from=${iso(OLD + DAY)}`, [7, 6, 5]],
    ['?order=newest&limit=2', [7, 6, 5, 4, 3, 2, 1], limited],
    ['?order=newest', [], elsewhere],
    ['?after=3', [4, 5, 6, 7], limited],
    ['?type=epic.created', [1, 2, 3, 4, 5, 6], limited],
    ['', [], elsewhere],
  ] as const) {
    expect([query, await followEvents(world, query, apiKey ? { apiKey } : {})]).toEqual([query, ids])
  }
  const [archived] = (await client<object[]>('GET', '/api/v2/events?limit=1')).body.data
  expect(archived).toMatchObject({
    ...{ id: 1, type: 'epic.created', resourceKey: 'EP-1' },
    actor: { userId: world.userId, keyId: expect.any(Number), keyName: expect.any(String) },
    origin: { via: 'api', id: null },
    ...{ productId: product.id, previous: null, data: { summary: 'Epic 1' }, createdAt: new Date(OLD).toISOString() },
  })
  const feedbackReader = await world.key({ scopes: ['events:read', 'feedback:read'] })
  const [hidden] = (await client<object[]>('GET', '/api/v2/events?limit=1', { apiKey: feedbackReader })).body.data
  expect(hidden).toMatchObject({ id: 1, data: null, previous: null })
})

test('events that move to the archive while a reader reads are read once', async () => {
  const world = await createWorkspaceWithEpics(6)
  await setEventAge(world, 2)
  await runArchive({ at: NOW + 50 * DAY })
  expect(await listEventIds(world)).toEqual([3, 4, 5, 6])
  await setEventAge(world, 5)
  const files = {
    get: env.FILES.get.bind(env.FILES),
    list: async (options?: R2ListOptions) => {
      await runArchive({ at: NOW + 52 * DAY })
      return env.FILES.list(options)
    },
  }
  const during = { env: { FILES: files as unknown as R2Bucket } }
  expect(await followEvents(world, '', during)).toEqual([1, 2, 3, 4, 5, 6])
  expect(await listEventIds(world)).toEqual([6])
})

test('a page reads at most ten objects, and may be empty with a next page', async () => {
  const world = await createWorkspaceWithEpics(26)
  for (let day = 0; day < 25; day++) await setEventAge(world, 25 - day, OLD - day * DAY)
  for (let run = 0; run < 25; run++) await runArchive({ at: NOW + 60 * DAY })
  expect(await listEventIds(world)).toEqual([26])
  const page = await world.client<object[]>('GET', '/api/v2/events?key=EP-26')
  expect(page.body.data).toEqual([])
  expect(page.headers.get('link')).toContain('after=10')
  expect(await followEvents(world, '?key=EP-26')).toEqual([26])
})

test('a filter by time skips younger and older objects of the archive, and a gap ends a page of newest events', async () => {
  const world = await createWorkspaceWithEpics(30)
  const uploadedAt = readClock()
  for (let day = 0; day < 25; day++) await setEventAge(world, 25 - day, OLD - day * DAY)
  for (let run = 0; run < 25; run++) await runArchive({ at: NOW + 90 * DAY })
  expect(await listEventIds(world)).toEqual([26, 27, 28, 29, 30])
  const reads: string[] = []
  const files = {
    list: env.FILES.list.bind(env.FILES),
    get: (key: string) => {
      reads.push(key)
      return env.FILES.get(key)
    },
  }
  const counted = { env: { FILES: files as unknown as R2Bucket } }
  const setAge = (id: number, at: number) =>
    env.DB.prepare('UPDATE log SET created_at = ? WHERE subscription_id = ? AND id >= ?')
      .bind(at, world.subscriptionId, id)
      .run()
  // The first event of the log is older than the filter, and so is the archive.
  await setAge(26, OLD + 2 * DAY)
  await setAge(27, OLD + 9 * DAY)
  expect(await followEvents(world, `?from=${iso(OLD + 3 * DAY)}`, counted)).toEqual([27, 28, 29, 30])
  expect(await followEvents(world, `?from=${iso(OLD + 3 * DAY)}&order=newest`, counted)).toEqual([30, 29, 28, 27])
  // All objects are older than the filter.
  await setAge(26, uploadedAt + 2 * DAY)
  expect(await followEvents(world, `?from=${iso(uploadedAt + DAY)}`, counted)).toEqual([26, 27, 28, 29, 30])
  expect(await followEvents(world, `?from=${iso(uploadedAt + DAY)}&order=newest`, counted)).toHaveLength(5)
  expect(reads).toEqual([])
  expect(await followEvents(world, `?to=${iso(OLD - 22 * DAY)}`, counted)).toEqual([1, 2])
  expect(reads).toHaveLength(4)
  await env.FILES.delete(`archive/${world.subscriptionId}/events/000000000020.ndjson`)
  expect(await followEvents(world, '?order=newest&after=23')).toEqual([22, 21])
})

test('a reader learns where the log begins if the archive has no next event', async () => {
  const world = await createWorkspaceWithEpics(6)
  await setEventAge(world, 4)
  await runArchive({ at: NOW + 70 * DAY })
  await env.FILES.delete(`archive/${world.subscriptionId}/events/000000000004.ndjson`)
  expect(await followEvents(world, '')).toEqual([5, 6])
  for (const query of ['?after=3', '?after=1&limit=1', '?after=3&type=kpi.created', '?after=3&wait=5']) {
    const gone = await world.client('GET', `/api/v2/events${query}`)
    expect([query, gone.status, gone.body.error?.code]).toEqual([query, 410, 'gone'])
    expect(gone.body.message).toContain('after=4')
  }
})

test('names of archived events are current', async () => {
  const world = await createWorkspace()
  const json = { email: 'grace@example.com', firstName: 'Grace', lastName: 'Murray', attributes: { phone: '555-0100' } }
  const { client } = world
  const member = await client<{ id: number }>('POST', '/api/v2/idea-manager/members?invite=false', { json })
  await createEpic(world, 'The newest')
  await setEventAge(world, 1)
  await runArchive({ at: NOW + 80 * DAY })
  await client('PUT', `/api/v2/idea-manager/members/${member.body.data.id}`, { json: { lastName: 'Hopper' } })
  const [event] = (await client<{ data: object }[]>('GET', '/api/v2/events?limit=1')).body.data
  expect(event?.data).toMatchObject({ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' })
  expect(event?.data).not.toHaveProperty('attributes')
})

test('the archive holds people by id only, and no authors of ideas', async () => {
  const world = await createWorkspace()
  const { client, product } = world
  const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', attributes: { phone: '555-0100' } }
  const member = await client<{ id: number }>('POST', '/api/v2/idea-manager/members?invite=false', { json: person })
  const path = `/api/v2/idea-manager/members/${member.body.data.id}`
  await client('PUT', path, { json: { lastName: 'King', attributes: { phone: '555-0199' } } })
  const idea = { title: 'Dark mode', product: product.externalKey, user: { email: 'ada@example.com', name: 'Ada' } }
  await client('POST', '/api/feedback-items', { json: idea })
  await createEpic(world, 'The newest')
  const last = (await listEventIds(world)).length
  await setEventAge(world, last)
  await runArchive({ at: NOW + 30 * DAY })
  const lines = Object.values(await readArchive(world)).flat()
  expect(lines.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['member.created', 'member.updated', 'feedback.created']),
  )
  const text = JSON.stringify(lines)
  for (const secret of ['ada@', 'Ada', 'Lovelace', 'King', '555-']) expect(text).not.toContain(secret)
  const createdEvent = lines.find(({ type }) => type === 'feedback.created')
  expect([createdEvent?.actorUserId, createdEvent?.actorKey, createdEvent?.data.user_id]).toEqual([null, null, 0])
  expect(lines.find(({ type }) => type === 'member.created')?.data.id).toBe(member.body.data.id)
})

test('a run archives one page of bounded bytes, and skips a log without an end of retention', async () => {
  const at = NOW + 40 * DAY
  const world = await createWorkspace()
  const log = (count: number, data: string) =>
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO append_event (subscription_id, id, type, resource_key, data, created_at)
       SELECT ?1, (SELECT coalesce(max(id), 0) FROM log WHERE subscription_id = ?1) + i, 'epic.updated', 'EP-1', ?3, ?4 FROM n`,
    )
      .bind(world.subscriptionId, count, data, OLD)
      .run()
  await log(1_500, '{}')
  await runArchive({ at, kept: '0' })
  expect((await listEventIds(world)).length).toBe(1_500)
  await runArchive({ at })
  expect((await listEventIds(world)).length).toBe(500)
  await runArchive({ at })
  expect((await listEventIds(world)).length).toBe(1)
  // The archive's rows do not count toward the quota of the workspace.
  const charged = env.DB.prepare('SELECT 1 FROM written_rows WHERE subscription_id = ?').bind(world.subscriptionId)
  expect(await charged.first()).toBeNull()
  await log(40, JSON.stringify({ text: 'x'.repeat(200_000) }))
  await runArchive({ at })
  expect((await listEventIds(world)).length).toBe(41 - 1 - 20)
})
