import { expect, test } from 'vitest'
import { runSmokeChecks } from '../../scripts/deploy/smoke-run'
import { type Fault, startFaultyProxy, textOf, withJson } from './faulty-proxy'
import { call, service } from './smoke-service'

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

test.each(FAULTS)('a fault of $breaks fails the check "$check" only', async (fault) => {
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
})

test('each check has a fault', async () => {
  const results = await runSmokeChecks({ url: service.url, key: service.token, isLocal: true, uploadBytes: 1 })
  const names = results.filter(({ name }) => name !== 'product').map(({ name }) => name)
  expect(new Set(FAULTS.map(({ check }) => check))).toEqual(new Set(names))
  expect(results.find(({ name }) => name === 'mail')).toMatchObject({ outcome: 'skipped' })
})
