import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { readTestBindings, SQL_OPERATION } from './test/settings.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Time at which each test file begins; empty: the time of the machine. */
    clock: string
  }
}

const HOURS = 12 * 3600

interface RuntimeOptions {
  /** A Worker instead of the service's own. */
  main?: string
  /** Adds the Durable Object of test/homes, a home without D1. */
  objects?: boolean
  /** Runs only the tests for the runtime in files that have some (`test/runtime-test.ts`). */
  only?: boolean
}

/** The Workers runtime with everything that the service needs in it. */
export const runtime = ({ main, objects = false, only = false }: RuntimeOptions = {}) =>
  cloudflareTest(async () => ({
    ...(main !== undefined && { main: path.join(import.meta.dirname, main) }),
    wrangler: { configPath: path.join(import.meta.dirname, 'wrangler.toml') },
    miniflare: {
      ...(objects && { durableObjects: { HOME: { className: 'ObjectHome', useSQLite: true } } }),
      // The tests hand messages over themselves: nothing else takes them up while they look.
      queueProducers: {
        QUEUE: { queueName: 'groundwork-outside', deliveryDelay: HOURS },
        MAIL_QUEUE: { queueName: 'groundwork-mail', deliveryDelay: HOURS },
      },
      d1Databases: { DB_EU: 'groundwork-eu', DB_US: 'groundwork-us' },
      r2Buckets: { FILES_EU: 'groundwork-eu-files' },
      bindings: {
        ...(await readTestBindings()),
        RUNTIME_TESTS: only ? 'only' : 'too',
      },
    },
  }))

// It names source maps that it does not bring, which is told at length unless it is bundled.
export const deps = { optimizer: { ssr: { enabled: true, include: ['js-xxhash'] } } }

const CLIENT = path.join(import.meta.dirname, 'src/db/client/client.ts')
const RECORDED_BATCHES = path.join(import.meta.dirname, 'test/contract/recorded-batches.ts')
const recordBatches = {
  name: 'record-batches',
  enforce: 'pre' as const,
  resolveId: (id: string, importer?: string) => (id === './batch' && importer === CLIENT ? RECORDED_BATCHES : null),
}

// Tests that compare ids and rows with a snapshot. Each file has a new database, whose ids begin at one.
const RECORDED = ['test/contract/{answers,cost-ceilings,budget}.test.ts', 'test/db/budget.test.ts']

// `npm run check:commands` runs these: they start commands, a service or wrangler.
const COMMANDS = ['test/repo/{key,new,restore,secrets,smoke}.test.ts']

// Tests of several homes. Each file has new databases, because it opens them as homes.
export const HOMES = ['test/homes/*.test.ts']

// `npm run check:costs` runs these tests one at a time. `npm test` leaves them out, because they compare times.
const COSTS = ['test/contract/cost-{texts,files}.test.ts', 'test/{backlog/bulk,files}/cost.test.ts']

// `npm run check:smoke` runs the smoke checks once for each planted fault, and the commands on a service with two homes.
const SMOKE_FAULTS = ['test/repo/{smoke-faults,two-homes}.test.ts']

// Tests of what only the Workers runtime shows: D1 and its rows, R2, queues, streams, memory, aborted requests, rate
// limits. All others run on Node.
const WORKERS = [
  'test/{cron,queue}.test.ts',
  'test/http/{hooks,memory,multipart,rate}.test.ts',
  // The charge of a write counts the rows that D1 has written.
  'test/db/bytes.test.ts',
  // It moves the clock for the health of the process.
  'test/http/service.test.ts',
  'test/contract/{body-sizes,rows,streams}.test.ts',
]

/** Compares the database on Node with D1. */
const BOTH = ['test/db/limits.test.ts']

/** Files with tests for the runtime (`test/runtime-test.ts`), whose other tests run on Node. */
const PARTLY_WORKERS = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('/runtime-test'),
)

