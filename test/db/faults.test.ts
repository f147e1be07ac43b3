import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { BATCH_TIMEOUTS_MS, createDatabaseMeter } from '../../src/db/client/batch'
import { openDatabase } from '../../src/db/client/client'
import { createTeam, listTeams } from '../../src/workspace/teams/queries'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { holdNextTimer } from '../fake-clock'
import { BOOKMARK_PREFIX } from '../homes'
import { createUniqueId } from '../unique'

type Fault = (run: () => Promise<D1Result[]>) => Promise<D1Result[]>

/** A D1 database with a fault for each of the first batches. */
function createFaultyDatabase(faults: Fault[]): { DB: D1Database; tries: () => number } {
  let tries = 0
  const session = (inner: D1DatabaseSession): D1DatabaseSession => ({
    prepare: (text) => inner.prepare(text),
    getBookmark: () => inner.getBookmark(),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      // The update of a key's last use is a batch with a single statement after the response, and is not tested here.
      const fault = statements.length > 1 ? faults[tries++] : undefined
      const run = () => inner.batch<T>(statements)
      return (fault ? await fault(run as () => Promise<D1Result[]>) : await run()) as D1Result<T>[]
    },
  })
  const DB = new Proxy(env.DB, {
    get: (target, property) =>
      property === 'withSession'
        ? (constraint: string) => session(target.withSession(constraint))
        : Reflect.get(target, property),
  })
  return { DB, tries: () => tries }
}

const overloadedFault: Fault = async () => {
  throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
}
const lostBeforeBatch: Fault = async () => {
  throw new Error('D1_ERROR: Network connection lost.')
}
const lostAfterBatch: Fault = async (run) => {
  await run()
  throw new Error('D1_ERROR: Network connection lost.')
}
const brokenStatement: Fault = async () => {
  throw new Error('D1_ERROR: no such table: secrets_of_the_house: SQLITE_ERROR')
}
const tooBigValue: Fault = async () => {
  throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
}

test('an overloaded database is asked again, and the write is stored', async () => {
  const { client, product } = await createWorkspace()
  const { DB, tries } = createFaultyDatabase([overloadedFault, overloadedFault])
  const path = `/api/initiatives/${product.externalKey}/epics`
  const answer = await client('POST', path, { json: { summary: 'Patient' }, env: { DB } })
  expect([answer.status, tries()]).toEqual([200, 3])
  expect((await client<unknown[]>('GET', path)).body.data).toHaveLength(1)
})

test('a database that stays overloaded is a 503 with Retry-After', async () => {
  const { client } = await createWorkspace()
  const { DB, tries } = createFaultyDatabase([overloadedFault, overloadedFault, overloadedFault, overloadedFault])
  const answer = await client('GET', '/api/initiatives', { env: { DB } })
  expect([answer.status, answer.body.error?.code, tries()]).toEqual([503, 'temporarily_unavailable', 3])
  expect(answer.headers.get('retry-after')).toBe('2')
})

test('a read is repeated after an interruption, and a write is repeated only when it cannot run twice', async () => {
  const { client, product } = await createWorkspace()
  const path = `/api/initiatives/${product.externalKey}/epics`
  const read = createFaultyDatabase([lostBeforeBatch])
  expect([(await client('GET', path, { env: { DB: read.DB } })).status, read.tries()]).toEqual([200, 2])

  const write = createFaultyDatabase([lostAfterBatch])
  const answer = await client('POST', path, { json: { summary: 'Once' }, env: { DB: write.DB } })
  expect([answer.status, answer.body.error?.code, write.tries()]).toEqual([409, 'already_done', 2])
  expect(answer.body.message).toContain('(EP-1)')

  const keyed = createFaultyDatabase([lostAfterBatch])
  const safe = await client<{ externalKey: string }>('POST', path, {
    json: { summary: 'Twice asked' },
    env: { DB: keyed.DB },
    headers: { 'idempotency-key': 'k' },
  })
  expect([safe.status, safe.body.data.externalKey]).toEqual([200, 'EP-2'])
  const listed = await client<{ summary: string }[]>('GET', path)
  expect(listed.body.data.map(({ summary }) => summary)).toEqual(['Twice asked', 'Once'])
})

