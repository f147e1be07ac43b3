import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { GrantedScope } from '../../../src/http/token'
import { call } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'

interface Key {
  id: number
  name: string
  issuedBy: number | null
  rotatedBy: number | null
  expiresAt: string
  revokedAt: string | null
  token: string
}

const PATH = '/api/v2/api-keys'
const MINUTE = 60_000
const DAY = 86_400_000
const YEAR = 365 * DAY

const bearerOf = ({ token }: Key) => `Bearer ${token}`
const postKey = (apiKey: string, json: object = {}) =>
  call<Key>('POST', PATH, { apiKey, json: { name: 'k', scopes: ['*'], ...json } })
const createKey = async (apiKey: string, json: object = {}) => (await postKey(apiKey, json)).body.data
const rotate = (apiKey: string, { id }: Key, json: object = {}) =>
  call<Key>('POST', `${PATH}/${id}/rotate`, { apiKey, json })
const revoke = (apiKey: string, { id }: Key, query = '') => call<Key>('DELETE', `${PATH}/${id}${query}`, { apiKey })
const isWorking = async (key: Key) => (await call('GET', '/api/v2/me', { apiKey: bearerOf(key) })).status === 200
const areWorking = (keys: Key[]) => Promise.all(keys.map(isWorking))
const remainingMs = ({ expiresAt }: Key) => Date.parse(expiresAt) - readClock()
const expiryOf = (token: string) => JSON.parse(atob(token.split('.')[1] ?? '')).exp * 1000

async function createChain(first: string, length: number): Promise<Key[]> {
  const keys: Key[] = []
  for (let maker = first; keys.length < length; maker = bearerOf(keys.at(-1) as Key)) keys.push(await createKey(maker))
  return keys
}

const findKey = async ({ client }: Workspace, { id }: Key) =>
  (await client<Key[]>('GET', PATH)).body.data.find((key) => key.id === id)

const listRevocations = async ({ client }: Workspace) =>
  (await client<{ resourceKey: string }[]>('GET', '/api/v2/events?type=api_key.revoked')).body.data.map(
    ({ resourceKey }) => Number(resourceKey),
  )

test('a new key and a rotated key return their Location', async () => {
  const { client, key } = await createWorkspace()
  const first = await postKey(await key())
  const second = await rotate(await key(), first.body.data)
  for (const { headers, body } of [first, second]) {
    const { id } = body.data
    const location = headers.get('location')
    expect(location).toBe(`${PATH}/${id}`)
    expect((await client('GET', location ?? '')).body.data).toMatchObject({ id, name: 'k' })
  }
})

test('a key cannot create a key that outlives it, for any user', async () => {
  const { key, row, subscriptionId } = await createWorkspace()
  const end = readClock() + MINUTE
  const short = await key({ expiresAt: end })
  const person = {
    subscription_id: subscriptionId,
    email: 'p@example.com',
    role: 'member',
    created_at: 0,
    updated_at: 0,
  }
  const userId = await row('users', person)
  for (const beyond of [1, DAY, 10 * YEAR - 2 * MINUTE]) {
    for (const json of [{}, { userId }]) {
      const refused = await postKey(short, { ...json, expiresAt: new Date(end + beyond) })
      expect([refused.status, refused.body.error?.issues.map(({ path }) => path)]).toEqual([400, ['/expiresAt']])
      expect(refused.body.message).toContain(new Date(end).toISOString())
      expect(refused.body.message).toContain('Leave expiresAt out')
    }
  }
  const { results } = await env.DB.prepare('SELECT id FROM api_keys WHERE subscription_id = ?')
    .bind(subscriptionId)
    .all()
  expect(results).toHaveLength(2)

  for (const json of [{}, { expiresAt: new Date(end) }, { userId }]) {
    const child = await createKey(short, json)
    expect(child.expiresAt).toBe(new Date(end).toISOString())
    expect(expiryOf(child.token)).toBe(Math.floor(end / 1000) * 1000)
  }
  const sooner = new Date(end - 1000)
  expect((await createKey(short, { expiresAt: sooner })).expiresAt).toBe(sooner.toISOString())
})

test('a new key lasts a year without expiresAt', async () => {
  const { key } = await createWorkspace()
  const child = await createKey(await key({ expiresAt: readClock() + 9 * YEAR }))
  expect(Math.abs(remainingMs(child) - YEAR)).toBeLessThan(MINUTE)
  expect(
    remainingMs(
      await createKey(await key({ expiresAt: readClock() + 9 * YEAR }), {
        expiresAt: new Date(readClock() + 8 * YEAR),
      }),
    ),
  ).toBeGreaterThan(7.9 * YEAR)
})

