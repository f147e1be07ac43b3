import type { Deps } from './background'
import type { Store } from './db/client'
import type { Settings } from './env'
import { wakeNotices } from './feedback/notices/handler'
import type { Outlet } from './messages'
import { eraseOld, tellOutages } from './people/mail/delivery/tend'
import { wakeDue } from './people/mail/delivery/wake'
import { tendImports } from './workspace/imports/work/tend'
import { wakeReceipts } from './workspace/incoming-webhooks/work/handler'
import { sweepObjects } from './workspace/objects/sweep'
import { purge } from './workspace/purge/purge'
import { archiveLogs } from './workspace/retention/archive'
import { forget } from './workspace/retention/forget'
import { wakeFeeds } from './workspace/webhooks/delivery/handler'
import { reseal } from './workspace/webhooks/reseal'

type Part = (given: {
  store: Store
  outlet: Outlet
  files: R2Bucket
  settings: Settings
  now: number
}) => Promise<unknown>

const PARTS: Record<string, Part> = {
  'waking mail that is due': wakeDue,
  'telling of mail that nobody takes': tellOutages,
  'forgetting recipients of old mailings': eraseOld,
  'waking what is to be told of ideas': wakeNotices,
  'waking and tidying import runs': tendImports,
  'waking webhooks': wakeFeeds,
  'waking what came to incoming webhooks': wakeReceipts,
  'sealing secrets of webhooks anew': reseal,
  'forgetting answers and deliveries': forget,
  'archiving the log': archiveLogs,
  'purging what was removed': purge,
  'sweeping bytes without a record': sweepObjects,
}

/** A failing job does not stop the rest. */
export async function everyMinute({ store, now, outlet, files, settings }: Deps): Promise<void> {
  const at = now()
  const given = { store: store(at), outlet, files, settings, now: at }
  const run = async ([name, part]: [string, Part]) => {
    try {
      await part(given)
    } catch (cause) {
      console.error(`The cron's part "${name}" failed; the next run repeats it.`, cause)
    }
  }
  await Promise.all(Object.entries(PARTS).map(run))
}
