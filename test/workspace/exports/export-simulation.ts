import { env } from 'cloudflare:workers'
import type { BackgroundDeps } from '../../../src/background'
import { createDatabaseMeter } from '../../../src/db/client/batch'
import { openStore } from '../../../src/db/client/client'
import type { QueueMessage } from '../../../src/messages'
import { exportRunHandler } from '../../../src/workspace/exports/work/handler'
import { maintainExports, startBackups } from '../../../src/workspace/exports/work/maintain'
import { readClock } from '../../clock'
import type { Workspace } from '../../factories'
import { seededRandom } from '../../random'
import { openZip, type ZipFile } from '../../zip'

export const MINUTE = 60_000
export const DAY = 86_400_000

interface Kill {
  /** Numbers of the actions at which the process dies; each action is a call to the database, R2 or the queue. */
  at: number[]
  when: 'before' | 'after'
}

/** Runs the queue consumer and the cron on a simulated clock, with a process that can die. */
export function simulateExports() {
  const it = {
    actionCount: 0,
    /** Trips and rows of the database. */
    meter: createDatabaseMeter(),
    messageCount: 0,
    maxActionsPerMessage: 0,
    killed: false,
    killCount: 0,
    kill: { at: [], when: 'before' } as Kill,
    /** Runs before each action, as the work of another person. */
    beforeAction: async (_action: string) => {},
    settings: {} as Partial<Cloudflare.Env>,
    /** Deps of a service with several homes. */
    homes: {} as Pick<BackgroundDeps, 'openHome' | 'listOtherHomes' | 'knowsHome'>,
    now: readClock(),
    queue: [] as QueueMessage[],
    /** Bytes of the largest object or part. */
    maxBytes: 0,
    deps: (): BackgroundDeps => ({
      store: (now) => {
        const opened = openStore(env.DB, now, it.meter)
        return { batch: (...given) => runAction('batch', () => opened.batch(...given)) }
      },
      outlet: {
        sendBatch: (messages) =>
          runAction('sendBatch', async () => void it.queue.push(...[...messages].map(({ body }) => body))),
      },
      files: makeKillable(env.FILES),
      databaseSize: () => 0,
      settings: { ...env, ...it.settings },
      record: () => {},
      fetch,
      sendRequest: () => Promise.reject(new Error('An export asks nothing of the service')),
      now: () => it.now,
      random: seededRandom(1).fraction,
      ...it.homes,
    }),
    async cron() {
      const { store, ...deps } = it.deps()
      await startBackups({ ...deps, store: store(it.now), now: it.now })
      await maintainExports({ ...deps, store: store(it.now), files: env.FILES })
    },
    /** Runs queue and cron until `minutes` pass without a message. A process that died starts again. */
    async drain(minutes = 7) {
      for (let idle = 0, steps = 0; idle < minutes; steps++) {
        if (steps > 500) throw new Error('The export does not end')
        const message = it.queue.shift()
        it.killed = false
        try {
          if (message) {
            const handled = message as QueueMessage<'export.run'>
            const before = it.actionCount
            await exportRunHandler.handle(handled, { ...it.deps(), connect: (call) => call() })
            it.messageCount++
            it.maxActionsPerMessage = Math.max(it.maxActionsPerMessage, it.actionCount - before)
          } else {
            it.now += MINUTE
            await it.cron()
            idle++
          }
        } catch (cause) {
          if (!it.killed) throw cause
          it.killCount++
        }
        if (it.queue.length) idle = 0
      }
    },
  }

  async function runAction<T>(name: string, doIt: () => Promise<T>): Promise<T> {
    it.actionCount++
    const dies = it.kill.at.includes(it.actionCount)
    if (dies && it.kill.when === 'before') it.killed = true
    if (it.killed) throw new Error('The process is gone')
    await it.beforeAction(name)
    const result = await doIt()
    if (dies) it.killed = true
    if (it.killed) throw new Error('The process is gone')
    return result
  }

  function makeKillable<T extends object>(inner: T): T {
    return new Proxy(inner, {
      get(target, name) {
        const member = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        if (name === 'resumeMultipartUpload') return (...args: unknown[]) => makeKillable(member.apply(target, args))
        return (...args: unknown[]) => {
          const body = args[1]
          if (body instanceof Uint8Array) it.maxBytes = Math.max(it.maxBytes, body.length)
          return runAction(String(name), () => member.apply(target, args))
        }
      },
    })
  }
  return it
}

export interface ExportRun {
  id: number
  kind: string
  status: string
  progress: number
  omitted: string[]
  totals: { records: number; files: number; events: number }
  size: number | null
  problem: string | null
  expiresAt: string | null
  completedAt: string | null
}

const DROPPED = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
/** The test hands the message over itself. */
const QUEUE = { send: async () => DROPPED, sendBatch: async () => DROPPED, metrics: env.QUEUE.metrics }

export const readExport = async ({ client }: Workspace, id: number) =>
  (await client<ExportRun>('GET', `/api/v2/exports/${id}`)).body.data

export async function startExport({ client, subscriptionId }: Workspace, include?: string[]) {
  const { body, status, headers } = await client<ExportRun>('POST', '/api/v2/exports', {
    json: { include },
    env: { QUEUE },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const message = { kind: 'export.run' as const, subscriptionId, exportId: body.data.id }
  return { id: body.data.id, run: body.data, message, location: headers.get('location') }
}

/** Exports the workspace, with a process that dies as `kill` says, and opens the file. */
export async function exportWorkspace(
  space: Workspace,
  { include, kill }: { include?: string[]; kill?: Kill } = {},
  simulation = simulateExports(),
) {
  const { id, message } = await startExport(space, include)
  if (kill) simulation.kill = kill
  simulation.queue.push(message)
  await simulation.drain()
  const run = await readExport(space, id)
  if (run.status !== 'completed') throw new Error(JSON.stringify(run))
  return { run, zip: await downloadZip(space, id), simulation }
}

export async function downloadZip({ key }: Workspace, id: number): Promise<ZipFile> {
  const { send } = await import('../../client')
  const { response } = await send('GET', `/api/v2/exports/${id}/download`, { apiKey: await key() })
  if (response.status !== 200) throw new Error(await response.text())
  return openZip(new Uint8Array(await response.arrayBuffer()))
}
