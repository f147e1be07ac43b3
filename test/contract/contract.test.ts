import { env } from 'cloudflare:workers'
import { type Schema, Validator } from '@cfworker/json-schema'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { SCOPES } from '../../src/http/token'
import { operations } from '../../src/operations'
import { type Answer, type CallOptions, call, type Failure, send } from '../client'
import { type Workspace, workspace } from '../factories'
import { sampleUpload, type World, world } from '../world'

const table: readonly AnyOperation[] = operations
const named = table.map((op) => [op.id, op] as const)

interface Documented {
  description?: string
  parameters: { name: string; schema: Schema }[]
  'x-error-codes'?: string[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>
}

interface Document {
  paths: Record<string, Record<string, Documented>>
  components: { responses: Record<string, unknown>; schemas: Record<string, Schema> }
}

let document: Document
let here: Workspace
let records: World

beforeAll(async () => {
  document = JSON.parse(await (await send('GET', '/openapi.json')).response.text())
  here = await workspace()
  records = await world(here)
})

function pathOf(op: AnyOperation, values: World = records): string {
  return op.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`test/world.ts knows no ${name}: teach it one`)
    return String(value)
  })
}

/** The records, with an API key that no operation has ended yet. */
async function fresh(op: AnyOperation): Promise<World> {
  if (!op.path.includes('{apiKeyId}')) return records
  const json = { name: 'Another key', scopes: ['backlog:read'] }
  const { body } = await here.client<{ id: number }>('POST', '/api/v2/api-keys', { json })
  return { ...records, apiKeyId: body.data.id }
}

/** The first example of a body is a valid body. */
function exampleOf(schema: z.ZodType): unknown {
  const examples = schema.meta()?.examples as unknown[] | undefined
  if (!examples?.length) throw new Error('A body schema has no example in its meta')
  return examples[0]
}

/** What a valid call of the operation sends: its example, in this workspace and under a name not yet taken. */
function valid(op: AnyOperation, { product } = here): CallOptions {
  if (op.upload) return { raw: sampleUpload(op.upload.part) }
  if (!op.body) return {}
  const example = exampleOf(op.body)
  if (Array.isArray(example)) return { json: example }
  const own = { ...(example as Record<string, unknown>) }
  const chance = crypto.randomUUID().slice(0, 8).toUpperCase()
  if ('product' in own) own.product = product.externalKey
  if ('name' in own) own.name = `${own.name} ${chance}`
  if ('externalKey' in own) own.externalKey = `NEW-${chance}`
  return { json: own }
}

function expectFailure(answer: Answer, status: number, code: string) {
  expect([answer.status, answer.body.success, answer.body.error?.code]).toEqual([status, false, code])
  expect(answer.body.message).toMatch(/^[A-Z/].{10,}/)
  expectConforms(document.components.schemas.Failure as Schema, answer.body)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('x-request-id')).toBe(answer.body.error?.requestId)
  expect(answer.headers.get('server-timing')).toMatch(/^d1;dur=\d+;desc="\d+"$/)
}

/** Holds a value against a schema of the published document. */
function expectConforms(schema: Schema, value: unknown) {
  const resolved = { ...schema, components: document.components }
  const { valid, errors } = new Validator(resolved as Schema, '2020-12', false).validate(value)
  expect({ valid, errors: errors.map((error) => `${error.instanceLocation}: ${error.error}`) }).toEqual({
    valid: true,
    errors: [],
  })
}

async function forged(header: object, claims: object): Promise<string> {
  const part = (value: object) =>
    btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
  return `Bearer ${part(header)}.${part(claims)}.`
}

