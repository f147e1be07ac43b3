import { type BackgroundDeps, createBackgroundDeps } from './background'
import { createDatabaseMeter } from './db/client/batch'
import type { Store } from './db/client/client'
import { isNearlyFull, readDatabaseBytes } from './db/client/storage'
import type { Origin } from './db/sql/origin'
import type { Env, Settings } from './env'
import { publishScheduledEntries } from './feedback/changelog/publishing/publish'
import { reservedWorkspaceOf } from './home-list'
import { listHomes } from './homes'
import { type MessageOutlet, splitIntoQueueCalls } from './messages'
import { enqueueDueConfirmations } from './people/confirmations/handler'
import { enqueueWaitingNotices } from './people/digests/handler'
import { resealAddressKeys } from './people/erased-addresses/suppress'
import { enqueueErasures } from './people/erasure/handler'
import { enqueueDueMail } from './people/mail/delivery/enqueue'
import { eraseOldMailings, reportMailOutages } from './people/mail/delivery/maintain'
import { resealEndUserSecrets } from './portal/settings/reseal'
import { logError } from './text/log'
import { eraseDueWorkspaces } from './workspace/erasure/erase'
import { maintainExports, startBackups } from './workspace/exports/work/maintain'
import { fillNewColumns } from './workspace/fills/fills'
import { maintainImports } from './workspace/imports/work/maintain'
import { enqueueReceipts } from './workspace/incoming-webhooks/work/handler'
import { enqueueDueMoves } from './workspace/moves/handler'
import { sweepObjects } from './workspace/objects/sweep'
import { recordCronRun } from './workspace/operating/cron-run'
import { replayDeadLetters } from './workspace/operating/dead-letters'
import { purgeDueRecords } from './workspace/purge/purge'
import { archiveDueLogs } from './workspace/retention/archive'
import { deleteExpiredHistory } from './workspace/retention/forget'
import { checkDomains } from './workspace/sign-in-settings/checks/check'
import { resealClientSecrets } from './workspace/sign-in-settings/reseal'
import { measureStoredBytes } from './workspace/usage/measure'
import { enqueueDueFeeds } from './workspace/webhooks/delivery/handler'
import { resealSecrets } from './workspace/webhooks/reseal'

type CronJob = (given: {
  store: Store
  outlet: MessageOutlet
  files: R2Bucket
  settings: Settings
  now: number
  /** Number of the home. */
  home: number
}) => Promise<unknown>

const CRON_JOBS: Record<string, CronJob> = {
  'enqueue due mail': enqueueDueMail,
  'report outages of the mail provider': reportMailOutages,
  'erase recipients of old mailings': eraseOldMailings,
  'enqueue erasures': enqueueErasures,
  'publish scheduled changelog entries': publishScheduledEntries,
  'enqueue notices': enqueueWaitingNotices,
  'enqueue confirmations': enqueueDueConfirmations,
  'enqueue and clean up import runs': maintainImports,
  'start nightly backups': startBackups,
  'enqueue and clean up exports': maintainExports,
  'enqueue webhooks': enqueueDueFeeds,
  'enqueue received hooks': enqueueReceipts,
  'enqueue moves of workspaces': enqueueDueMoves,
  'encrypt webhook secrets again': resealSecrets,
  'encrypt client secrets again': resealClientSecrets,
  'encrypt secrets of portals again': resealEndUserSecrets,
  'check verified domains': checkDomains,
  'encrypt keys of erased addresses again': resealAddressKeys,
  'delete old responses and deliveries': deleteExpiredHistory,
  'archive the log': archiveDueLogs,
  'replay dead letters': replayDeadLetters,
  'measure stored bytes': measureStoredBytes,
  'purge removed records': purgeDueRecords,
  'erase workspaces': eraseDueWorkspaces,
  'delete objects without a record': sweepObjects,
  'fill new columns': (given) => fillNewColumns(given),
}

const CRON_ORIGIN: Origin = { via: 'cron', id: null }

const CRON_PERIOD_SECONDS = 60
const SECONDS_BETWEEN_HOMES = 3

/**
 * Runs the jobs of the only home, or enqueues a message for each home, because the limits of an invocation must not add
 * up over the homes.
 */
export async function startCronJobs(env: Env, execution: Pick<ExecutionContext, 'waitUntil'>): Promise<void> {
  const homes = listHomes(env)
  if (homes.length === 1) return runCronJobs(createBackgroundDeps(env, execution))
  // In the common queue, messages a few seconds apart meet in no invocation.
  const delays = env.CRON_QUEUE ? 0 : SECONDS_BETWEEN_HOMES
  const messages = homes.map(({ number }, n) => ({
    body: { kind: 'home.cron' as const, subscriptionId: reservedWorkspaceOf(number) },
    delaySeconds: (n * delays) % CRON_PERIOD_SECONDS,
  }))
  for (const some of splitIntoQueueCalls(messages)) await (env.CRON_QUEUE ?? env.QUEUE).sendBatch(some)
}

/** A failing job does not stop the rest. */
export async function runCronJobs(deps: Omit<BackgroundDeps, 'openHome'>): Promise<void> {
  const { store, now, outlet, files, settings, record, home = 0 } = deps
  const at = now()
  const start = Date.now()
  const run = async ([name, part]: [string, CronJob]) => {
    const [jobStart, meter] = [Date.now(), createDatabaseMeter()]
    const outcome = await part({ store: store(at, meter, CRON_ORIGIN), outlet, files, settings, now: at, home }).then(
      () => 'done',
      (cause: unknown) => {
        logError('A cron job failed; the next run repeats the job.', { job: name }, cause)
        return 'failed'
      },
    )
    const ms = Date.now() - jobStart
    record({ kind: 'cron', operation: name, outcome, ms, meter })
    return { name, ms, outcome }
  }
  const ended = await Promise.all(Object.entries(CRON_JOBS).map(run))
  await recordCronRun(store(at), { ranAt: at, ms: Date.now() - start, ended })
  alertNearlyFullDatabase(deps)
}

function alertNearlyFullDatabase({ databaseSize, settings, record, home = 0 }: Omit<BackgroundDeps, 'openHome'>): void {
  const limit = readDatabaseBytes(settings)
  const bytes = databaseSize()
  if (!isNearlyFull(bytes, limit)) return
  const alert = 'database_nearly_full'
  logError('The database is nearly full. See DATABASE_BYTES in docs/configuration.md.', { alert, bytes, limit, home })
  record({ kind: 'alert', operation: alert, outcome: 'alerted', ms: 0, meter: createDatabaseMeter(), bytes })
}