test('a write lost once is repeated, and a write lost twice is reported as uncertain', async () => {
  const { client, product } = await createWorkspace()
  const path = `/api/initiatives/${product.externalKey}/epics`
  const create = (faults: Fault[]) => {
    const { DB, tries } = createFaultyDatabase(faults)
    // A client may repeat its x-request-id, so an id in the log does not prove that this write is stored.
    const options = { json: { summary: 'Made' }, env: { DB }, headers: { 'x-request-id': 'always-the-same' } }
    return client<{ externalKey: string }>('POST', path, options).then((answer) => ({ ...answer, tries: tries() }))
  }
  const first = await create([lostBeforeBatch])
  expect([first.status, first.body.data.externalKey, first.tries]).toEqual([200, 'EP-1', 2])
  const second = await create([lostBeforeBatch, lostBeforeBatch])
  expect([second.status, second.tries]).toEqual([503, 2])
  expect(second.body.message).toContain('possibly stored')
  expect((await client<unknown[]>('GET', path)).body.data).toHaveLength(1)
  // A write without changes appends no event, so the service cannot find the write in the log and repeats it.
  const { DB } = createFaultyDatabase([lostAfterBatch])
  const same = await client('PUT', `${path}/EP-1`, { json: { summary: 'Made' }, env: { DB } })
  expect(same.status).toBe(200)
})

test.each([
  'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
  'D1_ERROR: D1 DB exceeded its memory limit and was reset.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: Isolate has exceeded CPU limit',
])('a query that reset the database is not repeated: %s', async (message) => {
  const { client } = await createWorkspace()
  const { DB, tries } = createFaultyDatabase([
    async () => {
      throw new Error(message)
    },
  ])
  const answer = await client('GET', '/api/initiatives', { env: { DB } })
  expect([answer.status, answer.body.error?.code, tries()]).toEqual([503, 'temporarily_unavailable', 1])
})

test.each([
  'D1_ERROR: Client disconnected',
  'Failed to parse body as JSON, got: <html>502 Bad Gateway</html>',
  'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
  'D1_ERROR: internal error; reference = 7d0s0vb8u1t4lq2r',
])('a read is repeated after the error %s', async (message) => {
  const { client } = await createWorkspace()
  const { DB, tries } = createFaultyDatabase([
    async () => {
      throw new Error(message)
    },
  ])
  const answer = await client('GET', '/api/initiatives', { env: { DB } })
  expect([answer.status, tries()]).toEqual([200, 2])
})

test.each([
  'D1_ERROR: Currently processing a long-running export.',
  'D1_ERROR: Currently processing a long-running import.',
  'D1_ERROR: Too many API requests by single worker invocation.',
  'Too many subrequests.',
])('a write that the database refuses is a 503 and stores nothing: %s', async (message) => {
  const { client } = await createWorkspace()
  const { DB, tries } = createFaultyDatabase([
    async () => {
      throw new Error(message)
    },
  ])
  const answer = await client('POST', '/api/initiatives', { json: { name: 'More' }, env: { DB } })
  expect([answer.status, answer.body.error?.code, tries()]).toEqual([503, 'temporarily_unavailable', 1])
  expect(answer.headers.get('retry-after')).toBe('30')
})

test('a full database is a 503 that says so', async () => {
  const { client } = await createWorkspace()
  const { DB } = createFaultyDatabase([
    async () => {
      throw new Error('D1_ERROR: Exceeded maximum DB size')
    },
  ])
  const answer = await client('POST', '/api/initiatives', { json: { name: 'More' }, env: { DB } })
  expect([answer.status, answer.body.error?.code, answer.headers.get('retry-after')]).toEqual([
    503,
    'storage_full',
    '3600',
  ])
})

const ALL: Parameters<typeof listTeams>[1] = { limit: 50, sort: ['-createdAt'] }

async function openWithFaults(faults: Fault[]) {
  const { subscriptionId, userId, row } = await createWorkspace()
  const jti = createUniqueId()
  const stamps = { created_at: 0, expires_at: readClock() + 60_000 }
  await row('api_keys', {
    ...stamps,
    subscription_id: subscriptionId,
    jti,
    user_id: userId,
    name: 'k',
    scopes: '["*"]',
  })
  const { DB, tries } = createFaultyDatabase(faults)
  const exchange = {
    requestId: createUniqueId(),
    ...createDatabaseMeter(),
    bookmark: null,
    home: 0,
    replayed: false,
    answeredByReplica: false,
  }
  const actor = { subscriptionId, userId, jti, scopes: ['*'], products: null }
  const now = readClock()
  const of = (d1: D1Database, more: object) => openDatabase({ d1, actor, now, exchange, ...more })
  return { db: of(DB, {}), patient: of(env.DB, {}), tries }
}