test('a rotation never extends the lifetime of a key', async () => {
  const world = await createWorkspace()
  const maker = await createLongLivedKey(world)
  let self = await createKey(maker, { expiresAt: new Date(readClock() + MINUTE) })
  const end = self.expiresAt
  for (let n = 0; n < 3; n++) {
    const next = (await rotate(bearerOf(self), self)).body.data
    expect([next.expiresAt, next.issuedBy]).toEqual([end, self.issuedBy])
    self = next
  }
  const target = await createKey(maker, { expiresAt: new Date(readClock() + 8 * YEAR) })
  const short = await world.key({ expiresAt: readClock() + MINUTE })
  expect(remainingMs((await rotate(short, target)).body.data)).toBeLessThanOrEqual(MINUTE)
})

const createLongLivedKey = ({ key }: Workspace) => key({ expiresAt: readClock() + 9 * YEAR })

test('a rotated key creates no key that outlives its remaining time', async () => {
  const { key } = await createWorkspace()
  const old = await createKey(await key())
  const until = new Date(readClock() + MINUTE)
  expect((await rotate(bearerOf(old), old, { oldKeyExpiresAt: until })).status).toBe(201)
  expect((await createKey(bearerOf(old))).expiresAt).toBe(until.toISOString())
  expect((await postKey(bearerOf(old), { expiresAt: new Date(until.getTime() + 1) })).status).toBe(400)
})

test('the list and the log name the key that issued each key', async () => {
  const world = await createWorkspace()
  const [a, b] = (await createChain(await world.key(), 2)) as [Key, Key]
  expect(b.issuedBy).toBe(a.id)
  expect(await findKey(world, b)).toMatchObject({ issuedBy: a.id })
  const rooted = (await world.client<Key[]>('GET', PATH)).body.data.filter(({ name }) => name === 'test')
  expect(rooted.map(({ issuedBy }) => issuedBy)).toEqual([null, null])
  expect(rooted.map(({ id }) => id)).toContain(a.issuedBy)
  const [event] = (await world.client<{ data: Key }[]>('GET', `/api/v2/events?key=${b.id}`)).body.data
  expect(event?.data.issuedBy).toBe(a.id)
})

test('a revocation ends all issued keys in one round trip, with an event for each key', async () => {
  const world = await createWorkspace()
  const root = await world.key()
  const [a, b, c] = (await createChain(root, 3)) as [Key, Key, Key]
  const [sibling, cousin] = (await createChain(bearerOf(a), 2)) as [Key, Key]
  const [other] = (await createChain(root, 1)) as [Key]
  const revoked = await revoke(root, a)
  expect([revoked.status, revoked.cost.roundTrips, revoked.body.data.id]).toEqual([200, 1, a.id])
  expect(await areWorking([a, b, c, sibling, cousin, other])).toEqual([false, false, false, false, false, true])
  expect((await listRevocations(world)).sort()).toEqual([a, b, c, sibling, cousin].map(({ id }) => id).sort())
  const again = await revoke(root, a)
  expect([again.body.data, again.cost.rowsWritten]).toEqual([revoked.body.data, 0])
})

runtimeTest('a revocation reads only the keys of its descent', async () => {
  const world = await createWorkspace()
  const root = await world.key()
  const [a] = (await createChain(root, 3)) as [Key]
  const many = await world.key()
  for (let n = 0; n < 40; n++) await createKey(many)
  const { cost } = await revoke(root, a)
  expect(cost.rowsRead).toBeLessThan(95)
})

test('keepIssued spares the issued keys until a key above is revoked or the revocation is repeated', async () => {
  const world = await createWorkspace()
  const root = await world.key()
  const [a, b, c] = (await createChain(root, 3)) as [Key, Key, Key]
  expect((await revoke(root, b, '?keepIssued=true')).status).toBe(200)
  expect(await areWorking([a, b, c])).toEqual([true, false, true])
  expect(await listRevocations(world)).toEqual([b.id])
  expect((await findKey(world, c))?.issuedBy).toBe(b.id)
  expect((await revoke(root, a, '?keepIssued=false')).status).toBe(200)
  expect(await areWorking([a, c])).toEqual([false, false])

  const [d, e] = (await createChain(root, 2)) as [Key, Key]
  await revoke(root, d, '?keepIssued=true')
  await revoke(root, d)
  expect(await isWorking(e)).toBe(false)
  for (const query of ['?keepIssued=', '?keepIssued=1', '?keepissued=true']) {
    expect((await revoke(root, d, query)).status).toBe(400)
  }
})

