import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore, type Store } from '../../../src/db/client/client'
import type { Statement } from '../../../src/db/sql/statement'
import { archiveDueLogs } from '../../../src/workspace/retention/archive'
import { meteredDatabase } from '../../d1'
import { createWorkspace, type Workspace } from '../../factories'
import { createBox, createWebhookScenario, DAY, MINUTE } from '../webhooks/scenario'

interface Line {
  id: number
  type: string
  actor: { userId: number | null; key: string | null }
  resourceKey: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
  createdAt: string
}

// Later than the creation of every workspace in this file.
const NOW = Date.now() + MINUTE
const OLD = NOW - 400 * DAY

/** Runs the cron's archive part. `at` must not decrease from run to run. */
async function runArchive({
  at = NOW,
  kept = '365',
  store = openStore(meteredDatabase(env.DB).d1, at, undefined, 1) as Store,
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
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const objects = await readArchive(world)
  expect(Object.entries(objects).map(([key, lines]) => [key, lines.map(({ id }) => id)])).toEqual([
    [`${day(OLD - 2 * DAY)}/000000000001.ndjson`, [1, 2]],
    [`${day(OLD)}/000000000003.ndjson`, [3, 4]],
  ])
  const [line] = objects[`${day(OLD)}/000000000003.ndjson`] ?? []
  expect(line).toMatchObject({
    ...{ id: 3, type: 'epic.created', resourceKey: 'EP-3', previous: null, createdAt: new Date(OLD).toISOString() },
    ...{ actor: { userId: world.userId, key: expect.any(String) }, data: { summary: 'Epic 3' } },
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
  expect([await listEventIds(world), await listArchivedIds(world)]).toEqual([
    [5, 6],
    [1, 2, 3, 4],
  ])
  expect(Object.keys(await readArchive(world))).toHaveLength(1)
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

test('an event stays in the log until every endpoint has received it', async () => {
  const at = NOW + 10 * DAY
  const { space, client, endpoint, wakeWebhooks, runFor, deliveries } = await createWebhookScenario()
  const [behind, taking] = [createBox(), createBox()]
  const paused = await endpoint({ url: behind.url, events: ['epic.*'] })
  await client('PUT', `/api/v2/webhooks/${paused.id}`, { json: { status: 'paused' } })
  const active = await endpoint({ url: taking.url, events: ['epic.*'] })
  await taking.answers({ status: 500 })
  const before = (await listEventIds(space)).length
  for (let n = 0; n < 3; n++) await createEpic(space, `Epic ${n}`)
  await setEventAge(space, before + 3)
  await runArchive({ at })
  // The paused endpoint still needs these events.
  expect((await listEventIds(space))[0]).toBeLessThanOrEqual(before)
  await client('DELETE', `/api/v2/webhooks/${paused.id}`)
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

test('a reader that continues from an archived event learns where the log begins', async () => {
  const world = await createWorkspaceWithEpics(6)
  await setEventAge(world, 4)
  await runArchive({ at: NOW + 20 * DAY })
  const events = (query: string, apiKey?: string) =>
    world.client<{ id: number }[]>('GET', `/api/v2/events${query}`, apiKey ? { apiKey } : {})
  expect((await events('')).body.data.map(({ id }) => id)).toEqual([5, 6])
  expect((await events('?after=4')).body.data.map(({ id }) => id)).toEqual([5, 6])
  expect((await events('?after=6')).body.data).toEqual([])
  const limited = await world.key({ products: [world.product.id] })
  for (const [query, key] of [
    ['?after=3'],
    ['?after=1&limit=1'],
    ['?after=3&type=epic.created'],
    ['?after=3&type=kpi.created'],
    ['?after=3&key=EP-6'],
    ['?after=3&wait=5'],
    ['?after=3', limited],
  ] as const) {
    const gone = await events(query, key)
    expect([query, gone.status, gone.body.error?.code]).toEqual([query, 410, 'gone'])
    expect(gone.body.message).toContain('after=4')
  }
  expect((await events('?after=4&type=epic.created', limited)).body.data.map(({ id }) => id)).toEqual([5, 6])
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
  for (const secret of ['ada@', 'Ada', 'Lovelace', 'King', '555-', '\\u0000']) expect(text).not.toContain(secret)
  const createdEvent = lines.find(({ type }) => type === 'feedback.created')
  expect([createdEvent?.actor, createdEvent?.data.user_id]).toEqual([{ userId: null, key: null }, 0])
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