describe('a key that does not count is a 401, before anything is read', () => {
  const keys: [string, () => Promise<string | null>][] = [
    ['no key', async () => null],
    ['an empty key', async () => 'Bearer '],
    ['a key without Bearer', async () => (await here.key()).replace('Bearer ', '')],
    ['garbage', async () => 'Bearer a.b.c'],
    [
      'alg none',
      async () => {
        const now = Math.floor(Date.now() / 1000)
        const claims = {
          iss: 'groundwork',
          aud: 'groundwork-api',
          sub: '1',
          jti: 'x',
          iat: now,
          exp: now + 99,
          sid: 1,
          scp: ['*'],
        }
        return forged({ alg: 'none', kid: 'test-new' }, claims)
      },
    ],
    [
      'a wrong secret under a known name',
      () => here.key({}, { secrets: `test-new:${btoa('another secret, of thirty-two bytes')}` }),
    ],
    [
      'a secret nobody knows',
      () => here.key({}, { secrets: `stranger:${btoa('another secret, of thirty-two bytes')}` }),
    ],
    ['an expired key', () => here.key({ issuedAt: Date.now() - 9e6, expiresAt: Date.now() - 9e5 })],
    [
      'a key without exp',
      async () => {
        const secret = (env.SIGNING_SECRETS.split(',')[0] ?? '').split(':')[1] ?? ''
        const token = await new SignJWT({ sid: here.subscriptionId, scp: ['*'] })
          .setProtectedHeader({ alg: 'HS256', kid: 'test-new' })
          .setIssuer('groundwork')
          .setAudience('groundwork-api')
          .setSubject(String(here.userId))
          .setJti('without-exp')
          .setIssuedAt()
          .sign(Uint8Array.from(atob(secret), (c) => c.charCodeAt(0)))
        return `Bearer ${token}`
      },
    ],
  ]

  test.each(keys)('%s', async (_, makeKey) => {
    const apiKey = await makeKey()
    for (const op of table) {
      const answer = await call(op.method.toUpperCase(), pathOf(op), { ...valid(op), apiKey })
      expectFailure(answer, 401, 'unauthorized')
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
      expect(answer.cost.roundTrips).toBe(0)
    }
  })

  test('a key whose row is missing, or that was revoked, is refused by the request itself', async () => {
    const unknown = await here.key({}, { stored: false })
    const jti = crypto.randomUUID()
    const revoked = await here.key({ jti })
    await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE jti = ?')
      .bind(Date.now() - 1, jti)
      .run()
    for (const op of table) {
      for (const apiKey of [unknown, revoked]) {
        const answer = await call(op.method.toUpperCase(), pathOf(op), { ...valid(op), apiKey })
        expectFailure(answer, 401, 'unauthorized')
      }
    }
  })

  test('a key signed with the older of two live secrets works', async () => {
    const apiKey = await here.key({}, { secrets: env.SIGNING_SECRETS.split(',').reverse().join(',') })
    expect((await call('GET', '/api/initiatives', { apiKey })).status).toBe(200)
  })
})

