import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openStore, type Store } from '../../../src/db/client/client'
import { eraseDueWorkspaces } from '../../../src/workspace/erasure/erase'
import { makeArchiveObjectKey } from '../../../src/workspace/events/archive'
import { makeObjectKey, OBJECT_KINDS } from '../../../src/workspace/objects/fields'
import { keepFailedMessage } from '../../../src/workspace/operating/dead-letters'
import { call } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { declaredTables } from '../../tables'
import { fileForm } from '../../world'

const DAY = 86_400_000
const WORKSPACE = '/api/v2/workspace'

interface Erasure {
  eraseAt: string | null
}

const tenantTables = declaredTables.filter((table) => 'subscriptionId' in table).map(getTableName)

async function countRows({ subscriptionId }: Workspace): Promise<Record<string, number>> {
  const results = await env.DB.batch<{ n: number }>([
    ...tenantTables.map((name) =>
      env.DB.prepare(`SELECT count(*) AS n FROM "${name}" WHERE subscription_id = ${subscriptionId}`),
    ),
    env.DB.prepare(`SELECT count(*) AS n FROM subscriptions WHERE id = ${subscriptionId}`),
  ])
  const counts = results.map(({ results: [row] }, n) => [tenantTables[n] ?? 'subscriptions', row?.n ?? 0] as const)
  return Object.fromEntries(counts.filter(([, n]) => n > 0))
}

async function countSearchRows({ subscriptionId }: Workspace): Promise<number> {
  const results = await env.DB.batch<{ n: number }>(
    ['search', 'search_people'].map((name) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${name} WHERE ${name} MATCH 'scope : s${subscriptionId}k*'`),
    ),
  )
  return results.reduce((sum, { results: [row] }) => sum + (row?.n ?? 0), 0)
}

const listObjectKeys = async ({ subscriptionId }: Workspace) =>
  (await env.FILES.list()).objects
    .map(({ key }) => key)
    .filter((key) => key.split('/').includes(String(subscriptionId)))

/** Inserts rows into every table of the database, and objects of every kind. */
async function fillWorkspace({ subscriptionId }: Workspace, count = 3): Promise<void> {
  for (const name of tenantTables) {
    const { results: columns } = await env.DB.prepare(
      `SELECT name, type, pk FROM pragma_table_info('${name}') WHERE ("notnull" OR pk > 0) AND dflt_value IS NULL`,
    ).all<{ name: string; type: string; pk: number }>()
    const keys = columns.filter(({ pk }) => pk > 0)
    const isRowid = keys.length === 1 && keys[0]?.type === 'INTEGER' && keys[0].name !== 'subscription_id'
    const given = columns.filter(({ pk }) => !(isRowid && pk > 0))
    const rows = given.some(({ name }) => name !== 'subscription_id') && (keys.length > 1 || isRowid) ? count : 1
    const declared = await env.DB.prepare('SELECT sql FROM sqlite_schema WHERE name = ?')
      .bind(name)
      .first<{ sql: string }>()
    const value = (column: { name: string; type: string }) => {
      if (column.name === 'subscription_id') return String(subscriptionId)
      if (column.type === 'INTEGER') return `${subscriptionId} * 1000000 + n`
      const [, checked] = new RegExp(`\\b${column.name} IN \\('([^']+)'`).exec(declared?.sql ?? '') ?? []
      if (checked) return `'${checked}'`
      return column.name === 'data' ? `'{}'` : `'x' || n`
    }
    await env.DB.prepare(
      `INSERT OR IGNORE INTO "${name}" (${given.map(({ name }) => `"${name}"`).join(', ')})
       SELECT ${given.map(value).join(', ')} FROM (
         WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows}) SELECT n FROM numbers)`,
    )
      .run()
      .catch((cause) => {
        throw new Error(`No rows for ${name}: ${cause}`)
      })
  }
  const kinds = Object.keys(OBJECT_KINDS) as (keyof typeof OBJECT_KINDS)[]
  for (const kind of kinds) await env.FILES.put(makeObjectKey(kind, subscriptionId), 'bytes')
  await env.FILES.put(`${subscriptionId}/of-a-later-release/x`, 'bytes')
  await env.FILES.put(makeArchiveObjectKey(subscriptionId, 1), '{}')
}

const runErasure = (days: number, store = (now: number): Store => openStore(env.DB, now)) =>
  eraseDueWorkspaces({ store: store(readClock() + days * DAY), files: env.FILES })

test('nothing of an erased workspace is left in tables and objects, and another workspace keeps everything', async () => {
  const [erased, other] = [await createWorkspace(), await createWorkspace()]
  for (const workspace of [erased, other]) await fillWorkspace(workspace)
  expect(Object.keys(await countRows(erased)).sort()).toEqual([...tenantTables, 'subscriptions'].sort())
  const before = { rows: await countRows(other), objects: await listObjectKeys(other) }
  expect(await countSearchRows(erased)).toBeGreaterThan(10)
  const { body } = await erased.client<Erasure>('DELETE', WORKSPACE, { json: { confirm: 'Test' } })
  const me = await erased.client<{ workspace: Erasure }>('GET', '/api/v2/me')
  expect(me.body.data.workspace.eraseAt).toBe(body.data.eraseAt)
  expect(Math.abs(Date.parse(body.data.eraseAt ?? '') - readClock() - 7 * DAY)).toBeLessThan(60_000)

  await runErasure(6.9)
  expect(Object.keys(await countRows(erased)).length).toBe(tenantTables.length + 1)
  await runErasure(7.1)
  expect(await countRows(erased)).toEqual({ subscriptions: 1 })
  expect(await listObjectKeys(erased)).toEqual([])
  expect(await countSearchRows(erased)).toBe(0)
  expect((await erased.client('GET', '/api/initiatives')).status).toBe(401)
  await runErasure(7.1)
  expect(await countRows(erased)).toEqual({})
  expect({ rows: await countRows(other), objects: await listObjectKeys(other) }).toEqual(before)

  await keepFailedMessage(
    () => openStore(env.DB, readClock()),
    { kind: 'import.run', subscriptionId: erased.subscriptionId, importId: 1 },
    1,
  )
  expect(await countRows(erased)).toEqual({})
})

