// npm run measure:year: reports the bytes in D1 of a model workspace after a year (docs/scaling.md).
//   --months N   N months instead of 12
import process from 'node:process'
import { runMain, UserProblem } from '../wrangler.ts'
import {
  type ApiCall,
  type LocalService,
  PRODUCT_PATH,
  readSizes,
  runInParallel,
  SAMPLE_HTML,
  startLocalService,
} from './local-service.ts'

const PEOPLE = 20
const MONTH = { stories: 400, changes: 2_400, ideas: 100, votes: 600, comments: 400, kpiRecords: 900 }
const KPIS = 30
const EVENTS_KEPT_DAYS = 30
const DAY_MS = 86_400_000
// The archive moves at most 1,000 events per run of the cron.
const MAX_CRON_RUNS = 100
const MAX_BULK_ITEMS = 1_000

const count = (length: number) => Array.from({ length }, (_, n) => n)
const addressOf = (person: number) => `ada.${person}@example.com`

const CHANGES = [
  { progress: 'in-progress' },
  { storyPoint: '5' },
  { color: '#12ab34' },
  { startDate: '2026-01-05', endDate: '2026-01-09' },
  { summary: 'Checkout without an account' },
  { progress: 'done' },
]

/** Bulk requests store the same records as single requests. Only the events of the last month stay in the database. */
async function sendBulk(call: ApiCall, path: string, items: readonly unknown[]): Promise<void> {
  for (let at = 0; at < items.length; at += MAX_BULK_ITEMS)
    await call('POST', path, items.slice(at, at + MAX_BULK_ITEMS))
}

const sendEach = (call: ApiCall, method: string, path: (n: number) => string, items: readonly unknown[]) =>
  runInParallel(count(items.length), (n) => call(method, path(n), items[n]))

async function fillMonth(call: ApiCall, month: number, isLast: boolean): Promise<void> {
  const [firstStory, firstIdea] = [month * MONTH.stories + 1, month * MONTH.ideas + 1]
  const storyOf = (n: number) => `US-${firstStory + (n % MONTH.stories)}`
  const ideaPath = (n: number) => `/api/feedback-items/IDEA-${firstIdea + (n % MONTH.ideas)}`
  const epic = await call<{ epicId: number }>('POST', `${PRODUCT_PATH}/epics`, { summary: `Month ${month}` })
  const { data } = await call<{ featureId: number }>('POST', `${PRODUCT_PATH}/features`, {
    summary: `Checkout in month ${month}`,
    epicId: epic.data.epicId,
  })
  const stories = count(MONTH.stories).map((n) => ({
    ...{ summary: `Checkout, part ${n}`, description: SAMPLE_HTML, featureId: data.featureId },
  }))
  const changes = count(MONTH.changes).map((n) => CHANGES[Math.floor(n / MONTH.stories) % CHANGES.length])
  const ideas = count(MONTH.ideas).map((n) => ({
    ...{ title: `Dark mode, part ${firstIdea + n}`, product: 'BENCH-1', long_description: SAMPLE_HTML, tags: ['ui'] },
    user: { email: addressOf(n % PEOPLE) },
  }))
  if (isLast) {
    await sendEach(call, 'POST', () => `${PRODUCT_PATH}/storyMap/card`, stories)
    await sendEach(call, 'PUT', (n) => `${PRODUCT_PATH}/storyMap/card/${storyOf(n)}`, changes)
    await sendEach(call, 'POST', () => '/api/feedback-items', ideas)
  } else {
    const backlog = `${PRODUCT_PATH}/backlog/bulk`
    await sendBulk(
      call,
      backlog,
      stories.map((body) => ({ op: 'create', type: 'userstory', body })),
    )
    for (let at = 0; at < changes.length; at += MONTH.stories) {
      const round = changes.slice(at, at + MONTH.stories)
      await sendBulk(
        call,
        backlog,
        round.map((body, n) => ({ op: 'update', externalKey: storyOf(n), body })),
      )
    }
    await sendBulk(call, '/api/feedback-items/bulk-create', ideas)
  }
  const votes = count(MONTH.votes).map((n) => ({
    ...{ type: 'up', email: addressOf((n + Math.floor(n / MONTH.ideas)) % PEOPLE) },
  }))
  await sendEach(call, 'POST', (n) => `${ideaPath(n)}/vote`, votes)
  const comments = count(MONTH.comments).map(() => ({ text: SAMPLE_HTML.slice(3, 103) }))
  await sendEach(call, 'POST', (n) => `${ideaPath(n)}/comments`, comments)
  const records = count(MONTH.kpiRecords).map((n) => ({
    ...{ value: n, createdAt: new Date(Date.UTC(2026, month, 1) + Math.floor(n / KPIS) * DAY_MS) },
  }))
  const kpiPath = (n: number) => `${PRODUCT_PATH}/kpi/KPI-${(n % KPIS) + 1}/insert-kpi-records?mode=insert`
  const uploads = isLast
    ? records.map((record) => ({ records: [record] }))
    : count(KPIS).map((kpi) => ({ records: records.filter((_, n) => n % KPIS === kpi) }))
  await sendEach(call, 'POST', kpiPath, uploads)
}