test('a rotated key takes over the issuer and the issued keys of the old key', async () => {
  const world = await createWorkspace()
  const root = await world.key()
  const [a, b, c] = (await createChain(root, 3)) as [Key, Key, Key]
  const fresh = (await rotate(bearerOf(a), b)).body.data
  expect(fresh.issuedBy).toBe(a.id)
  expect((await findKey(world, c))?.issuedBy).toBe(fresh.id)
  expect((await findKey(world, b))?.issuedBy).toBe(a.id)

  // A key created during the rotated key's last day belongs to the rotated key. Revoking the rotated key spares the
  // successor and, with keepIssued, the keys that it created.
  const late = await createKey(bearerOf(b))
  await revoke(root, b, '?keepIssued=true')
  expect(await areWorking([b, late, fresh, c])).toEqual([false, true, true, true])
  await revoke(root, fresh)
  expect(await areWorking([a, fresh, c])).toEqual([true, false, false])

  const [d, e] = (await createChain(root, 2)) as [Key, Key]
  const successor = (await rotate(root, e)).body.data
  await revoke(root, d)
  expect(await areWorking([e, successor])).toEqual([false, false])
})

test('a revocation ends the successors that the key created itself, with their issued keys', async () => {
  const world = await createWorkspace()
  const root = await world.key()
  const [key, child] = (await createChain(root, 2)) as [Key, Key]
  const successor = (await rotate(bearerOf(key), key)).body.data
  const second = (await rotate(bearerOf(successor), successor)).body.data
  expect([key.rotatedBy, successor.rotatedBy, second.rotatedBy]).toEqual([null, key.id, successor.id])
  expect((await findKey(world, second))?.rotatedBy).toBe(successor.id)
  const late = await createKey(bearerOf(second))
  expect((await revoke(root, key)).status).toBe(200)
  expect(await areWorking([key, successor, second, child, late])).toEqual([false, false, false, false, false])
  expect((await listRevocations(world)).filter((id) => [second.id, child.id, late.id].includes(id))).toHaveLength(3)
})

test('a revocation ends the successors that the key made of other keys, unless keepIssued is set', async () => {
  const world = await createWorkspace()
  const root = await world.key()
  const [leaked, other] = [await createKey(root), await createKey(root)]
  const taken = (await rotate(bearerOf(leaked), other)).body.data
  const own = (await rotate(bearerOf(leaked), leaked)).body.data
  expect((await revoke(root, leaked, '?keepIssued=true')).status).toBe(200)
  expect(await areWorking([leaked, taken, own])).toEqual([false, true, true])
  expect((await revoke(root, leaked)).status).toBe(200)
  expect(await areWorking([taken, own])).toEqual([false, false])
})

test('the revocation of a leaked and rotated key ends its issued keys and spares the successor', async () => {
  const world = await createWorkspace()
  const [root, admin] = [await world.key(), await world.key()]
  const [leaked, child] = (await createChain(root, 2)) as [Key, Key]
  const own = (await rotate(bearerOf(leaked), leaked)).body.data
  const replacement = (await rotate(admin, own)).body.data
  expect((await revoke(admin, leaked)).status).toBe(200)
  expect(await areWorking([leaked, own, replacement, child])).toEqual([false, false, true, false])
})

test('an issued key ends with the key that issued it, after any number of rotations', async () => {
  const world = await createWorkspace()
  const [root, admin] = [await world.key(), await world.key()]
  const [leaked, child, grandchild] = (await createChain(root, 3)) as [Key, Key, Key]
  const second = (await rotate(admin, leaked)).body.data
  const mine = await createKey(bearerOf(second))
  const third = (await rotate(admin, second)).body.data
  expect(await Promise.all([child, mine].map(async (key) => (await findKey(world, key))?.issuedBy))).toEqual([
    third.id,
    third.id,
  ])
  expect((await revoke(admin, leaked, '?keepIssued=true')).status).toBe(200)
  expect(await areWorking([leaked, child, grandchild])).toEqual([false, true, true])
  expect((await revoke(admin, leaked)).status).toBe(200)
  expect(await areWorking([child, grandchild, second, mine, third])).toEqual([false, false, true, true, true])
  expect((await revoke(admin, second)).status).toBe(200)
  expect(await areWorking([second, mine, third])).toEqual([false, false, true])
})