const slowBatch: Fault = async (run) => {
  const timeout = holdNextTimer()
  await run()
  timeout.elapse()
  return new Promise(() => {})
}

test('a slow read is repeated once, and a second timeout is a 503', async () => {
  const once = await openWithFaults([slowBatch])
  expect(await listTeams(once.db, ALL)).toMatchObject({ data: [] })
  expect(once.tries()).toBe(2)
  const twice = await openWithFaults([slowBatch, slowBatch])
  await expect(listTeams(twice.db, ALL)).rejects.toMatchObject({ status: 503 })
  expect(twice.tries()).toBe(2)
})

test('a slow write is not repeated', async () => {
  const { db, patient } = await openWithFaults([slowBatch])
  await expect(createTeam(db, { name: 'Late' })).rejects.toMatchObject({ code: 'already_done' })
  expect((await listTeams(patient, ALL)).data.map(({ name }) => name)).toEqual(['Late'])
})

test('a mailing gets a longer timeout than another write', async () => {
  const { client, product } = await createWorkspace()
  const { id } = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'All', color: '#000000' } }))
    .body.data
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const waits = async (path: string, json: object) => {
    timers.mockClear()
    expect((await client('POST', path, { json })).status).toBeLessThan(300)
    return timers.mock.calls.map(([, milliseconds]) => milliseconds)
  }
  expect(await waits(`/api/initiatives/${product.externalKey}/epics`, { summary: 'One' })).toContain(
    BATCH_TIMEOUTS_MS.write,
  )
  const mail = { subject: 'News', html: '<p>News</p>' }
  expect(await waits(`/api/v2/segments/${id}/email`, mail)).not.toContain(BATCH_TIMEOUTS_MS.write)
  timers.mockRestore()
})

test("the primary is asked before a replica's missing row becomes a 401 or a 404", async () => {
  const { client, key } = await createWorkspace()
  const { id } = (await client<{ id: number }>('POST', '/api/v2/teams', { json: { name: 'New' } })).body.data
  const asked: string[] = []
  interface ReadRow {
    '@found'?: number | null
  }
  /** A replica that does not have the record yet, or neither the record nor the key. */
  const behind = (missing: 'record' | 'key') =>
    new Proxy(env.DB, {
      get: (target, property) => {
        if (property !== 'withSession') return Reflect.get(target, property)
        return (constraint: string) => {
          const session = target.withSession(constraint)
          const batch = async (statements: D1PreparedStatement[]) => {
            const results = await session.batch<ReadRow>(statements)
            const hasRecord = ({ results: rows }: { results: ReadRow[] }) => rows.some((row) => '@found' in row)
            if (!results.some(hasRecord)) return results
            asked.push(constraint)
            if (constraint === 'first-primary') return results
            return results.map((result) => ({
              ...result,
              ...(hasRecord(result) && {
                results: missing === 'key' ? [] : result.results.map((row) => ({ ...row, '@found': null })),
              }),
              meta: { ...result.meta, served_by_primary: false },
            }))
          }
          return { prepare: (text: string) => session.prepare(text), getBookmark: () => session.getBookmark(), batch }
        }
      },
    })
  const path = `/api/v2/teams/${id}`
  const record = await client('GET', path, { env: { DB: behind('record') } })
  expect([record.status, record.headers.get('server-timing')]).toEqual([200, expect.stringContaining('desc="2"')])
  const fresh = await client('GET', path, { apiKey: await key(), env: { DB: behind('key') } })
  expect(fresh.status).toBe(200)
  const gone = await client('GET', `${path}0`, { env: { DB: behind('record') } })
  expect(gone.status).toBe(404)
  expect(asked).toEqual(Array(3).fill(['first-unconstrained', 'first-primary']).flat())
  // A request with a bookmark is not repeated on the primary, because the replica is as recent as the bookmark.
  const bookmark = `${BOOKMARK_PREFIX}00000001-00000000-00000000-00000000000000000000000000000000`
  const withBookmark = await client('GET', path, {
    headers: { 'x-d1-bookmark': bookmark },
    env: { DB: behind('record') },
  })
  expect(withBookmark.status).toBe(404)
})

