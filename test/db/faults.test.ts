import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { workspace } from '../factories'

type Fault = (run: () => Promise<D1Result[]>) => Promise<D1Result[]>

/** A D1 whose first batches go through the given faults. */
function faulty(faults: Fault[]): { DB: D1Database; tries: () => number } {
  let tries = 0
  const session = (inner: D1DatabaseSession): D1DatabaseSession => ({
    prepare: (text) => inner.prepare(text),
    getBookmark: () => inner.getBookmark(),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      // Noting a key's last use is a batch of one, after the answer: not what is tried here.
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

const overloaded: Fault = async () => {
  throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
}
const lostBefore: Fault = async () => {
  throw new Error('D1_ERROR: Network connection lost.')
}
const lostAfter: Fault = async (run) => {
  await run()
  throw new Error('D1_ERROR: Network connection lost.')
}
const broken: Fault = async () => {
  throw new Error('D1_ERROR: no such table: secrets_of_the_house: SQLITE_ERROR')
}
const tooBig: Fault = async () => {
  throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
}

test('an overloaded database is asked again, and a write is not lost by it', async () => {
  const { client, product } = await workspace()
  const { DB, tries } = faulty([overloaded, overloaded])
  const path = `/api/initiatives/${product.externalKey}/epics`
  const answer = await client('POST', path, { json: { summary: 'Patient' }, env: { DB } })
  expect([answer.status, tries()]).toEqual([200, 3])
  expect((await client<unknown[]>('GET', path)).body.data).toHaveLength(1)
})

test('a database that stays overloaded is a 503 that says when to come back', async () => {
  const { client } = await workspace()
  const { DB, tries } = faulty([overloaded, overloaded, overloaded, overloaded])
  const answer = await client('GET', '/api/initiatives', { env: { DB } })
  expect([answer.status, answer.body.error?.code, tries()]).toEqual([503, 'temporarily_unavailable', 3])
  expect(answer.headers.get('retry-after')).toBe('2')
})

test('a read is repeated after an interruption, a write only when it cannot happen twice', async () => {
  const { client, product } = await workspace()
  const path = `/api/initiatives/${product.externalKey}/epics`
  const read = faulty([lostBefore])
  expect([(await client('GET', path, { env: { DB: read.DB } })).status, read.tries()]).toEqual([200, 2])

  const write = faulty([lostAfter])
  const answer = await client('POST', path, { json: { summary: 'Once' }, env: { DB: write.DB } })
  expect([answer.status, write.tries()]).toEqual([503, 1])

  const keyed = faulty([lostAfter])
  const safe = await client<{ externalKey: string }>('POST', path, {
    json: { summary: 'Twice asked' },
    env: { DB: keyed.DB },
    headers: { 'idempotency-key': 'k' },
  })
  expect([safe.status, safe.body.data.externalKey]).toEqual([200, 'EP-2'])
  const listed = await client<{ summary: string }[]>('GET', path)
  expect(listed.body.data.map(({ summary }) => summary)).toEqual(['Twice asked', 'Once'])
})

test('an error of the inside says nothing of it', async () => {
  const { client } = await workspace()
  const answer = await client('GET', '/api/initiatives', { env: { DB: faulty([broken]).DB } })
  expect([answer.status, answer.body.error?.code]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(answer.body)).not.toMatch(/secrets|SQL|D1/)
})

test('a record that the database does not take for its size is a 413, as the log may hold more of it than was sent', async () => {
  const { client } = await workspace()
  const json = { name: 'Quoted' }
  const answer = await client('POST', '/api/v2/persona', { json, env: { DB: faulty([tooBig]).DB } })
  expect([answer.status, answer.body.error?.code]).toEqual([413, 'payload_too_large'])
})

test('a bookmark of an earlier answer is taken, and nonsense is ignored', async () => {
  const { client } = await workspace()
  const made = await client('POST', '/api/initiatives', { json: { name: 'Mine' } })
  const bookmark = made.headers.get('x-d1-bookmark') ?? ''
  expect(bookmark).toMatch(/^[0-9a-f]{8}-/)
  for (const sent of [bookmark, 'nonsense', "'; DROP TABLE events; --", '00000000-00000000-00000000-zz']) {
    const answer = await client<unknown[]>('GET', '/api/initiatives', { headers: { 'x-d1-bookmark': sent } })
    expect([sent, answer.status, answer.body.data.length]).toEqual([sent, 200, 2])
  }
})

test('an Idempotency-Key belongs to its workspace and its route', async () => {
  const [one, two] = [await workspace(), await workspace()]
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

test('an Idempotency-Key is forgotten after a day', async () => {
  const { client, product, subscriptionId } = await workspace()
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