test('an erasure that is killed after each batch ends, and takes many slices for a large workspace', async () => {
  const erased = await createWorkspace()
  await fillWorkspace(erased, 2_500)
  await createWorkspace()
  await erased.client('DELETE', WORKSPACE, { json: { confirm: 'Test' } })
  let calls = 0
  const dying = (allowed: number) => (now: number) => {
    const store = openStore(env.DB, now)
    let left = allowed
    return {
      batch: async (...given: Parameters<Store['batch']>) => {
        if (left-- === 0) throw new Error('killed')
        calls++
        return store.batch(...given)
      },
    } as Store
  }
  for (let runs = 0; runs < 60 && 'subscriptions' in (await countRows(erased)); runs++) {
    await runErasure(8, dying(3 + runs)).catch(({ message }) => expect(message).toBe('killed'))
  }
  expect(await countRows(erased)).toEqual({})
  expect(calls).toBeGreaterThan(20)
})

test('the last workspace leaves a row without a name, so that no workspace gets the same id', async () => {
  const erased = await createWorkspace()
  await erased.client('DELETE', WORKSPACE, { json: { confirm: 'Test' } })
  for (let runs = 0; runs < 3; runs++) await runErasure(8)
  const row = await env.DB.prepare('SELECT name FROM subscriptions WHERE id = ?').bind(erased.subscriptionId).first()
  expect(row).toEqual({ name: '' })
  const next = await createWorkspace()
  expect(next.subscriptionId).toBe(erased.subscriptionId + 1)
  await runErasure(8)
  expect(await countRows(erased)).toEqual({})
})

test('a wrong name is a 400, and schedules nothing', async () => {
  const { client } = await createWorkspace()
  for (const confirm of ['test', '', 'Test ']) {
    const { status, body } = await client('DELETE', WORKSPACE, { json: { confirm } })
    expect([status, body.error?.code, body.error?.issues[0]?.path]).toEqual([400, 'validation_failed', '/confirm'])
  }
  expect((await client('POST', '/api/v2/teams', { json: { name: 'Team' } })).status).toBe(201)
})

test('a workspace that waits for its erasure is read-only until the erasure is canceled', async () => {
  const space = await createWorkspace()
  const { client, product, subscriptionId } = space
  const hook = {
    ...{ provider: 'generic', product: product.externalKey, action: 'upsert_work_item' },
    mapping: { externalId: '$.id', summary: '$.title' },
  }
  const incoming = (await client<{ url: string }>('POST', '/api/v2/incoming-webhooks', { json: hook })).body.data
  const deliver = () => call('POST', new URL(incoming.url).pathname, { json: { id: 1, title: 'Came in' } })
  await client('DELETE', WORKSPACE, { json: { confirm: 'Test' } })
  const laterKey = await space.key()

  const writes = [
    client('POST', '/api/v2/teams', { json: { name: 'Team' } }),
    client('POST', '/api/v2/teams', { json: { name: 'Team' }, apiKey: laterKey }),
    client('PUT', '/api/v2/settings', { json: { feedback: { moderation: true } } }),
    client('DELETE', `/api/initiatives/${product.externalKey}`),
    client('POST', `/api/initiatives/${product.externalKey}/assets`, { raw: fileForm('file', 'x', 'a.txt') }),
    client('POST', '/api/v2/idea-manager/members/import-users', {
      raw: fileForm('users', 'email\na@example.com\n', 'a.csv'),
    }),
    client('DELETE', WORKSPACE, { json: { confirm: 'Test' } }),
  ]
  for (const { status, body, cost } of await Promise.all(writes)) {
    expect([status, body.error?.code]).toEqual([409, 'erase_scheduled'])
    expect(body.message).toContain('/api/v2/workspace/restore')
    expect(cost.rowsWritten).toBe(0)
  }
  expect((await deliver()).body.error?.code).toBe('erase_scheduled')
  expect(await listObjectKeys(space)).toEqual([])
  expect((await client('GET', '/api/initiatives')).status).toBe(200)

  const restored = await client<Erasure>('POST', `${WORKSPACE}/restore`)
  expect([restored.status, restored.body.data]).toEqual([200, { eraseAt: null }])
  expect((await client('POST', '/api/v2/teams', { json: { name: 'Team' }, apiKey: laterKey })).status).toBe(201)
  expect((await deliver()).status).toBe(202)
  const { body } = await client<{ type: string; data: object }[]>('GET', '/api/v2/events?limit=100')
  expect(body.data.filter(({ type }) => type.startsWith('workspace.')).map(({ type, data }) => [type, data])).toEqual([
    ['workspace.erase_scheduled', { name: 'Test', eraseAt: expect.stringMatching(/^\d{4}-.*Z$/) }],
    ['workspace.erase_canceled', { name: 'Test', eraseAt: null }],
  ])
  const again = await client<Erasure>('POST', `${WORKSPACE}/restore`)
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])

  await client('DELETE', WORKSPACE, { json: { confirm: 'Test' } })
  await env.DB.prepare('UPDATE subscriptions SET erase_at = 1 WHERE id = ?').bind(subscriptionId).run()
  const late = await client('POST', `${WORKSPACE}/restore`)
  expect([late.status, late.body.error?.code]).toEqual([409, 'conflict'])
})
