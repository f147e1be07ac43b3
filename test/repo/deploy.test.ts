import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { findPortalOrigin, writePortalOrigin } from '../../scripts/deploy/portal-origin'
import { findConcurrencyWarning, findMissingSettings } from '../../scripts/deploy/production'
import { operations } from '../../src/operations'
import { CHUNK_LEASE_MS } from '../../src/people/mail/delivery/queries/chunk'

const root = path.resolve(import.meta.dirname, '../..')
// A base for the libraries (138 kB), the shared code, the formats of imports, exports and the restore, and the protocol of
// assistants (62 kB), the portal and its pages with texts in two languages, files with ideas and own domains (59 kB), the
// sign-in by a provider with the verification of its tokens (9 kB), the end users with their tokens (4 kB), several homes
// and the move of a workspace between two (16 kB), the words of columns about mail (4 kB), the
// privacy of threads and the proofs of changed addresses (3 kB), conversions that arrive late (1 kB),
// names, addresses and words of every script (5 kB), bodies that hold what the record shows (2 kB), suppressions that come
// from files (6 kB), plus a share for each operation.
const MAX_GZIP_BYTES = 479_000 + 880 * operations.length
// Limit of the platform for a run of a queue consumer, in milliseconds.
const MAX_RUN_MS = 15 * 60_000

interface Config {
  name: string
  vars: Record<string, string>
  d1_databases: { binding: string; database_name: string; migrations_dir: string }[]
  r2_buckets: { binding: string; bucket_name: string }[]
  analytics_engine_datasets: { binding: string; dataset?: string }[]
  version_metadata?: { binding: string }
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[]
  queues: {
    producers: { binding: string; queue: string }[]
    consumers: { queue: string; dead_letter_queue?: string; max_batch_size: number; max_concurrency?: number }[]
  }
  triggers: { crons: string[] }
  workers_dev?: boolean
  preview_urls?: boolean
  limits?: { cpu_ms?: number }
  observability: {
    logs?: { enabled?: boolean; invocation_logs?: boolean; head_sampling_rate?: number }
    traces?: { enabled?: boolean }
  }
  secrets?: { required: string[] }
}

function config(env?: string): Config {
  return readConfig({ config: path.join(root, 'wrangler.toml'), ...(env && { env }) })
}

function bindings({ name, vars, d1_databases, r2_buckets, queues, ratelimits, triggers, limits, ...rest }: Config) {
  const environment = name.replace('groundwork', '')
  return {
    vars: Object.keys(vars),
    databases: d1_databases.map(({ binding }) => binding),
    buckets: r2_buckets.map(({ binding }) => binding),
    datasets: rest.analytics_engine_datasets.map(({ binding }) => binding),
    version: rest.version_metadata,
    producers: queues.producers.map(({ binding }) => binding),
    rateLimits: ratelimits.map(({ name, simple }) => [name, simple]),
    consumers: queues.consumers.map(({ queue, dead_letter_queue, ...rest }) => ({
      ...rest,
      queue: queue.replace(environment, ''),
      deadLetters: dead_letter_queue?.replace(environment, ''),
    })),
    crons: triggers.crons,
    limits,
  }
}

const DEPLOYED = ['production', 'staging']

test.each(DEPLOYED)('%s has the bindings of the local service under its own names', (env) => {
  const deployed = config(env)
  expect(bindings(deployed)).toEqual(bindings(config()))
  expect(deployed.name).toBe(`groundwork-${env}`)
  expect(deployed.d1_databases[0]?.database_name).toBe(`groundwork-${env}`)
  expect(deployed.secrets?.required).toEqual(['SIGNING_SECRETS', 'MAIL_API_KEY', 'MAIL_EVENTS_SECRETS'])
  expect(deployed.vars).toEqual(config('production').vars)
})

test('production is reached under its own domain only, with bounded processor time and a tenth of the logs', () => {
  const { workers_dev, preview_urls, limits, observability } = config('production')
  expect([workers_dev, preview_urls, limits]).toEqual([false, false, { cpu_ms: 30_000 }])
  expect(observability.logs).toMatchObject({ enabled: true, invocation_logs: false, head_sampling_rate: 0.1 })
})

test('no environment records URLs, and none shares a rate limit with another', () => {
  const all = [undefined, ...DEPLOYED].map(config)
  for (const { observability } of all) {
    expect([observability.logs?.invocation_logs, observability.traces?.enabled]).toEqual([false, false])
  }
  const ids = all.flatMap(({ ratelimits }) => ratelimits.map(({ namespace_id }) => namespace_id))
  expect(new Set(ids).size).toBe(12)
})

