import { env } from 'cloudflare:workers'
import type { BackgroundDeps } from '../../../src/background'
import { openStore } from '../../../src/db/client/client'
import { UNLIMITED } from '../../../src/db/client/quota'
import type { QueueMessage } from '../../../src/messages'
import { importRunHandler } from '../../../src/workspace/imports/work/handler'
import { maintainImports } from '../../../src/workspace/imports/work/maintain'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { seededRandom } from '../../random'

export const MINUTE = 60_000

interface Kill {
  /** Number of the batch or message. The process dies before or after this action. */
  at?: number
  when?: 'before' | 'after'
}

/** Runs the queue consumer and the cron on a simulated clock, with a process that can die. */
export function simulateImports() {
  async function runAction<T>(doIt: () => Promise<T>): Promise<T> {
    it.actionCount++
    const { at, when } = it.kill
    if (at === it.actionCount && when === 'before') it.killed = true
    if (it.killed) throw new Error('The process is gone')
    await it.beforeAction?.(it.actionCount)
    const result = await doIt()
    if (at === it.actionCount && when === 'after') it.killed = true
    if (it.killed) throw new Error('The process is gone')
    return result
  }
  const { d1, cost } = meteredDatabase(env.DB)
  const store: BackgroundDeps['store'] = (now, meter, origin) => {
    const opened = openStore(d1, now, meter, UNLIMITED, origin)
    return { batch: (...given) => runAction(() => opened.batch(...given)) }
  }
  const it = {
    cost,
    actionCount: 0,
    killed: false,
    kill: {} as Kill,
    beforeAction: undefined as ((act: number) => Promise<void>) | undefined,
    now: readClock(),
    queue: [] as QueueMessage[],
    deps: (): BackgroundDeps => ({
      store,
      outlet: {
        sendBatch: (messages) => runAction(async () => void it.queue.push(...[...messages].map(({ body }) => body))),
      },
      files: env.FILES,
      databaseSize: () => 0,
      settings: env,
      record: () => {},
      fetch,
      sendRequest: () => Promise.reject(new Error('An import asks nothing of the service')),
      now: () => it.now,
      random: seededRandom(1).fraction,
    }),
    handle: async (message: QueueMessage) =>
      importRunHandler.handle(message as QueueMessage<'import.run'>, { ...it.deps(), connect: (call) => call() }),
    async drain() {
      for (let message = it.queue.shift(); message && !it.killed; message = it.queue.shift()) {
        try {
          await it.handle(message)
        } catch (cause) {
          if (!it.killed) throw cause
        }
      }
    },
    cron: () => maintainImports({ store: store(it.now), outlet: it.deps().outlet, files: env.FILES }),
    /** Starts a new process. The cron restarts the import when the claim of the dead process has expired. */
    async restartProcess() {
      it.killed = false
      it.kill = {}
      it.queue = []
      it.now += 3 * MINUTE
      await it.cron()
      await it.drain()
    },
  }
  return it
}
