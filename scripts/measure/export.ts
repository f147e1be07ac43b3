// npm run measure:export: imports work items, and exports, restores and exports the workspace again; reports the
// time, and whether both exports hold the same rows (docs/scaling.md).
//   --count N   N work items instead of 100,000
//   --kills N   kills the runtime N times during the restore
//   --memory    reports the memory of the Worker too; its collections of garbage make the steps slower
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { FormData } from 'miniflare'
import { openZip } from '../../test/zip.ts'
import { reservePort } from '../service/port.ts'
import { runMain, UserProblem } from '../wrangler.ts'
import { watchHeap } from './heap.ts'
import { type LocalService, PRODUCT_PATH, SAMPLE_HTML, startLocalService } from './local-service.ts'

const MAX_WAIT_MS = 3_600_000
const MS_BETWEEN_KILLS = 1_500

interface Run {
  id: number
  status: string
  progress?: number
  problem?: string | null
}

function makeCsv(count: number): string {
  const lines = ['id,type,summary,description,parent,progress,tags']
  const [epics, features] = [Math.ceil(count / 100), Math.ceil(count / 10)]
  for (let n = 1; n <= count; n++) {
    const [type, parent] =
      n <= epics
        ? ['epic', '']
        : n <= epics + features
          ? ['feature', (n % epics) + 1]
          : ['userstory', (n % features) + epics + 1]
    lines.push(
      `${n},${type},"Checkout, part ${n}",${SAMPLE_HTML.replaceAll(',', ';')},${parent},in-progress,part-${n % 50}`,
    )
  }
  return lines.join('\n')
}

const formatMegabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MiB`

async function waitFor(read: () => Promise<Run>): Promise<Run> {
  const start = Date.now()
  for (;;) {
    const run = await read()
    if (run.status === 'completed') return run
    if (run.status === 'failed' || Date.now() - start > MAX_WAIT_MS)
      throw new UserProblem(`The run is ${run.status}: ${run.problem}`)
    await setTimeout(250)
  }
}

async function importItems({ send }: LocalService, count: number): Promise<void> {
  const body = new FormData()
  body.set('file', new Blob([makeCsv(count)]), 'items.csv')
  const started = await (await send(`${PRODUCT_PATH}/backlog/import`, withForm(body))).json<{ data: Run }>()
  await waitFor(async () => (await (await send(`/api/v2/imports/${started.data.id}`)).json<{ data: Run }>()).data)
}

const withForm = (body: FormData) => ({ method: 'POST', body })

const readRun = async ({ send }: LocalService, id: number, workspace: number) =>
  (await (await send(`/api/v2/exports/${id}`, {}, workspace)).json<{ data: Run }>()).data

async function exportWorkspace(service: LocalService, workspace: number): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await service.send('/api/v2/exports', { method: 'POST' }, workspace)
  const { data } = await answer.json<{ data: Run }>()
  await waitFor(() => readRun(service, data.id, workspace))
  const file = await service.send(`/api/v2/exports/${data.id}/download`, {}, workspace)
  return new Uint8Array(await file.arrayBuffer())
}

async function restoreWorkspace(service: LocalService, file: Uint8Array<ArrayBuffer>, kills: number): Promise<void> {
  const body = new FormData()
  body.set('file', new Blob([file]), 'export.zip')
  const { data } = await (await service.send('/api/v2/exports/restore', withForm(body), 2)).json<{ data: Run }>()
  for (let kill = 0; kill < kills; kill++) {
    await setTimeout(MS_BETWEEN_KILLS * (0.5 + Math.random()))
    await service.restart()
    const { progress } = await readRun(service, data.id, 2)
    console.log(`killed at ${progress} %`)
    await endLease(service)
    await service.runCron()
  }
  await waitFor(() => readRun(service, data.id, 2))
}

/** The cron finds the run only after its lease of five minutes. */
async function endLease({ DB }: LocalService): Promise<void> {
  await (await DB()).prepare(`UPDATE exports SET next_attempt_at = 0 WHERE status IN ('queued', 'running')`).run()
}

/** The rows of each file without ids, in the order of their text. */
async function readRows(file: Uint8Array<ArrayBuffer>): Promise<Map<string, string[]>> {
  const zip = openZip(file)
  const rows = new Map<string, string[]>()
  for (const path of zip.paths.filter((found) => found.startsWith('records/'))) {
    const found = await zip.readRows(path)
    const texts = found.map((row) =>
      JSON.stringify(row, (name, value) => (/^(id|version|createdAt|updatedAt)$|Id$/.test(name) ? undefined : value)),
    )
    rows.set(path, texts.toSorted())
  }
  return rows
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '100000' },
      kills: { type: 'string', default: '0' },
      memory: { type: 'boolean', default: false },
    },
  })
  const [count, kills] = [Number(values.count), Number(values.kills)]
  if (values.memory && kills) throw new UserProblem('--memory needs a runtime that lives. Leave out --kills.')
  if (!Number.isInteger(count) || count < 1) throw new UserProblem('--count must be a whole number of 1 or more.')
  const inspectorPort = values.memory ? await reservePort() : undefined
  const service = await startLocalService({}, { consumer: true, ...(inspectorPort && { inspectorPort }) })
  let heap: Awaited<ReturnType<typeof watchHeap>> | undefined
  try {
    // The first request loads the Worker.
    await service.send('/api/v2/me')
    heap = inspectorPort ? await watchHeap(inspectorPort, 'measure') : undefined
    const idle = (await heap?.measure()) ?? 0
    if (heap) console.log(`idle: ${formatMegabytes(idle)}`)
    const report = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now()
      const { result, maxBytes } = heap ? await heap.watch(work) : { result: await work(), maxBytes: idle }
      const seconds = Math.round((performance.now() - start) / 1_000)
      console.log(`${name}: ${seconds} s${heap ? `, ${formatMegabytes(maxBytes - idle)} above idle` : ''}`)
      return result
    }
    await report(`import of ${count} work items`, () => importItems(service, count))
    const exported = await report('export', () => exportWorkspace(service, 1))
    console.log(`the file: ${formatMegabytes(exported.length)}`)
    await service.addWorkspace()
    await report('restore', () => restoreWorkspace(service, exported, kills))
    const again = await report('export of the restored workspace', () => exportWorkspace(service, 2))
    const [before, after] = [await readRows(exported), await readRows(again)]
    for (const path of before.keys()) {
      if (!isDeepStrictEqual(before.get(path), after.get(path))) throw new UserProblem(`${path} differs.`)
    }
    console.log(`${[...before.values()].reduce((sum, rows) => sum + rows.length, 0)} rows are equal but for ids`)
  } finally {
    heap?.close()
    await service.stop()
  }
})