const OBJECT_TESTS = 'test/homes/object*.test.ts'

// Loops that also run on the database of a Durable Object. Their operations use each kind of statement.
const OBJECT_LOOPS =
  'test/contract/{cascades,changes,conditional,counts,idempotency,lifecycle,lists,members,nulls,parents,refused,unique}.test.ts'

// `npm test` calls each operation once. `npm run check:object` runs the loops, and compares the rows.
const OBJECT_TIMED = 'test/contract/answers.test.ts'
const OBJECT_ALL = [OBJECT_LOOPS, 'test/contract/budget.test.ts']

// The limit finds tests that hang. A busy machine takes many times the usual time.
export const limits = { testTimeout: 120_000, hookTimeout: 120_000 }

// `npm test -- --clock` names the time at which each test file begins.
const provide = { clock: process.env.TEST_CLOCK ?? '' }

const workers = { setupFiles: ['./test/setup.ts'], provide, ...limits, deps }

// The service on Node, with D1 on `node:sqlite`. A request costs a third of what it costs in the Workers runtime.
const node = {
  resolve: {
    alias: {
      'cloudflare:workers': path.join(import.meta.dirname, 'test/node/workers.ts'),
      'cloudflare:test': path.join(import.meta.dirname, 'test/node/cloudflare-test.ts'),
    },
  },
  test: {
    pool: 'forks' as const,
    isolate: false,
    provide,
    ...limits,
    setupFiles: ['./test/node/setup.ts', './test/setup.ts'],
    globalSetup: ['./test/receiver.ts', './test/node/global.ts'],
  },
}

export default defineConfig({
  test: {
    // Without this, one core of two.
    maxWorkers: '100%',
    projects: [
      {
        ...node,
        test: {
          ...node.test,
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/repo/**', 'test/outside/**', ...WORKERS, ...HOMES, ...RECORDED, ...COSTS],
        },
      },
      {
        plugins: [runtime({ only: true })],
        test: {
          name: 'workers',
          include: [...WORKERS, ...BOTH, ...PARTLY_WORKERS],
          allowOnly: true,
          // One worker after the other would read the whole service anew for each file.
          isolate: false,
          ...workers,
          setupFiles: [...workers.setupFiles, './test/wiped.ts'],
          globalSetup: ['./test/receiver.ts'],
        },
      },
      {
        ...node,
        test: { ...node.test, name: 'homes', include: HOMES, exclude: [OBJECT_TESTS], isolate: true },
      },
      {
        plugins: [runtime()],
        test: { name: 'recorded', include: RECORDED, ...workers },
      },
      {
        plugins: [runtime()],
        // A busy machine disturbs a comparison of times; work that is not linear fails each time.
        test: { name: 'costs', include: COSTS, retry: 2, sequence: { groupOrder: 1 }, ...workers },
      },
      {
        plugins: [runtime({ main: 'test/homes/worker.ts', objects: true })],
        test: {
          name: 'object',
          include: [OBJECT_TESTS, OBJECT_TIMED, ...(process.env.OBJECT_OPERATIONS ? OBJECT_ALL : [])],
          ...workers,
          setupFiles: ['./test/homes/object-setup.ts', ...workers.setupFiles],
        },
      },
      ...(SQL_OPERATION
        ? [
            {
              plugins: [recordBatches, runtime()],
              test: { name: 'sql', include: ['test/contract/print-statements.ts'], ...workers },
            },
          ]
        : []),
      {
        // What needs the file system runs on Node.
        test: {
          name: 'repo',
          include: ['test/repo/{,console/}*.test.ts'],
          exclude: [...SMOKE_FAULTS, ...COMMANDS],
          setupFiles: ['./test/repo/setup.ts'],
          provide,
          ...limits,
        },
      },
      { test: { name: 'smoke', include: SMOKE_FAULTS, ...limits } },
      { test: { name: 'commands', include: COMMANDS, ...limits } },
    ],
  },
})
