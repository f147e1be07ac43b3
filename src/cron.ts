import type { Deps } from './background'
import { forgetAnswers } from './db/answer'
import type { Store } from './db/client'
import { wakeNotices } from './feedback/notices/handler'
import type { Outlet } from './messages'
import { eraseOld } from './people/mail/delivery/erase'
import { wakeDue } from './people/mail/delivery/wake'
import { tendImports } from './workspace/imports/work/tend'
import { purge } from './workspace/purge/purge'

type Part = (given: { store: Store; outlet: Outlet; files: R2Bucket }) => Promise<unknown>

const PARTS: Record<string, Part> = {
  'waking mail that is due': wakeDue,
  'forgetting addresses of old mailings': eraseOld,
  'waking what is to be told of ideas': wakeNotices,
  'waking and tidying import runs': tendImports,
  'forgetting kept answers': ({ store }) => store.batch(null, forgetAnswers({})),
  'purging what was removed': purge,
}

/** What happens every minute. One part's failure does not keep the others from their work. */
export async function everyMinute({ store, now, outlet, files }: Deps): Promise<void> {
  const given = { store: store(now()), outlet, files }
  const run = async ([name, part]: [string, Part]) => {
    try {
      await part(given)
    } catch (cause) {
      console.error(`The cron's part "${name}" failed; the next run repeats it.`, cause)
    }
  }
  await Promise.all(Object.entries(PARTS).map(run))
}
