import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { handleQueueBatch } from '../../src/queue'
import { call } from '../client'
import { readClock } from '../clock'
import { meteredDatabase } from '../d1'
import { createWorkspace } from '../factories'
import { freezeTime } from '../fake-clock'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 5, 30, 12)
const MIDNIGHT = NOON + DAY / 2

interface UsageRow {
  day: number
  written: number
}

async function createLimitedWorkspace(rows: number) {
  const space = await createWorkspace()
  const settings = { WORKSPACE_ROWS_PER_DAY: String(rows) }
  const epics = `/api/initiatives/${space.product.externalKey}/epics`
  return {
    ...space,
    settings,
    create: (headers = {}) => space.client('POST', epics, { json: { summary: 'An epic' }, env: settings, headers }),
    count: async () => (await space.client<unknown[]>('GET', `${epics}?limit=100`)).body.data.length,
    usage: () =>
      env.DB.prepare('SELECT day, written FROM written_rows WHERE subscription_id = ?')
        .bind(space.subscriptionId)
        .first<UsageRow>(),
    events: () =>
      env.DB.prepare('SELECT max(id) AS last FROM log WHERE subscription_id = ?')
        .bind(space.subscriptionId)
        .first<number>('last'),
  }
}

const BULK_SIZE = 400
const createMany = <T>(make: (n: number) => T) => Array.from({ length: BULK_SIZE }, (_, n) => make(n))
const MEMBERS = '/api/v2/idea-manager/members'

/** Operations that write `MANY` records with a single request. */
const BULK_OPERATIONS: Record<string, { path(product: string): string; json(product: string): object }> = {
  'a bulk of the backlog': {
    path: (product) => `/api/initiatives/${product}/backlog/bulk`,
    json: () => createMany((n) => ({ op: 'create', type: 'userstory', body: { summary: `Story ${n}` } })),
  },
  'a bulk of ideas': {
    path: () => '/api/feedback-items/bulk-create',
    json: (product) => createMany((n) => ({ title: `Idea ${n}`, product })),
  },
  'a bulk of members': {
    path: () => `${MEMBERS}/bulk-create?invite=false`,
    json: () => createMany((n) => ({ email: `p${n}@example.com`, name: `Person ${n}` })),
  },
  'a bulk of invited members': {
    path: () => `${MEMBERS}/bulk-create`,
    json: () => createMany((n) => ({ email: `p${n}@example.com`, name: `Person ${n}` })),
  },
  'an import of people': {
    path: () => `${MEMBERS}/import-users`,
    json: () => createMany((n) => ({ email: `p${n}@example.com`, name: `Person ${n}` })),
  },
  'an import of the backlog': {
    path: (product) => `/api/initiatives/${product}/backlog/import`,
    json: () => createMany((n) => ({ type: 'userstory', summary: `Story ${n}` })),
  },
  'an import of ideas': {
    path: (product) => `/api/feedback-items/import?product=${product}`,
    json: () => createMany((n) => ({ title: `Idea ${n}` })),
  },
}

test('a workspace at its daily row limit cannot write until the next day', async () => {
  freezeTime(NOON)
  const it = await createLimitedWorkspace(100)
  const other = await createLimitedWorkspace(100)
  let made = 0
  let last = await it.create()
  while (last.status === 200 && made < 50) {
    made++
    expect(last.cost.roundTrips).toBe(1)
    last = await it.create()
  }
  expect([last.status, last.body.error?.code]).toEqual([429, 'rate_limited'])
  const { written } = (await it.usage()) as UsageRow
  expect([written >= 100, made >= 3, made <= 12]).toEqual([true, true, true])
  expect(last.body.message).toContain(new Date(MIDNIGHT).toISOString())
  expect(last.body.message).toContain('100 rows')
  expect(last.headers.get('retry-after')).toBe(String((MIDNIGHT - NOON) / 1000))

  expect([await it.count(), await it.events(), (await it.usage())?.written]).toEqual([made, made, written])
  expect((await other.create()).status).toBe(200)
  // The quota counts written rows only, and never blocks a revocation.
  const keys = await it.client<{ id: number }[]>('GET', '/api/v2/api-keys', { env: it.settings })
  const revoked = await it.client('DELETE', `/api/v2/api-keys/${keys.body.data[0]?.id}`, { env: it.settings })
  expect([keys.status, revoked.status]).toEqual([200, 200])
})

test('the row limit starts again the next day, and a repeated request returns the stored response', async () => {
  freezeTime(NOON)
  const it = await createLimitedWorkspace(30)
  const first = await it.create({ 'idempotency-key': 'same' })
  for (let n = 0; n < 5; n++) await it.create()
  expect((await it.create()).status).toBe(429)
  const again = await it.create({ 'idempotency-key': 'same' })
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(again.body.data).toEqual(first.body.data)

  vi.setSystemTime(MIDNIGHT + 1)
  const apiKey = await it.key({ expiresAt: readClock() + DAY })
  const tomorrow = (await it.usage())?.day ?? 0
  const path = `/api/initiatives/${it.product.externalKey}/epics`
  const next = await call('POST', path, { apiKey, json: { summary: 'Tomorrow' }, env: it.settings })
  expect(next.status).toBe(200)
  const { day, written } = (await it.usage()) as UsageRow
  expect([day, written < 30]).toEqual([tomorrow + 1, true])
})