describe('every operation', () => {
  test.each(named.filter(([, op]) => op.scope))('%s asks for its scope', async (_, op) => {
    const own = op.scope ?? '*'
    const others = SCOPES.filter((scope) => scope !== '*' && scope !== op.scope)
    const answer = await call(op.method.toUpperCase(), pathOf(op), {
      ...valid(op),
      apiKey: await here.key({ scopes: others }),
    })
    expectFailure(answer, 403, 'insufficient_scope')
    expect(answer.body.message).toContain(op.scope)
    const enough = await here.key({ scopes: [own] })
    const { response } = await send(op.method.toUpperCase(), pathOf(op), { ...valid(op), apiKey: enough })
    // A key with one scope may lack what the operation hands on (a new key's scopes), but not the operation's own.
    if (response.status === 403) expect(await response.text()).not.toContain(`lacks the scope ${op.scope}.`)
  })

  test.each(named.filter(([, op]) => op.path.includes('{')))('%s finds nothing of another workspace', async (_, op) => {
    const stranger = await workspace()
    const answer = await stranger.client(op.method.toUpperCase(), pathOf(op), valid(op))
    expect(answer.status).toBe(404)
    expectFailure(answer, 404, answer.body.error?.code ?? '')
    expect(answer.body.error?.code).toMatch(/_not_found$/)
    // Also where the product is one's own, and only what stands behind it is not.
    if (!/\{product_external_key\}.*\{/.test(op.path)) return
    const own = pathOf(op, { ...records, product_external_key: stranger.product.externalKey })
    const inside = await stranger.client(op.method.toUpperCase(), own, valid(op))
    expectFailure(inside, 404, inside.body.error?.code ?? '')
  })

  test.each(named.filter(([, op]) => op.path.includes('{')))(
    '%s documents the code of everything that it may not find',
    async (_, op) => {
      const told = new Set<string | undefined>()
      for (const [, name = ''] of op.path.matchAll(/\{(\w+)\}/g)) {
        const absent = String(records[name]).replace(/\d+$/, '99999999')
        const answer = await here.client(op.method.toUpperCase(), pathOf(op, { ...records, [name]: absent }), valid(op))
        expect([name, answer.status]).toEqual([name, 404])
        told.add(answer.body.error?.code)
      }
      const documented = document.paths[op.path]?.[op.method]
      expect(documented?.['x-error-codes']).toEqual([...told])
      for (const code of told) expect(documented?.responses[404]?.description).toContain(`\`${code}\``)
    },
  )

  test.each(named.filter(([, op]) => op.path.includes('{product_external_key}')))(
    '%s is closed to a key that is limited to another product',
    async (_, op) => {
      const other = await here.row('products', {
        subscription_id: here.subscriptionId,
        external_key: `OTH-${crypto.randomUUID().slice(0, 8).toUpperCase()}`,
        name: 'Other',
        created_at: 0,
        updated_at: 0,
      })
      const limited = await call(op.method.toUpperCase(), pathOf(op), {
        ...valid(op),
        apiKey: await here.key({ products: [other] }),
      })
      expectFailure(limited, 403, 'insufficient_scope')
      const covered = await here.key({ products: [here.product.id] })
      const { response } = await send(op.method.toUpperCase(), pathOf(op), { ...valid(op), apiKey: covered })
      expect(response.status).toBeLessThan(300)
    },
  )

  test.each(named.filter(([, op]) => op.workspaceWide))(
    '%s is closed to a key that is limited to products',
    async (_, op) => {
      const method = op.method.toUpperCase()
      const path = pathOf(op, await fresh(op))
      const apiKey = await here.key({ products: [here.product.id] })
      const limited = await call(method, path, { ...valid(op), apiKey })
      expectFailure(limited, 403, 'insufficient_scope')
      expect(limited.body.message).toContain('limited to products')
      expect(limited.cost.roundTrips).toBe(0)
      expect(document.paths[op.path]?.[op.method]?.description).toContain('limited to products')
      const { response } = await send(method, path, { ...valid(op), apiKey: await here.key() })
      expect(response.status).toBe(op.status ?? 200)
    },
  )

  // A key that is limited makes keys, limited likewise.
  const outside = named.filter(
    ([id, op]) => op.method !== 'get' && !op.path.includes('{product_') && id !== 'createApiKey',
  )
  test.each(outside)('%s writes nothing beyond the products that a key is limited to', async (_, op) => {
    const product = await here.row('products', {
      subscription_id: here.subscriptionId,
      external_key: `OUT-${crypto.randomUUID().slice(0, 8).toUpperCase()}`,
      name: 'Other',
      created_at: 0,
      updated_at: 0,
    })
    const apiKey = await here.key({ products: [product] })
    const before = await eventCount()
    const answer = await call(op.method.toUpperCase(), pathOf(op), { ...valid(op), apiKey })
    expect(['403 insufficient_scope', '400 unknown_reference']).toContain(`${answer.status} ${answer.body.error?.code}`)
    expect(await eventCount()).toBe(before)
  })

  test.each(named)('%s answers as its document says', async (_, op) => {
    const { response } = await send(op.method.toUpperCase(), pathOf(op, await fresh(op)), {
      ...valid(op),
      apiKey: await here.key(),
    })
    expect(response.status).toBe(op.status ?? 200)
    for (const header of ['x-request-id', 'x-d1-bookmark', 'server-timing', 'ratelimit-policy']) {
      expect([header, response.headers.get(header)]).not.toContain(null)
    }
    if (!op.data) {
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
      return
    }
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    const body = (await response.json()) as object
    expect(Object.keys(body).filter((key) => !['success', 'message', 'data'].includes(key))).toEqual([])
    const documented = document.paths[op.path]?.[op.method]?.responses[String(response.status)]
    expectConforms(documented?.content?.['application/json']?.schema as Schema, body)
  })

  test.each(named.filter(([, op]) => op.method === 'get' && !(op.data instanceof z.ZodArray)))(
    '%s names the version of the record, and sends it once',
    async (_, op) => {
      const apiKey = await here.key()
      const read = await send('GET', pathOf(op), { apiKey })
      const etag = read.response.headers.get('etag') ?? ''
      expect(etag).toMatch(/^".+"$/)
      await read.response.arrayBuffer()
      const again = await send('GET', pathOf(op), { apiKey, headers: { 'if-none-match': etag } })
      expect([again.response.status, again.response.headers.get('etag')]).toEqual([304, etag])
      expect(await again.response.text()).toBe('')
    },
  )

  test.each(named.filter(([, op]) => op.body))('%s names what is wrong with its body', async (_, op) => {
    const apiKey = await here.key()
    const attempt = (raw: BodyInit, type = 'application/json') =>
      call(op.method.toUpperCase(), pathOf(op), { apiKey, raw, headers: { 'content-type': type } })

    expectFailure(await attempt('{"a":'), 400, 'malformed_json')
    expectFailure(await attempt(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 400, 'malformed_json')
    expectFailure(await attempt(Uint8Array.of(0x22, 0xff, 0x22)), 400, 'malformed_json')
    expectFailure(await attempt('"text"'), 400, 'validation_failed')
    expectFailure(await attempt('{"__proto__":{"success":true},"a":[{"__proto__":1}]}'), 400, 'validation_failed')
    expectFailure(await attempt('{"summary":"a\\u0000b"}'), 400, 'validation_failed')
    expectFailure(await attempt('{"summary":"half \\ud800 pair"}'), 400, 'validation_failed')
    const valid = JSON.stringify(exampleOf(op.body as z.ZodType))
    expectFailure(await attempt(valid, 'text/plain'), 415, 'unsupported_media_type')
    expectFailure(await attempt(valid, 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type')
  })

  test.each(named.filter(([, op]) => op.upload))(
    '%s takes one file of multipart/form-data and nothing else',
    async (_, op) => {
      const apiKey = await here.key()
      const method = op.method.toUpperCase()
      expectFailure(await call(method, pathOf(op), { apiKey, json: {} }), 415, 'unsupported_media_type')
      const none = new FormData()
      none.set('other', 'text')
      expectFailure(await call(method, pathOf(op), { apiKey, raw: none }), 400, 'validation_failed')
      const two = sampleUpload(op.upload?.part ?? '')
      two.append(op.upload?.part ?? '', new File(['x'], 'x.txt'))
      expectFailure(await call(method, pathOf(op), { apiKey, raw: two }), 400, 'validation_failed')
      const broken = await call(method, pathOf(op), {
        apiKey,
        raw: '--x\r\nbroken',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      })
      expectFailure(broken, 400, 'validation_failed')
    },
  )

  test.each(named.filter(([, op]) => op.body || op.upload))('%s cuts off a body that is too large', async (_, op) => {
    const apiKey = await here.key()
    const limit = op.upload ? 26 : 10
    const type = op.upload ? 'multipart/form-data; boundary=x' : 'application/json'
    const method = op.method.toUpperCase()
    const announced = { 'content-type': type, 'content-length': String(limit * 1024 * 1024 + 1) }
    expectFailure(await call(method, pathOf(op), { apiKey, raw: '{}', headers: announced }), 413, 'payload_too_large')
    const chunk = new Uint8Array(1024 * 1024).fill(32)
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (++sent > limit + 5) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const answer = await call(method, pathOf(op), { apiKey, raw: endless, headers: { 'content-type': type } })
    expectFailure(answer, 413, 'payload_too_large')
    expect(sent).toBeLessThanOrEqual(limit + 3)
  })

  test.each(named.filter(([, op]) => op.method === 'post'))(
    '%s does its work once per Idempotency-Key',
    async (_, op) => {
      const apiKey = await here.key()
      const method = op.method.toUpperCase()
      const path = pathOf(op, await fresh(op))
      const eventsBefore = await eventCount()
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const sent = valid(op)
      const again = () => (op.upload ? valid(op) : sent)
      const attempts = await Promise.all([1, 2, 3].map(() => send(method, path, { ...again(), apiKey, headers })))
      const bodies = await Promise.all(attempts.map(({ response }) => response.text()))
      expect(new Set(attempts.map(({ response }) => response.status))).toEqual(new Set([op.status ?? 200]))
      expect(new Set(bodies).size).toBe(1)
      const replayed = attempts.filter(({ response }) => response.headers.get('idempotent-replayed') === 'true')
      expect(replayed.length).toBe(2)
      const events = (await eventCount()) - eventsBefore
      const { response } = await send(method, path, { ...again(), apiKey, headers })
      expect(await response.text()).toBe(bodies[0])
      expect((await eventCount()) - eventsBefore).toBe(events)

      // Another key of the workspace does not get what this one earned.
      const others = SCOPES.filter((scope) => scope !== '*')
      const stranger = await send(method, path, { ...again(), apiKey: await here.key({ scopes: others }), headers })
      expect(stranger.response.headers.get('idempotent-replayed')).toBeNull()

      const json = Array.isArray(sent.json) ? [...sent.json, ...sent.json] : { ...(sent.json as object), extra: 1 }
      const other = op.upload ? { raw: otherFile(op.upload.part) } : { json }
      const reused = await call(method, path, { ...other, apiKey, headers })
      expectFailure(reused, 422, 'idempotency_key_reused')
    },
  )
})

function otherFile(part: string): FormData {
  const body = new FormData()
  body.set(part, new File(['value\n1\n2\n3\n'], 'other.csv', { type: 'text/csv' }))
  return body
}

async function eventCount(): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS n FROM events WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .first<{ n: number }>()
  return row?.n ?? 0
}

describe('every path', () => {
  const paths = [...new Set(table.map((op) => op.path))]

  test.each(paths)('%s answers 405 with Allow to other methods', async (path) => {
    const rows = table.filter((op) => op.path === path)
    const first = rows[0] as AnyOperation
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      if (rows.some((op) => op.method.toUpperCase() === method)) continue
      const answer = await call(method, pathOf(first))
      expectFailure(answer, 405, 'method_not_allowed')
      for (const op of rows) expect(answer.headers.get('allow')).toContain(op.method.toUpperCase())
    }
  })
})

test.each(named)('%s refuses a parameter it does not know', async (_, op) => {
  const path = `${pathOf(op)}?nonsense=1`
  const answer = await call(op.method.toUpperCase(), path, { ...valid(op), apiKey: await here.key() })
  expectFailure(answer, 400, 'validation_failed')
  expect(answer.body.error?.issues.map(({ path }) => path)).toEqual(['/query/nonsense'])
})

test.each(named.filter(([, op]) => /\{\w+Id\}/.test(op.path)))('%s knows one spelling of an id', async (_, op) => {
  const [, name = ''] = /\{(\w+Id)\}/.exec(op.path) ?? []
  const id = Number(records[name])
  for (const spelling of [`0x${id.toString(16)}`, `0${id}`, `+${id}`, `${id}.0`, `${id}e0`, `%20${id}`, '-0']) {
    const path = pathOf(op, { ...records, [name]: spelling })
    const answer = await call(op.method.toUpperCase(), path, { ...valid(op), apiKey: await here.key() })
    expectFailure(answer, 400, 'validation_failed')
    expect(answer.body.error?.issues.map(({ path }) => path)).toEqual([`/path/${name}`])
  }
})

test.each(named.filter(([, op]) => op.path.includes('_external_key}')))(
  '%s documents how a key in its path is spelled, and finds nothing at another spelling',
  async (_, op) => {
    const documented = document.paths[op.path]?.[op.method]?.parameters ?? []
    for (const [, name = ''] of op.path.matchAll(/\{(\w+_external_key)\}/g)) {
      const { pattern = 'none' } = documented.find((parameter) => parameter.name === name)?.schema ?? {}
      const key = String(records[name])
      expect(key).toMatch(new RegExp(pattern, 'u'))
      for (const other of [key.toLowerCase(), key.replace('-', '_'), key.replace('-', '-0'), `${key}.0`, '-', '%20']) {
        // A product may have any code.
        if (name !== 'product_external_key') expect(other).not.toMatch(new RegExp(pattern, 'u'))
        const path = pathOf(op, { ...records, [name]: other })
        const answer = await here.client(op.method.toUpperCase(), path, valid(op))
        expectFailure(answer, 404, answer.body.error?.code ?? '')
      }
    }
  },
)

test('what is wrong in the path, the query and the body is told at once', async () => {
  const answer = await here.client('PUT', `${pathOf(operations[4])}?epicId=x`, { json: { summary: '', score: 'high' } })
  expectFailure(answer, 400, 'validation_failed')
  expect(answer.body.error?.issues.map(({ path }) => path)).toEqual(['/query/epicId', '/summary', '/score'])
})

test('a body of too many values, or of too many wrong ones, costs little and says enough', async () => {
  const path = pathOf(operations[3])
  const many = await here.client('POST', path, {
    raw: `[${'{},'.repeat(300_000)}{}]`,
    headers: { 'content-type': 'application/json' },
  })
  expectFailure(many, 413, 'payload_too_large')
  const wrong = { summary: 'x', tags: '[]', urls: Array.from({ length: 5_000 }, () => '\\u0000') }
  const raw = JSON.stringify(wrong).replaceAll('\\\\u', '\\u')
  const answer = await here.client('POST', path, { raw, headers: { 'content-type': 'application/json' } })
  expectFailure(answer, 400, 'validation_failed')
  expect(answer.body.error?.issues).toHaveLength(100)
})

test('what is at no path is a 404 in the envelope', async () => {
  const answer = await call('GET', '/api/v3/nothing')
  expectFailure(answer, 404, 'route_not_found')
})

test('a request id of the caller comes back when it is sane, and only then', async () => {
  const sane = await call('GET', '/health', { headers: { 'x-request-id': 'my-request.1' } })
  expect(sane.headers.get('x-request-id')).toBe('my-request.1')
  const odd = await call('GET', '/health', { headers: { 'x-request-id': '<script>' } })
  expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('every example of a body and every documented example fits its own schema', () => {
  const bodies = table.flatMap((op) => (op.body ? [[op.id, op.body] as const] : []))
  for (const [id, body] of bodies) {
    for (const example of (body.meta()?.examples ?? []) as unknown[]) {
      expect([id, body.safeParse(example).success]).toEqual([id, true])
    }
  }
  for (const [id] of bodies) {
    const op = table.find((row) => row.id === id) as AnyOperation
    const schema = document.paths[op.path]?.[op.method]?.requestBody?.content['application/json']?.schema as Schema
    const named = document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
    const { examples = [] } = named as { examples?: unknown[] }
    expect([id, examples.length > 0]).toEqual([id, true])
    for (const example of examples) expectConforms(schema, example)
  }
})

test('a failure never carries more than its envelope', async () => {
  const answer = await call<Failure>('GET', '/api/initiatives')
  expect(Object.keys(answer.body)).toEqual(['success', 'message', 'data', 'error'])
})

test('the round trips and rows of every operation are those of the snapshot', async () => {
  const budget: Record<string, unknown> = {}
  for (const op of table) {
    const fresh = await workspace()
    const own = await world(fresh)
    const apiKey = await fresh.key()
    const { cost, response } = await send(op.method.toUpperCase(), pathOf(op, own), { ...valid(op, fresh), apiKey })
    expect([op.id, response.status]).toEqual([op.id, op.status ?? 200])
    expect([op.id, cost.roundTrips]).toEqual([op.id, 1])
    budget[op.id] = cost
  }
  await expect(`${JSON.stringify(budget, null, 2)}\n`).toMatchFileSnapshot('./budget.snapshot.json')
}, 120_000)