/** Makes all events `EVENTS_KEPT_DAYS` older, and runs the cron until the archive holds them. */
async function endMonth({ DB: open, runCron }: LocalService): Promise<void> {
  const DB = await open()
  await DB.prepare('UPDATE log SET created_at = created_at - ?')
    .bind(EVENTS_KEPT_DAYS * DAY_MS)
    .run()
  await DB.prepare('UPDATE log_keeping SET next_look_at = 0').run()
  for (let run = 0; run < MAX_CRON_RUNS; run++) {
    await runCron()
    // The newest event stays, because the next id is counted from it.
    const log = await DB.prepare('SELECT count(*) AS events FROM log').first<{ events: number }>()
    if (log?.events === 1) return
  }
  throw new UserProblem(`The archive did not take all events in ${MAX_CRON_RUNS} runs of the cron.`)
}

const formatBytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(2)} MB`

await runMain(async () => {
  const at = process.argv.indexOf('--months')
  const months = at < 0 ? 12 : Number(process.argv[at + 1])
  if (!Number.isInteger(months) || months < 1) throw new UserProblem('--months must be a whole number of 1 or more.')
  const service = await startLocalService({ EVENTS_KEPT_DAYS: String(EVENTS_KEPT_DAYS) })
  const { call, file, stop } = service
  try {
    const empty = readSizes(file).reduce((sum, { bytes }) => sum + bytes, 0)
    await call(
      'POST',
      '/api/v2/idea-manager/members/bulk-create?invite=false',
      count(PEOPLE).map((person) => ({
        name: `Ada Lovelace ${person}`,
        email: addressOf(person),
        attributes: { plan: 'pro' },
      })),
    )
    for (const n of count(KPIS)) await call('POST', `${PRODUCT_PATH}/kpi`, { title: `Conversion ${n + 1}` })
    for (const month of count(months)) {
      const start = Date.now()
      await fillMonth(call, month, month === months - 1)
      // The events of the last month stay in the log.
      if (month < months - 1) await endMonth(service)
      console.log(`month ${month + 1}: ${Math.round((Date.now() - start) / 1_000)} s`)
    }
    const sizes = readSizes(file).toSorted((one, other) => other.bytes - one.bytes)
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    const { meta } = await (await service.DB()).prepare('SELECT 1').run()
    for (const { name, table, bytes } of sizes)
      if (bytes >= 50_000) console.log(`${formatBytes(bytes)}  ${name}${name === table ? '' : ` (index of ${table})`}`)
    console.log(`all tables and indexes: ${formatBytes(total)}, and ${formatBytes(empty)} in an empty database`)
    console.log(`the workspace: ${formatBytes(total - empty)}`)
    console.log(`file, with free pages: ${formatBytes(meta.size_after)}`)
  } finally {
    await stop()
  }
})