test('the usage equals the rows that D1 counted, even with parallel writes', async () => {
  const it = await createLimitedWorkspace(1_000_000)
  const answers = await Promise.all(Array.from({ length: 10 }, () => it.create()))
  const counted = answers.reduce((sum, { cost }) => sum + cost.rowsWritten, 0)
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  // The next write stores the correction of the last write.
  const before = (await it.usage())?.written ?? 0
  const next = await it.create()
  const after = (await it.usage())?.written ?? 0
  expect(Math.abs(before - counted)).toBeLessThan(500)
  expect(after).toBe(counted + 10)
  expect(next.cost.roundTrips).toBe(1)
})

test('parallel writes exceed the limit by at most their own rows', async () => {
  const it = await createLimitedWorkspace(60)
  const answers = await Promise.all(Array.from({ length: 30 }, () => it.create()))
  const done = answers.filter(({ status }) => status === 200).length
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - done)
  expect([done > 0, done <= 6, await it.count()]).toEqual([true, true, done])
})

test('rows that the queue writes count for the workspace', async () => {
  const it = await createLimitedWorkspace(70_000)
  const rows = Array.from({ length: 6_000 }, (_, n) => ({ email: `m${n}@example.com` }))
  const accepted = await it.client<{ id: number; status: string }>(
    'POST',
    '/api/v2/idea-manager/members/import-users',
    { json: rows, env: { ...it.settings, QUEUE: { ...env.QUEUE, send: async () => undefined } as never } },
  )
  expect([accepted.status, accepted.body.data.status]).toEqual([201, 'pending'])
  // The acceptance charges the estimate, and the slices correct the charge.
  const ahead = (await it.usage())?.written ?? 0
  expect(ahead).toBeGreaterThan(6_000)
  const second = await it.client('POST', '/api/v2/idea-manager/members/import-users', { json: rows, env: it.settings })
  expect([second.status, second.body.message]).toEqual([429, expect.stringContaining('Send fewer records')])
  const message = {
    body: { kind: 'import.run', subscriptionId: it.subscriptionId, importId: accepted.body.data.id },
    ack() {},
    retry() {},
  }
  const { d1, cost } = meteredDatabase(env.DB)
  const deps = createBackgroundDeps({ ...env, ...it.settings, DB: d1 } as never, createExecutionContext())
  await handleQueueBatch({ queue: 'groundwork-outside', messages: [message] } as never, deps)
  expect((await it.create()).status).toBe(200)
  expect(Math.abs(((await it.usage())?.written ?? 0) - cost.rowsWritten)).toBeLessThan(1_100)
})

test('parallel uploads stay within the quota, and a refusal says what to do', async () => {
  const it = await createLimitedWorkspace(3_000)
  const kpi = await it.client<{ externalKey: string }>('POST', `/api/initiatives/${it.product.externalKey}/kpi`, {
    json: { title: 'Visits' },
  })
  const path = `/api/initiatives/${it.product.externalKey}/kpi/${kpi.body.data.externalKey}/insert-kpi-records`
  const json = Array.from({ length: 2_000 }, (_, n) => ({ value: n, createdAt: 1_700_000_000_000 + n * 60_000 }))
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => it.client('POST', path, { json, env: it.settings })),
  )
  const written = answers.reduce((sum, { cost }) => sum + cost.rowsWritten, 0)
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 29 }, () => 429)])
  expect(written).toBeLessThan(3_000)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body.error?.code).toBe('rate_limited')
  expect(refused?.body.message).toMatch(/^This request writes about 2000 database rows.*Send fewer records/)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await it.create()).status).toBe(200)
})

test.each(Object.entries(BULK_OPERATIONS))(
  'the estimate of %s is close to the rows written',
  async (_, { path, json }) => {
    const it = await createLimitedWorkspace(1_000_000)
    const before = (await it.usage())?.written ?? 0
    const { status, cost } = await it.client('POST', path(it.product.externalKey), {
      json: json(it.product.externalKey),
      env: it.settings,
    })
    expect(status).toBeLessThan(300)
    const charged = ((await it.usage())?.written ?? 0) - before
    expect([cost.rowsWritten, charged, charged >= cost.rowsWritten * 0.7 && charged <= cost.rowsWritten * 2]).toEqual([
      cost.rowsWritten,
      charged,
      true,
    ])
  },
)

type Limited = Awaited<ReturnType<typeof createLimitedWorkspace>>
type Request = { method: string; path: string; json?: object }

const GROWN = 600

