import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { checkDeployment, type DeployConfig } from '../../scripts/deploy/check'
import type { CloudflareApi } from '../../scripts/deploy/cloudflare-api'
import { formatCheckResult } from '../../scripts/deploy/format'
import { root } from '../../scripts/wrangler'

let providerStatus = 200
let providerText = '{}'
const provider = createServer((_, response) => response.writeHead(providerStatus).end(providerText))
// The account of the developer is none of the tested accounts.
vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', undefined)
beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
})
afterAll(() => void provider.close())

const config = readConfig({ config: path.join(root, 'wrangler.toml'), env: 'production' }) as DeployConfig

const ANSWERS: Record<string, unknown> = {
  '/accounts': [{ id: 'a', name: 'Acme' }],
  '/accounts/a': { id: 'a' },
  '/accounts/a/subscriptions': [{ rate_plan: { id: 'workers_paid' } }],
  '/accounts/a/d1/database?name=groundwork-production': [{ name: 'groundwork-production', uuid: 'u' }],
  '/accounts/a/d1/database/u': { running_in_region: 'WEUR' },
  '/accounts/a/r2/buckets/groundwork-production-files': { name: 'groundwork-production-files' },
  ...Object.fromEntries(
    ['outside', 'mail', 'dead-letters'].map((queue) => [
      `/accounts/a/queues?name=groundwork-production-${queue}`,
      [{ queue_name: `groundwork-production-${queue}` }],
    ]),
  ),
  '/accounts/a/workers/scripts/groundwork-production/secrets': [
    { name: 'SIGNING_SECRETS' },
    { name: 'MAIL_API_KEY' },
    { name: 'MAIL_EVENTS_SECRETS' },
  ],
}

interface Fault {
  paths?: Record<string, { status: number; result?: unknown }>
  vars?: Record<string, string>
  known?: Record<string, string>
  fileSecrets?: Record<string, string>
  routes?: string[]
}

async function check({
  paths = {},
  vars = {},
  known = { MAIL_API_KEY: 'key' },
  fileSecrets,
  routes = ['api.example.com'],
}: Fault = {}) {
  const api: CloudflareApi = {
    get: async (path) => {
      const { status, result = null } = paths[path] ?? {
        status: path in ANSWERS ? 200 : 404,
        result: ANSWERS[path],
      }
      return { status, result }
    },
    query: () => Promise.reject(new Error('not used')),
  }
  const set = {
    MAIL_FROM: 'a@example.com',
    PUBLIC_URL: 'https://groundwork.example.com',
    MAIL_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
  }
  const checked = { ...config, routes, vars: { ...config.vars, ...set, ...vars } }
  return checkDeployment({ api, env: 'production', config: checked, known, fileSecrets })
}

const failedLines = (results: Awaited<ReturnType<typeof check>>) =>
  results.filter(({ outcome }) => outcome === 'failed').map(formatCheckResult)

test('the check has one line per requirement, and names the location of the database', async () => {
  const lines = (await check()).map(formatCheckResult)
  expect(lines).toEqual([
    '✓ account',
    '✓ plan',
    '✓ database groundwork-production',
    '✓ location of the database: WEUR. The location can never be changed.',
    '✓ bucket groundwork-production-files',
    '✓ queue groundwork-production-outside',
    '✓ queue groundwork-production-mail',
    '✓ queue groundwork-production-dead-letters',
    '✓ secret SIGNING_SECRETS',
    '✓ secret MAIL_API_KEY',
    '✓ secret MAIL_EVENTS_SECRETS',
    '✓ homes',
    '✓ address',
    '✓ provider key',
    '✓ pace of mail',
  ])
})

test('a bucket of a jurisdiction is looked up and created in the jurisdiction', async () => {
  const asked: unknown[] = []
  const get: CloudflareApi['get'] = async (path, headers) => {
    if (path.includes('/r2/')) asked.push([path, headers])
    return { status: path in ANSWERS ? 200 : 404, result: ANSWERS[path] ?? null }
  }
  const buckets = [...config.r2_buckets, { binding: 'FILES_EU', bucket_name: 'eu-files', jurisdiction: 'eu' }]
  const results = await checkDeployment({
    api: { get, query: () => Promise.reject(new Error('not used')) },
    ...{ env: 'production', config: { ...config, r2_buckets: buckets }, known: {} },
  })
  expect(asked).toEqual([
    ['/accounts/a/r2/buckets/groundwork-production-files', undefined],
    ['/accounts/a/r2/buckets/eu-files', { 'cf-r2-jurisdiction': 'eu' }],
  ])
  expect(results.find(({ name }) => name === 'bucket eu-files')?.remedy).toBe(
    'npx wrangler r2 bucket create eu-files --jurisdiction eu',
  )
})