test('a key cannot rotate its ancestors', async () => {
  const world = await createWorkspace()
  const root = await world.key()
  const [a, b, c] = (await createChain(root, 3)) as [Key, Key, Key]
  for (const ancestor of [a, b]) {
    const refused = await rotate(bearerOf(c), ancestor)
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  }
  expect((await rotate(bearerOf(b), c)).status).toBe(201)
  await revoke(root, a)
  expect(await areWorking([b, c])).toEqual([false, false])
})

test('a key without every scope cannot rotate a key that it did not issue', async () => {
  const { client, key } = await createWorkspace()
  const make = async (apiKey?: string) =>
    (
      await client<Key>('POST', PATH, {
        ...(apiKey && { apiKey }),
        json: { name: 'k', scopes: ['keys:write', 'backlog:read'] },
      })
    ).body.data
  const leaked = await make()
  const sibling = await make()
  const refused = await rotate(bearerOf(leaked), sibling)
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.message).toContain('did not create')
  const child = await make(bearerOf(leaked))
  const grandchild = await make(bearerOf(child))
  for (const own of [grandchild, child, leaked]) expect((await rotate(bearerOf(leaked), own)).status).toBe(201)
  expect((await rotate(await key(), sibling)).status).toBe(201)
})

test('a limited key cannot revoke a wider key or a key of another workspace', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const scopes: GrantedScope[] = ['keys:write', 'products:read']
  const narrow = await world.key({ scopes })
  const limited = await world.key({ products: [world.product.id] })
  const [wide, below] = (await createChain(await world.key(), 2)) as [Key, Key]
  for (const apiKey of [narrow, limited]) {
    for (const query of ['', '?keepIssued=true']) expect((await revoke(apiKey, wide, query)).status).toBe(403)
  }
  for (const query of ['', '?keepIssued=true']) {
    expect((await revoke(await stranger.key(), wide, query)).body.error?.code).toBe('api_key_not_found')
  }
  expect(await areWorking([wide, below])).toEqual([true, true])

  const mine = await createKey(narrow, { scopes })
  const its = await createKey(bearerOf(mine), { scopes: ['products:read'] })
  expect((await revoke(narrow, mine)).status).toBe(200)
  expect(await areWorking([mine, its])).toEqual([false, false])
})

test('a key of another workspace is never part of a descent', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const root = await world.key()
  const [a] = (await createChain(root, 1)) as [Key]
  const foreign = await createKey(await stranger.key())
  await env.DB.prepare('UPDATE api_keys SET issued_by = ? WHERE id = ?').bind(a.id, foreign.id).run()
  await revoke(root, a)
  expect(await isWorking(foreign)).toBe(true)
})

test('a key issued during a revocation does not work', async () => {
  const world = await createWorkspace()
  const root = await world.key()
  const [a, b] = (await createChain(root, 2)) as [Key, Key]
  const creations = Array.from({ length: 12 }, () => postKey(bearerOf(b)))
  const [revoked, ...answers] = await Promise.all([
    creations[0]?.then(() => revoke(root, a)),
    ...creations,
    rotate(bearerOf(b), b),
  ])
  expect(revoked?.status).toBe(200)
  const issued = answers.filter(({ status }) => status === 201)
  expect(issued.length).toBeGreaterThan(0)
  expect((await areWorking([a, b, ...issued.map(({ body }) => body.data)])).filter(Boolean)).toEqual([])
})

test("the removal of a user ends the user's keys and their issued keys, except keys spared before", async () => {
  const world = await createWorkspace()
  const stamps = { created_at: 0, updated_at: 0 }
  const person = { subscription_id: world.subscriptionId, email: 'p@example.com', role: 'admin', ...stamps }
  const userId = await world.row('users', person)
  const root = await world.key()
  const theirs = await createKey(root, { userId })
  const forOwner = await createKey(bearerOf(theirs), { userId: world.userId })
  const below = await createKey(bearerOf(forOwner))
  const [kept, spared] = [await createKey(root, { userId }), await createKey(root)]
  const keptIssued = await createKey(bearerOf(kept), { userId: world.userId })
  await revoke(root, kept, '?keepIssued=true')
  const removed = await world.client('DELETE', `/api/v2/users/${userId}`)
  expect([removed.status, removed.cost.roundTrips]).toEqual([200, 1])
  expect(await areWorking([theirs, forOwner, below, spared, keptIssued])).toEqual([false, false, false, true, true])
  expect((await listRevocations(world)).sort()).toEqual([kept, theirs, forOwner, below].map(({ id }) => id).sort())
})