/** Inserts `GROWN` rows of a table for the workspace, in a single statement. */
async function grow({ subscriptionId }: Limited, table: string, columns: Record<string, string | number>) {
  const names = Object.keys(columns)
  const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${GROWN})
    INSERT INTO ${table} (subscription_id, ${names.join()})
    SELECT ${subscriptionId}, ${Object.values(columns).join()} FROM n`
  await env.DB.prepare(sql).run()
}

const MOMENTS = { created_at: 0, updated_at: 0 }
const people = (it: Limited) =>
  grow(it, 'users', { email: "'g' || i || '@example.com'", role: "'idm_member'", ...MOMENTS })

async function categories(it: Limited): Promise<[number, number]> {
  const make = async (name: string) =>
    (await it.client<{ id: number }>('POST', '/api/feedback-items/categories', { json: { name } })).body.data.id
  const [from, into] = [await make('From'), await make('Into')]
  await ideas(it, { category_id: from })
  return [from, into]
}

const ideas = (it: Limited, more: Record<string, number> = {}) =>
  grow(it, 'feedback_items', {
    product_id: it.product.id,
    external_key: "'FB-' || (1000 + i)",
    user_id: 1,
    slug: "'idea-' || i",
    title: "'Idea ' || i",
    ...more,
    ...MOMENTS,
  })

const MAIL = { subject: 'Hello', html: '<p>Hello</p>' }

/** Writes of a single record whose rows grow with stored data. */
const GROWING: Record<string, (it: Limited) => Promise<Request>> = {
  'mail to a segment': async (it) => {
    await people(it)
    const segmentId = await it.row('segments', { subscription_id: it.subscriptionId, name: 'All', ...MOMENTS })
    await env.DB.prepare(
      `INSERT INTO segment_members (subscription_id, segment_id, user_id, created_at)
       SELECT subscription_id, ?2, id, 0 FROM users WHERE subscription_id = ?1`,
    )
      .bind(it.subscriptionId, segmentId)
      .run()
    return { method: 'POST', path: `/api/v2/segments/${segmentId}/email`, json: MAIL }
  },
  'mail to members': async (it) => {
    await people(it)
    const emails = Array.from({ length: GROWN }, (_, n) => `g${n + 1}@example.com`)
    return { method: 'POST', path: '/api/v2/segments/email-members', json: { ...MAIL, emails } }
  },
  'the merge of a category': async (it) => {
    const [from, into] = await categories(it)
    return { method: 'POST', path: `/api/feedback-items/categories/${from}/merge`, json: { into } }
  },
  'the removal of a category with moveTo': async (it) => {
    const [from, into] = await categories(it)
    return { method: 'DELETE', path: `/api/feedback-items/categories/${from}?moveTo=${into}` }
  },
  'the removal of a product': async (it) => {
    await ideas(it)
    return { method: 'DELETE', path: `/api/initiatives/${it.product.externalKey}` }
  },
  'the replay of a webhook': async (it) => {
    const json = { url: 'https://hooks.invalid/', events: ['*'] }
    const { body } = await it.client<{ id: number }>('POST', '/api/v2/webhooks', { json })
    const stories = Array.from({ length: GROWN }, (_, n) => ({
      op: 'create',
      type: 'userstory',
      body: { summary: `Story ${n}` },
    }))
    await it.client('POST', `/api/initiatives/${it.product.externalKey}/backlog/bulk`, { json: stories })
    await env.DB.prepare('UPDATE webhooks SET position = 1000000 WHERE id = ?').bind(body.data.id).run()
    return { method: 'POST', path: `/api/v2/webhooks/${body.data.id}/replay`, json: { from: '2020-01-01' } }
  },
}

test.each(Object.entries(GROWING))('%s charges its rows inside its batch', async (_, prepare) => {
  const it = await createLimitedWorkspace(300)
  const { method, path, json } = await prepare(it)
  const ask = (settings: object) => it.client(method, path, { ...(json && { json }), env: settings })
  const events = await it.events()
  const refused = await Promise.all([ask(it.settings), ask(it.settings)])
  expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual(Array(2).fill([429, 'rate_limited']))
  expect(refused[0]?.body.message).toMatch(/^This request writes .* rows .* repeat the request after/)
  expect(await it.events()).toBe(events)
  // The quota of another day is large enough, and holds what D1 has counted.
  const done = await ask({ WORKSPACE_ROWS_PER_DAY: '100000' })
  expect(done.status).toBe(200)
  const charged = (await it.usage())?.written ?? 0
  expect([charged, charged >= GROWN]).toEqual([charged, true])
})

test('a workspace without a limit needs no statements or rows for the usage', async () => {
  const it = await createLimitedWorkspace(0)
  const free = await it.create()
  const bound = await (await createLimitedWorkspace(1_000)).create()
  // The charge, the measurement and its refusal.
  expect(bound.cost.statements).toBe(free.cost.statements + 3)
  expect(bound.cost.rowsWritten).toBe(free.cost.rowsWritten + 1)
  expect(await it.usage()).toBeNull()
})

test('a merge of the full-text index is no reason to refuse a small write', async () => {
  const it = await createLimitedWorkspace(60)
  // The index merges its newest parts every 32 writes. The merge counts as some 80 changes.
  for (let n = 0; n < 40; n++) {
    expect((await it.create()).status).toBe(200)
    await env.DB.prepare('UPDATE written_rows SET written = 0 WHERE subscription_id = ?').bind(it.subscriptionId).run()
  }
})
