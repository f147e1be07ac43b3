import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { listHomes, rememberMove } from '../../src/homes'
import { EXPORT_LEASE_MS } from '../../src/workspace/exports/queries/work'
import { completeArchive } from '../../src/workspace/exports/work/archive'
import { exportRunHandler } from '../../src/workspace/exports/work/handler'
import { readClock } from '../clock'
import { createWorkspace, type Workspace } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { openZip } from '../zip'
import { finishMove, requestMove } from './moving'

const bindings = await openTwoHomes()
/** Both homes have the same bucket. */
const sharing = { ...bindings, HOMES: TWO_HOMES.replace('FILES_EU', 'FILES') }

interface ExportRow {
  id: number
  status: string
  object_key: string
  archive: string
  record_count: number
}

const readExport = async (d1: D1Database, { subscriptionId }: Workspace) => {
  const row = await d1
    .prepare('SELECT * FROM exports WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first<ExportRow>()
  if (!row) throw new Error('The workspace has no export')
  return row
}

interface RunOptions {
  service: typeof bindings
  home: number
  now: number
  files?: R2Bucket
}

async function runExport(space: Workspace, { service, home, now, files }: RunOptions) {
  const chosen = listHomes(service)[home]
  const { id: exportId } = await readExport(chosen?.env.DB ?? env.DB, space)
  await exportRunHandler.handle(
    { kind: 'export.run', subscriptionId: space.subscriptionId, exportId },
    {
      ...createBackgroundDeps(service, createExecutionContext(), chosen),
      ...{ now: () => now, connect: (call) => call(), outlet: { sendBatch: async () => undefined } },
      ...(files && { files }),
    },
  )
}

/** A bucket whose connection breaks at a call of a method. */
function breakAt(method: string, count: number): R2Bucket {
  let calls = 0
  return new Proxy(env.FILES, {
    get: (target, property) => {
      const value = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (property === method && ++calls === count) throw new Error('The connection broke')
        return value.apply(target, given)
      }
    },
  })
}

/** Starts an export in home 0, which stops at a call of the bucket. */
async function stopExport(space: Workspace, stop: [method: string, count: number], service = bindings) {
  const started = await space.client('POST', '/api/v2/exports', { json: {}, env: { HOMES: service.HOMES } })
  expect(started.status).toBe(201)
  const running = runExport(space, { service, home: 0, now: readClock(), files: breakAt(...stop) })
  await expect(running).rejects.toThrow('The connection broke')
  return readExport(env.DB, space)
}

/** Moves the workspace to home 1, and continues its export there. */
async function continueInNewHome(space: Workspace, service = bindings) {
  const clock = { now: readClock() }
  await requestMove(env.DB, space.subscriptionId, EU_NUMBER, clock.now)
  await finishMove(service, clock)
  rememberMove(space.subscriptionId, EU_NUMBER)
  await runExport(space, { service, home: EU_NUMBER, now: clock.now + EXPORT_LEASE_MS })
  return readExport(env.DB_EU, space)
}

test.each([
  ['has written some entries', 'put', 2],
  ['has written all parts', 'head', 1],
] as const)('an export that %s starts again in the bucket of the new home', async (_, method, count) => {
  const space = await createWorkspace()
  const before = await stopExport(space, [method, count])
  expect(JSON.parse(before.archive).entryCount).toBeGreaterThan(0)
  const after = await continueInNewHome(space)
  expect(after).toMatchObject({ status: 'completed', record_count: before.record_count })
  const file = await env.FILES_EU.get(after.object_key)
  const zip = openZip((await file?.bytes()) as Uint8Array<ArrayBuffer>)
  expect(await zip.readRows('records/products.ndjson')).toHaveLength(1)
  expect(new Set(zip.paths).size).toBe(zip.paths.length)
})

test('an export whose file is complete ends in the new home', async () => {
  const space = await createWorkspace()
  const { archive, object_key: key } = await stopExport(space, ['head', 1])
  const size = await completeArchive(env.FILES, key, JSON.parse(archive))
  expect(await continueInNewHome(space)).toMatchObject({ status: 'completed', archive, size })
})

test('an export continues in the bucket that both homes share', async () => {
  const space = await createWorkspace()
  const before = await stopExport(space, ['put', 2], sharing)
  const after = await continueInNewHome(space, sharing)
  expect(after.status).toBe('completed')
  expect(JSON.parse(after.archive).uploadId).toBe(JSON.parse(before.archive).uploadId)
})