const SECRETS_PATH = '/accounts/a/workers/scripts/groundwork-production/secrets'

test.each<[string, Fault, string[]]>([
  ['no account', { paths: { '/accounts': { status: 403 } } }, ['account: the credentials reach no account']],
  [
    'two accounts',
    { paths: { '/accounts': { status: 200, result: [{ id: 'a' }, { id: 'b' }] } } },
    ['account: the credentials reach several accounts'],
  ],
  ['the free plan', { paths: { '/accounts/a/subscriptions': { status: 200, result: [] } } }, ['plan: the account has']],
  [
    'no database',
    { paths: { '/accounts/a/d1/database?name=groundwork-production': { status: 200, result: [] } } },
    ['database groundwork-production: does not exist', 'location of the database: does not exist'],
  ],
  ['no region', { paths: { '/accounts/a/d1/database/u': { status: 200, result: {} } } }, ['location of the database']],
  [
    'no bucket',
    { paths: { '/accounts/a/r2/buckets/groundwork-production-files': { status: 404 } } },
    ['bucket groundwork-production-files: does not exist'],
  ],
  [
    'no queue',
    { paths: { '/accounts/a/queues?name=groundwork-production-mail': { status: 200, result: [] } } },
    ['queue groundwork-production-mail: does not exist'],
  ],
  [
    'a missing secret',
    { paths: { [SECRETS_PATH]: { status: 200, result: [{ name: 'SIGNING_SECRETS' }, { name: 'MAIL_API_KEY' }] } } },
    ['secret MAIL_EVENTS_SECRETS: is not set'],
  ],
  ['a home without a database', { vars: { HOMES: '0:default:DB:FILES 1:eu:DB_EU' } }, ['homes: wrangler.toml has no']],
  ['a misspelled home', { vars: { HOMES: 'eu=DB_EU' } }, ['homes: HOMES: "eu=DB_EU" is not like 1:eu:DB_EU:FILES_EU']],
  ['no address', { routes: [] }, ['address: no route leads to the Worker']],
  ['no sender', { vars: { MAIL_FROM: '' } }, ['setting MAIL_FROM: is empty or wrong']],
  ['no public address', { vars: { PUBLIC_URL: '' } }, ['setting PUBLIC_URL: is empty or wrong']],
])('the check fails with %s', async (_, fault, expected) => {
  const failed = failedLines(await check(fault))
  expect(failed).toHaveLength(expected.length)
  for (const [n, line] of failed.entries()) {
    expect(line).toContain(`✗ ${expected[n]}`)
    expect(line).toMatch(/\n {4}\w+ .*\S/)
  }
})

test('the key of the mail provider is checked by the provider, and a key that may only send suffices', async () => {
  providerStatus = 401
  providerText = '{"name":"validation_error"}'
  expect(failedLines(await check())).toEqual([expect.stringContaining('✗ provider key: resend answered 401')])
  providerText = '{"name":"restricted_api_key"}'
  expect(failedLines(await check())).toEqual([])
})

test('the secrets file of a first deployment must have each secret', async () => {
  const paths = { [SECRETS_PATH]: { status: 404 } }
  const fileSecrets = { SIGNING_SECRETS: 'a', MAIL_API_KEY: 'b' }
  expect(failedLines(await check({ paths, fileSecrets }))).toEqual([
    expect.stringContaining('✗ secret MAIL_EVENTS_SECRETS: has no value in the secrets file'),
  ])
  expect(failedLines(await check({ paths, fileSecrets: { ...fileSecrets, MAIL_EVENTS_SECRETS: 'c' } }))).toEqual([])
})

test('checks that need more rights, or a first deployment, are skipped with a reason', async () => {
  const paths = { '/accounts/a/subscriptions': { status: 403 }, [SECRETS_PATH]: { status: 404 } }
  const results = await check({ paths, known: {} })
  const skipped = results.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name)
  expect(skipped).toEqual([
    'plan',
    'secret SIGNING_SECRETS',
    'secret MAIL_API_KEY',
    'secret MAIL_EVENTS_SECRETS',
    'provider key',
  ])
  expect(failedLines(results)).toEqual([])
})
