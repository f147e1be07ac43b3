import path from 'node:path'
import process from 'node:process'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { readDeclaredSettings } from './scripts/wrangler.ts'

const HOURS = 12 * 3600

interface RuntimeOptions {
  /** A Worker instead of the service's own. */
  main?: string
  /** Adds the Durable Object of test/homes, a home without D1. */
  objects?: boolean
  /** Headings of the API reference whose operations the loops of test/contract call, instead of all. */
  headings?: readonly string[]
}

/** The Workers runtime with everything that the service needs in it. */
export const runtime = ({ main, objects = false, headings = [] }: RuntimeOptions = {}) =>
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
        // Whatever `.dev.vars` sets for the local service.
        ...(await readDeclaredSettings()),
        // `npm run check:homes` runs the tests in home 1 of two homes.
        ...(process.env.TWO_HOMES && { HOMES: '1:eu:DB:FILES 0:default:DB_EU:FILES_EU' }),
        MAIL_API_KEY: '',
        MAIL_EVENTS_SECRETS: '',
        WEBHOOK_LOOPBACK: '',
        // `npm run check:costs` asks for more.
        COST_RECORDS: process.env.COST_RECORDS ?? '1000',
        // `npm run check:sync` asks for more.
        SYNC_STEPS: process.env.SYNC_STEPS ?? '100',
        SYNC_SEEDS: process.env.SYNC_SEEDS ?? '1',
        SQL_OPERATION,
        CONTRACT_HEADINGS: headings.join(','),
        MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, 'migrations')),
        SIGNING_SECRETS:
          'test-new:bmV3LXNlY3JldC1vZi10aGUtdGVzdC1zdWl0ZS0wMDAx,test-old:b2xkLXNlY3JldC1vZi10aGUtdGVzdC1zdWl0ZS0wMDAx',
      },
    },
  }))

// It names source maps that it does not bring, which is told at length unless it is bundled.
export const deps = { optimizer: { ssr: { enabled: true, include: ['js-xxhash'] } } }

// `npm run sql` names an operation, and runs only the project `sql`.
const SQL_OPERATION = process.env.SQL_OPERATION ?? ''
const CLIENT = path.join(import.meta.dirname, 'src/db/client/client.ts')
const RECORDED_BATCHES = path.join(import.meta.dirname, 'test/contract/recorded-batches.ts')
const recordBatches = {
  name: 'record-batches',
  enforce: 'pre' as const,
  resolveId: (id: string, importer?: string) => (id === './batch' && importer === CLIENT ? RECORDED_BATCHES : null),
}

// Tests that compare times run after the others, and each has a core for itself. Each file has a new database, which the
// recorded answers need too, and the quota, whose charge depends on the size of the full-text indexes.
const TIMED = [
  'test/contract/{answers,cost-ceilings,budget}.test.ts',
  'test/db/budget.test.ts',
  'test/files/bounds.test.ts',
  'test/backlog/bulk/cost.test.ts',
]

// Tests of several homes. Each file has new databases, because it opens them as homes.
export const HOMES = ['test/homes/*.test.ts']

// `npm run check:costs` runs these tests one at a time. `npm test` leaves them out, because they take minutes.
const COSTS = ['test/contract/cost-{texts,files}.test.ts']

// `npm run check:smoke` runs the smoke checks once for each planted fault, and the commands on a service with two homes.
const SMOKE_FAULTS = ['test/repo/{smoke-faults,two-homes}.test.ts']