test.each([undefined, ...DEPLOYED])('each policy text states its rate limit (%s)', (env) => {
  const { vars, ratelimits } = config(env)
  const said = ratelimits.map(({ name }) => vars[`${name.replace('KEY_', '')}_LIMIT_POLICY`])
  expect(said).toEqual(
    ratelimits.map(({ name, simple }) => `"${name.split('_')[0]?.toLowerCase()}";q=${simple.limit};w=${simple.period}`),
  )
  expect(new Set(ratelimits.map(({ namespace_id }) => namespace_id)).size).toBe(4)
})

test('the page about deploying creates each resource of production, with a location for the database', () => {
  const page = readFileSync(path.join(root, 'docs/deploying.md'), 'utf8')
  const created = Array.from(page.matchAll(/npx wrangler (d1|r2 bucket|queues) create (\S+)(.*)/g))
  const { d1_databases, r2_buckets, queues } = config('production')
  expect(created.map(([, , name]) => name)).toEqual([
    ...d1_databases.map(({ database_name }) => database_name),
    ...r2_buckets.map(({ bucket_name }) => bucket_name),
    ...queues.consumers.map(({ queue }) => queue),
  ])
  expect(created[0]?.[3]).toMatch(/^ --location \w+$/)
})

test('each queue has a consumer, and the dead letter queue has a consumer too', () => {
  const { queues } = config('production')
  const consumed = queues.consumers.map(({ queue }) => queue)
  expect(queues.producers.every(({ queue }) => consumed.includes(queue))).toBe(true)
  const dead = queues.consumers.flatMap(({ dead_letter_queue }) => dead_letter_queue ?? [])
  expect(new Set(dead)).toEqual(new Set(['groundwork-production-dead-letters']))
  expect(consumed).toContain(dead[0])
})

test.each([undefined, ...DEPLOYED])(
  'a batch of the slowest chunks ends within the time of its invocation (%s)',
  (env) => {
    const sending = config(env).queues.consumers.filter(({ dead_letter_queue }) => dead_letter_queue)
    expect(sending).toHaveLength(2)
    for (const { max_batch_size } of sending) {
      expect(max_batch_size * CHUNK_LEASE_MS).toBeGreaterThan(0)
      expect(max_batch_size * CHUNK_LEASE_MS).toBeLessThanOrEqual(0.75 * MAX_RUN_MS)
    }
  },
)

test.each([undefined, 'staging', 'production'])('every queue consumer of %s limits its parallel invocations', (env) => {
  const { consumers } = config(env).queues
  expect(
    consumers.map(({ queue, max_concurrency }) => [queue.replace(/.*-(?=mail|outside|dead)/, ''), max_concurrency]),
  ).toEqual([
    ['outside', 20],
    ['mail', 2],
    ['dead-letters', 1],
  ])
})

test('mail is sent no faster than the provider accepts, and a deploy warns otherwise', () => {
  const { vars, queues } = config('production')
  expect(vars.MAIL_PROVIDER).toBe('resend')
  expect(findConcurrencyWarning('resend', queues.consumers)).toBeUndefined()
  const held = (max_concurrency?: number) => [{ queue: 'a-mail', ...(max_concurrency && { max_concurrency }) }]
  expect(findConcurrencyWarning('resend', held(3))).toContain('Up to 3 calls at once go to resend, which accepts 2 ')
  expect(findConcurrencyWarning('postmark', held(3))).toBeUndefined()
  expect(findConcurrencyWarning('outbox', held())).toContain('Up to 250 calls')
  expect(findConcurrencyWarning('resend', [])).toContain('Up to 250 calls')
})

test.each(DEPLOYED)('the Worker can be deployed to %s and stays below its size limit', (env) => {
  const out = mkdtempSync(path.join(tmpdir(), 'groundwork-'))
  try {
    const wrangler = path.join(root, 'node_modules/wrangler/bin/wrangler.js')
    execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--env', env, '--outdir', out], {
      cwd: root,
      stdio: 'pipe',
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
    })
    const modules = globSync('**/*.{js,mjs,wasm}', { cwd: out }).map((file) => readFileSync(path.join(out, file)))
    const size = modules.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0)
    expect(size).toBeGreaterThan(50_000)
    expect(size).toBeLessThan(MAX_GZIP_BYTES)
  } finally {
    rmSync(out, { recursive: true })
  }
})

