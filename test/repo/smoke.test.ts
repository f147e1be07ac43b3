import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSmokeChecks } from '../../scripts/deploy/smoke-run'
import { findFreePort, type StartedService, startService } from '../../scripts/service/service'
import { root } from '../../scripts/wrangler'
import { type Fault, startFaultyProxy, textOf, withJson } from './faulty-proxy'

const state = mkdtempSync(path.join(tmpdir(), 'groundwork-smoke-'))
const env = {
  ...process.env,
  GROUNDWORK_STATE: state,
  PATH: [path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
}
let service: StartedService

beforeAll(async () => {
  service = await startService({ port: await findFreePort(), env })
}, 180_000)
afterAll(async () => {
  await service?.stop()
  rmSync(state, { recursive: true, force: true })
})

async function call<Data>(route: string, { body, key = service.token }: { body?: object; key?: string } = {}) {
  const [method, to] = route.split(' ') as [string, string]
  const headers = { 'x-api-key': `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(service.url + to, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return ((await answer.json()) as { data: Data }).data
}

async function runSmokeCommand(...args: string[]) {
  const script = path.join(root, 'scripts/deploy/smoke.ts')
  const run = promisify(execFile)(process.execPath, [script, ...args], { env })
  return run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  )
}

const listLeftRecords = async () => {
  const lists = ['/api/initiatives', '/api/v2/segments', '/api/v2/teams', '/api/v2/incoming-webhooks']
  const found = await Promise.all(
    lists.map((list) => call<{ name?: string; product?: string }[]>(`GET ${list}?limit=100`)),
  )
  return found.flat().map(({ name, product }) => name ?? product)
}

test('the smoke run passes on npm start, and removes its records', async () => {
  const before = await listLeftRecords()
  const { code, stdout } = await runSmokeCommand('--url', service.url, '--key', service.token)
  expect(stdout).not.toMatch(/[✗–]/)
  expect(stdout.match(/^✓/gm)).toHaveLength(17)
  expect(stdout).toContain('The service works.')
  expect(code).toBe(0)
  expect(await listLeftRecords()).toEqual(before)
  const keys = await call<{ name: string; revokedAt: string | null }[]>('GET /api/v2/api-keys?limit=100')
  expect(keys.filter(({ name, revokedAt }) => name.startsWith('smoke') && !revokedAt)).toEqual([])
}, 120_000)

test('the smoke run ends with 1 and a remedy for a wrong key', async () => {
  const { code, stdout } = await runSmokeCommand('--url', service.url, '--key', 'wrong')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^✗ product: .* 401 unauthorized .*\n {4}Check the address and the key/)
})

const FAILURE = { success: false, message: 'The service failed.', data: {}, error: { code: 'internal_error' } }

const failWith = (status: number) => (answer: Parameters<Fault['change']>[0]) => ({
  ...withJson(answer, FAILURE),
  status,
})

const changeText = (from: string | RegExp, to: string) => (answer: Parameters<Fault['change']>[0]) => ({
  ...answer,
  body: Buffer.from(textOf(answer).replace(from, to)),
})

const dropHeader =
  (name: string): Fault['change'] =>
  ({ headers: { [name]: _dropped, ...headers }, ...answer }) => ({ ...answer, headers })

const isRoute =
  (pattern: RegExp): Fault['matches'] =>
  (route) =>
    pattern.test(route)

const REFUSAL_CODES: [check: string, code: string][] = [
  ['refuses a revoked key', 'unauthorized'],
  ['refuses a key of another product', 'insufficient_scope'],
  ['refuses an unknown product', 'product_not_found'],
  ['refuses an unknown record', 'tag_not_found'],
  ['refuses an unknown reference', 'unknown_reference'],
  ['refuses a stale version', 'precondition_failed'],
  ['refuses a taken name', 'conflict'],
  ['refuses a reused Idempotency-Key', 'idempotency_key_reused'],
]

const hasCode =
  (code: string): Fault['matches'] =>
  (_, answer) =>
    answer.status >= 400 && textOf(answer).includes(`"code":"${code}"`)

const FAULTS: Fault[] = [
  { check: 'health', breaks: 'the migrations', matches: isRoute(/ \/health$/), change: failWith(503) },
  ...REFUSAL_CODES.map(([check, code]) => ({
    check,
    breaks: `the text ${code}`,
    matches: hasCode(code),
    change: failWith(500),
  })),
  {
    check: 'refuses an unknown reference',
    breaks: 'the computed part of the text',
    matches: hasCode('unknown_reference'),
    change: changeText(/"message":"[^"]*"/, '"message":"Bad request"'),
  },
  {
    check: 'repeats a response',
    breaks: 'the kept response',
    matches: (_, { headers }) => headers['idempotent-replayed'] !== undefined,
    change: dropHeader('idempotent-replayed'),
  },
  {
    check: 'reads the rules of a segment',
    breaks: 'the text rules',
    matches: isRoute(/POST .*\/segments\/\d+\/email$/),
    change: failWith(500),
  },
  {
    check: 'If-Match with gzip',
    breaks: 'the ETag',
    matches: (route, { headers }) => /GET .*\/epics\//.test(route) && headers.etag !== undefined,
    change: (answer) => ({ ...answer, headers: { ...answer.headers, etag: 'W/"edge"' } }),
  },
  {
    check: 'If-Match with gzip',
    breaks: 'weak ETags',
    matches: (route, { status }) => /PUT .*\/epics\//.test(route) && status === 200,
    change: failWith(412),
  },
  {
    check: 'bookmark',
    breaks: 'the bookmark',
    matches: (_, { headers }) => headers['x-d1-bookmark'] !== undefined,
    change: dropHeader('x-d1-bookmark'),
  },
  {
    check: 'upload of 25 MiB',
    breaks: 'the end of the download',
    matches: isRoute(/\/assets\/\d+\/download$/),
    change: (answer) => ({ ...answer, body: answer.body.subarray(0, -1) }),
  },
  { check: 'upload of 25 MiB', breaks: 'the upload', matches: isRoute(/POST .*\/assets$/), change: failWith(413) },
  {
    check: 'queue',
    breaks: 'the queue',
    matches: isRoute(/GET .*\/receipts$/),
    change: changeText(/"status":"\w+"/, '"status":"queued"'),
  },
  {
    check: 'cron',
    breaks: 'the cron',
    matches: isRoute(/GET \/api\/v2\/emails\/\d+$/),
    change: changeText(/"status":"\w+"/, '"status":"scheduled"'),
  },
  {
    check: 'mail',
    breaks: 'the mail provider',
    matches: isRoute(/GET .*\/recipients\/0$/),
    change: changeText(/"status":"\w+"/, '"status":"failed"'),
  },
  {
    check: 'mail',
    breaks: 'the message',
    matches: isRoute(/GET .*\/recipients\/0$/),
    change: changeText(/"subject":"[^"]*"/, '"subject":"Another"'),
  },
]

test.each(FAULTS)(
  'a fault of $breaks fails the check "$check" only',
  async (fault) => {
    // A key of its own, because the runs together exceed the rate limit of a key.
    const body = { name: 'faults', scopes: ['*'] }
    const { token: key } = await call<{ token: string }>('POST /api/v2/api-keys', { body })
    const proxy = await startFaultyProxy(service.url, fault)
    try {
      const options = { url: proxy.url, key, isLocal: true, mailTo: 'smoke@example.com' }
      const results = await runSmokeChecks({ ...options, patienceMs: 20_000, uploadBytes: 100_000 })
      const failed = results.filter(({ outcome }) => outcome !== 'passed')
      expect(failed.map(({ name }) => name)).toEqual([fault.check])
      expect(failed[0]?.remedy).toMatch(/\w+ \w+ \w+/)
    } finally {
      await proxy.stop()
    }
  },
  90_000,
)

test('each check has a fault', async () => {
  const results = await runSmokeChecks({ url: service.url, key: service.token, isLocal: true, uploadBytes: 1 })
  const names = results.filter(({ name }) => name !== 'product').map(({ name }) => name)
  expect(new Set(FAULTS.map(({ check }) => check))).toEqual(new Set(names))
  expect(results.find(({ name }) => name === 'mail')).toMatchObject({ outcome: 'skipped' })
}, 60_000)