// What works for all workspaces at once (the cron, the turns of mailings, the sweep of R2) or counts to a row has a
// database for itself.
export const ALONE = [
  'test/{cron,queue,turns}.test.ts',
  'test/contract/{deliveries,secrets}.test.ts',
  'test/db/bytes.test.ts',
  'test/backlog/imports/{link-slices,round-trip}.test.ts',
  'test/feedback/changelog/*.test.ts',
  'test/feedback/comments/comments.test.ts',
  'test/feedback/imports/round-trip.test.ts',
  'test/people/{confirmations,digests}/*.test.ts',
  'test/people/{imports/people,members/members}.test.ts',
  'test/people/erasure/*.test.ts',
  'test/people/invitations/invitations.test.ts',
  'test/people/mail/**/*.test.ts',
  'test/people/segments/{rules,work}.test.ts',
  'test/people/suppressions/*.test.ts',
  'test/workspace/assets/holders.test.ts',
  'test/workspace/erasure/*.test.ts',
  'test/workspace/exports/*.test.ts',
  'test/workspace/fills/*.test.ts',
  'test/workspace/imports/queue.test.ts',
  'test/workspace/incoming-webhooks/incoming.test.ts',
  'test/workspace/incoming-webhooks/sync/*.test.ts',
  'test/workspace/objects/*.test.ts',
  'test/workspace/operating/*.test.ts',
  'test/workspace/purge/*.test.ts',
  'test/workspace/retention/*.test.ts',
  'test/workspace/sessions/{provider,sign-in}.test.ts',
  'test/workspace/webhooks/*.test.ts',
]

const OBJECT_TESTS = 'test/homes/object*.test.ts'

// Loops that also run on the database of a Durable Object. Their operations use each kind of statement.
const OBJECT_LOOPS =
  'test/contract/{cascades,changes,conditional,counts,idempotency,lifecycle,lists,members,nulls,parents,refused,unique}.test.ts'

// `npm test` calls the operations of ten headings. `npm run check:object` calls all operations, and gives each file a
// new object, which the snapshots of rows and answers need.
const OBJECT = process.env.OBJECT_OPERATIONS
  ? { loops: [OBJECT_LOOPS, 'test/contract/{answers,budget}.test.ts'], headings: [], isolate: true }
  : {
      loops: [OBJECT_LOOPS],
      headings: [
        ...['Products', 'Epics', 'Features', 'User stories', 'Tags', 'Feedback', 'Segments', 'Members', 'KPIs'],
        'Experiments',
      ],
      isolate: false,
    }

const workers = { setupFiles: ['./test/setup.ts'], testTimeout: 30_000, hookTimeout: 60_000, deps }

export default defineConfig({
  test: {
    // Without this, one core of two.
    maxWorkers: '100%',
    projects: [
      {
        plugins: [runtime()],
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/repo/**', 'test/outside/**', ...ALONE, ...HOMES, ...TIMED, ...COSTS],
          // One worker after the other would read the whole service anew for each file.
          isolate: false,
          ...workers,
          globalSetup: ['./test/receiver.ts'],
        },
      },
      {
        plugins: [runtime()],
        test: {
          name: 'alone',
          include: ALONE,
          exclude: [OBJECT_TESTS],
          isolate: false,
          ...workers,
          setupFiles: [...workers.setupFiles, './test/wiped.ts'],
          globalSetup: ['./test/receiver.ts'],
        },
      },
      {
        plugins: [runtime()],
        test: {
          name: 'homes',
          include: HOMES,
          exclude: [OBJECT_TESTS],
          ...workers,
          globalSetup: ['./test/receiver.ts'],
        },
      },
      {
        plugins: [runtime()],
        test: { name: 'timed', include: TIMED, sequence: { groupOrder: 1 }, ...workers },
      },
      {
        plugins: [runtime()],
        // A busy machine disturbs a comparison of times; work that is not linear fails each time.
        test: { name: 'costs', include: COSTS, retry: 2, sequence: { groupOrder: 2 }, ...workers },
      },
      {
        plugins: [runtime({ main: 'test/homes/worker.ts', objects: true, headings: OBJECT.headings })],
        test: {
          name: 'object',
          include: [...OBJECT.loops, OBJECT_TESTS],
          isolate: OBJECT.isolate,
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
        test: { name: 'repo', include: ['test/repo/*.test.ts'], exclude: SMOKE_FAULTS, testTimeout: 30_000 },
      },
      { test: { name: 'smoke', include: SMOKE_FAULTS } },
    ],
  },
})
