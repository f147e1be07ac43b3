// npm run measure: reports the bytes in D1 per record, with indexes, search words and events (docs/scaling.md).
//   --count N   N records of each kind instead of 20,000
import process from 'node:process'
import { runMain, UserProblem } from '../wrangler.ts'
import {
  type ApiCall,
  PRODUCT_PATH,
  readTableSizes,
  runInParallel,
  SAMPLE_HTML,
  startLocalService,
} from './local-service.ts'

const RECORDS_PER_REQUEST = 1_000

interface RecordKind {
  name: string
  share?: number
  make(call: ApiCall, numbers: number[]): Promise<unknown>
}

const RECORD_KINDS: RecordKind[] = [
  {
    name: 'story of 450 characters',
    make: (call, numbers) =>
      call(
        'POST',
        `${PRODUCT_PATH}/backlog/bulk`,
        numbers.map((n) => ({
          ...{ op: 'create', type: 'userstory' },
          body: { summary: `Checkout without an account, part ${n}`, description: SAMPLE_HTML },
        })),
      ),
  },
  {
    name: 'change of a story',
    share: 0.25,
    make: (call, numbers) =>
      runInParallel(numbers, (n) => call('PUT', `${PRODUCT_PATH}/storyMap/card/US-${n}`, { progress: 'in-progress' })),
  },
  {
    name: 'idea of 450 characters',
    make: (call, numbers) =>
      call(
        'POST',
        '/api/feedback-items/bulk-create',
        numbers.map((n) => ({ title: `Dark mode, part ${n}`, product: 'BENCH-1', long_description: SAMPLE_HTML })),
      ),
  },
  {
    name: 'member',
    make: (call, numbers) =>
      call(
        'POST',
        '/api/v2/idea-manager/members/bulk-create?invite=false',
        numbers.map((n) => ({ name: `Ada Lovelace ${n}`, email: `ada.${n}@example.com`, attributes: { plan: 'pro' } })),
      ),
  },
  {
    name: 'vote',
    share: 0.25,
    make: (call, numbers) =>
      runInParallel(numbers, (n) =>
        call('POST', `/api/feedback-items/IDEA-${n}/vote`, { type: 'up', email: `ada.${n}@example.com` }),
      ),
  },
  {
    name: 'comment of 100 characters',
    share: 0.25,
    make: (call, numbers) =>
      runInParallel(numbers, (n) =>
        call('POST', `/api/feedback-items/IDEA-${n}/comments`, { text: SAMPLE_HTML.slice(3, 103) }),
      ),
  },
  {
    name: 'KPI record',
    make: (call, numbers) =>
      call('POST', `${PRODUCT_PATH}/kpi/KPI-1/insert-kpi-records`, {
        records: numbers.map((n) => ({ value: n, createdAt: new Date(Date.UTC(2024, 0, 1) + n * 3_600_000) })),
      }),
  },
]

await runMain(async () => {
  const at = process.argv.indexOf('--count')
  const count = at < 0 ? 20_000 : Number(process.argv[at + 1])
  if (!Number.isInteger(count) || count < RECORDS_PER_REQUEST)
    throw new UserProblem(`--count must be a whole number of ${RECORDS_PER_REQUEST} or more.`)
  const { call, file, stop } = await startLocalService()
  try {
    await call('POST', `${PRODUCT_PATH}/kpi`, { title: 'Conversion' })
    for (const { name, share = 1, make } of RECORD_KINDS) {
      const before = readTableSizes(file)
      const records = count * share
      for (let from = 1; from <= records; from += RECORDS_PER_REQUEST) {
        await make(
          call,
          Array.from({ length: Math.min(RECORDS_PER_REQUEST, records - from + 1) }, (_, n) => from + n),
        )
      }
      const more = [...readTableSizes(file)]
        .map(([table, bytes]) => [table, Math.round((bytes - (before.get(table) ?? 0)) / records)] as const)
        .filter(([, bytes]) => bytes > 0)
        .toSorted(([, one], [, other]) => other - one)
      const sum = more.reduce((all, [, bytes]) => all + bytes, 0)
      console.log(`${name}: ${sum} bytes (${more.map(([table, bytes]) => `${table} ${bytes}`).join(', ')})`)
    }
  } finally {
    await stop()
  }
})