test('the primary is asked before a replica refuses the record of a filter', async () => {
  const { client, product } = await createWorkspace()
  const path = `/api/initiatives/${product.externalKey}/epics`
  const { id } = (await client<{ id: number }>('POST', '/api/v2/teams', { json: { name: 'New' } })).body.data
  const asked: string[] = []
  interface ReferenceRow {
    reason?: string | null
  }
  /** A replica that does not have the record of the filter yet. */
  const DB = new Proxy(env.DB, {
    get: (target, property) => {
      if (property !== 'withSession') return Reflect.get(target, property)
      return (constraint: string) => {
        const session = target.withSession(constraint)
        const batch = async (statements: D1PreparedStatement[]) => {
          const answered = await session.batch<ReferenceRow>(statements)
          if (!answered.some(({ results }) => results[0] && 'reason' in results[0])) return answered
          asked.push(constraint)
          if (constraint === 'first-primary') return answered
          return answered.map((result) => ({
            ...result,
            results: result.results.map((row) =>
              'reason' in row ? { reason: 'unknown_reference:[["team","/query/teamId"]]' } : row,
            ),
            meta: { ...result.meta, served_by_primary: false },
          }))
        }
        return { prepare: (text: string) => session.prepare(text), getBookmark: () => session.getBookmark(), batch }
      }
    },
  })
  const statusOf = async (team: number) => (await client('GET', `${path}?teamId=${team}`, { env: { DB } })).status
  expect([await statusOf(id), await statusOf(id + 1_000_000)]).toEqual([200, 400])
  expect(asked).toEqual(Array(2).fill(['first-unconstrained', 'first-primary']).flat())
})

test('an internal error reveals no details', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { client } = await createWorkspace()
  const answer = await client('GET', '/api/initiatives', { env: { DB: createFaultyDatabase([brokenStatement]).DB } })
  log.mockRestore()
  expect([answer.status, answer.body.error?.code]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(answer.body)).not.toMatch(/secrets|SQL|D1/)
})

test('a record above the size limit of the database is a 413', async () => {
  const { client } = await createWorkspace()
  const json = { name: 'Quoted' }
  const answer = await client('POST', '/api/v2/persona', { json, env: { DB: createFaultyDatabase([tooBigValue]).DB } })
  expect([answer.status, answer.body.error?.code]).toEqual([413, 'payload_too_large'])
})

test('a bookmark of an earlier response is used, and an invalid bookmark is ignored', async () => {
  const { client } = await createWorkspace()
  const made = await client('POST', '/api/initiatives', { json: { name: 'Mine' } })
  const bookmark = made.headers.get('x-d1-bookmark') ?? ''
  expect(bookmark).toMatch(new RegExp(`^${BOOKMARK_PREFIX}[0-9a-f]{8}-`))
  for (const sent of [
    bookmark,
    `7:${bookmark}`,
    'nonsense',
    "'; DROP TABLE events; --",
    '00000000-00000000-00000000-zz',
  ]) {
    const answer = await client<unknown[]>('GET', '/api/initiatives', { headers: { 'x-d1-bookmark': sent } })
    expect([sent, answer.status, answer.body.data.length]).toEqual([sent, 200, 2])
  }
})

test('an Idempotency-Key belongs to its workspace and its route', async () => {
  const [one, two] = [await createWorkspace(), await createWorkspace()]
  const headers = { 'idempotency-key': 'shared' }
  const create = (here: typeof one, path: string) =>
    here.client<{ externalKey: string }>('POST', `/api/initiatives/${here.product.externalKey}/${path}`, {
      json: { summary: 'Same words' },
      headers,
    })
  expect((await create(one, 'epics')).body.data.externalKey).toBe('EP-1')
  expect((await create(one, 'features')).body.data.externalKey).toBe('FE-1')
  expect((await create(two, 'epics')).body.data.externalKey).toBe('EP-1')
  expect((await create(one, 'epics')).headers.get('idempotent-replayed')).toBe('true')
  const odd = await one.client('POST', `/api/initiatives/${one.product.externalKey}/epics`, {
    json: { summary: 'x' },
    headers: { 'idempotency-key': 'x'.repeat(256) },
  })
  expect([odd.status, odd.body.error?.issues[0]?.path]).toEqual([400, '/header/idempotency-key'])
})

test('an Idempotency-Key expires after a day', async () => {
  const { client, product, subscriptionId } = await createWorkspace()
  const create = () =>
    client<{ externalKey: string }>('POST', `/api/initiatives/${product.externalKey}/epics`, {
      json: { summary: 'Daily' },
      headers: { 'idempotency-key': 'daily' },
    })
  await create()
  await env.DB.prepare('UPDATE idempotency_keys SET created_at = created_at - 86400001 WHERE subscription_id = ?')
    .bind(subscriptionId)
    .run()
  expect((await create()).body.data.externalKey).toBe('EP-2')
  expect((await create()).body.data.externalKey).toBe('EP-2')
})