test.each([
  [{}, undefined],
  [{ MAIL_FROM: '' }, 'MAIL_FROM'],
  [{ MAIL_FROM: '', MAIL_PROVIDER: 'outbox' }, undefined],
  [{ PUBLIC_URL: '' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: undefined }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'http://groundwork.example.com' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'https://groundwork.example.com/' }, 'PUBLIC_URL'],
  [{ PORTAL_ORIGIN: '' }, undefined],
  [{ PORTAL_ORIGIN: 'https://portals.example.net' }, undefined],
  [{ PORTAL_ORIGIN: 'https://portals.example.net/' }, 'PORTAL_ORIGIN'],
  [{ PORTAL_ORIGIN: 'http://portals.example.net' }, 'PORTAL_ORIGIN'],
  [{ PORTAL_ORIGIN: 'https://groundwork.example.com' }, 'PORTAL_ORIGIN'],
  [{ MAILINGS_PER_HOUR: 'many' }, 'MAILINGS_PER_HOUR'],
  [{ WORKSPACE_MAILINGS_PER_HOUR: undefined }, 'WORKSPACE_MAILINGS_PER_HOUR'],
  [{ NOTICE_DELAY_MINUTES: 'an hour' }, 'NOTICE_DELAY_MINUTES'],
  [{ IDEA_URL: 'https://ideas.example.com/{key}' }, undefined],
  [{ IDEA_URL: 'https://ideas.example.com/' }, 'IDEA_URL'],
  [{ WORKSPACE_ROWS_PER_DAY: '' }, 'WORKSPACE_ROWS_PER_DAY'],
  [{ DATABASE_BYTES: '10 GB' }, 'DATABASE_BYTES'],
  [{ EVENTS_KEPT_DAYS: 'a year' }, 'EVENTS_KEPT_DAYS'],
])('a deploy with %j is refused for %s', (vars, name) => {
  const complete = {
    MAIL_PROVIDER: 'resend',
    MAIL_FROM: 'a@example.com',
    PUBLIC_URL: 'https://groundwork.example.com',
    MAILINGS_PER_HOUR: '20',
    WORKSPACE_MAILINGS_PER_HOUR: '200',
    NOTICE_DELAY_MINUTES: '60',
    WORKSPACE_ROWS_PER_DAY: '0',
    WORKSPACE_BYTES: '0',
    DATABASE_BYTES: '10000000000',
    EVENTS_KEPT_DAYS: '365',
    RECIPIENTS_KEPT_DAYS: '365',
    DELIVERIES_KEPT_DAYS: '30',
  }
  const missing = findMissingSettings({ ...complete, ...vars }, 'staging')
  expect(missing.map((setting) => setting.name)).toEqual(name ? [name] : [])
  for (const { remedy } of missing)
    expect(remedy).toContain(`Set ${name} under [env.staging.vars] in wrangler.toml to `)
})

const customDomain = (pattern: string) => ({ pattern, custom_domain: true })

test.each([
  [['api.example.com'], '', undefined],
  [['api.example.com', 'ideas.example.com'], '', 'https://ideas.example.com'],
  [['ideas.example.net', 'api.example.com'], '', 'https://ideas.example.net'],
  [['api.example.com', 'ideas.example.com'], 'https://other.example.com', undefined],
  [['api.example.com', 'ideas.example.com', 'more.example.com'], '', undefined],
  [['ideas.example.com'], '', undefined],
  [['api.example.com', '*.example.com'], '', undefined],
])('a new service at the hosts %j with PORTAL_ORIGIN=%j gets %s for its portals', (hosts, given, expected) => {
  const vars = { PUBLIC_URL: 'https://api.example.com', PORTAL_ORIGIN: given }
  expect(findPortalOrigin(vars, hosts.map(customDomain))).toBe(expected)
})

test('a deploy writes the origin of portals into the settings of its environment alone', () => {
  const file = readFileSync(path.join(root, 'wrangler.toml'), 'utf8')
  const written = writePortalOrigin(file, 'staging', 'https://ideas.example.com') ?? ''
  const lines = written.split('\n')
  const changed = lines.flatMap((line, n) => (line === file.split('\n')[n] ? [] : [[n, line]]))
  expect(changed).toEqual([[expect.any(Number), 'PORTAL_ORIGIN = "https://ideas.example.com"']])
  const section = lines.slice(0, Number(changed[0]?.[0])).findLast((line) => line.startsWith('['))
  expect(section).toBe('[env.staging.vars]')
  expect(writePortalOrigin(written, 'staging', 'https://more.example.com')).toBeUndefined()
  expect(writePortalOrigin(file, 'nowhere', 'https://more.example.com')).toBeUndefined()
})
