import type { Handler } from '../../background'
import type { Store } from '../../db/client'
import { publicUrl } from '../../env'
import type { Outlet } from '../../messages'
import { newMailing, wakes } from '../../people/mail/statements'
import { RELEASE, STATUS } from './letters'
import { acceptNotice, listNotices, listWaiting, NOTICES_PER_RUN } from './queries'

/*
 * Makes mailings of what people are to be told of ideas. A message names a workspace; what is to be told is in the
 * database, and leaves it in the batch that accepts its mailing.
 *
 * Acknowledged: everything is accepted, or comes with a further message.
 * Retried, after a minute: a fault of ours.
 * Given up: nothing. The cron puts a workspace on the queue as long as it has something.
 */

const LETTERS = { status: STATUS, release: RELEASE }
const LATER = 60_000

export const feedbackNotices: Handler<'feedback.notices'> = {
  afterFailure: LATER,
  async handle({ subscriptionId }, { store, outlet, settings, now }) {
    const given = store(now())
    const notices = await listNotices(given, subscriptionId)
    for (const notice of notices) {
      const mailing = newMailing(LETTERS[notice.kind], settings, publicUrl(settings))
      await acceptNotice(given, subscriptionId, notice, mailing)
      await outlet.sendBatch([{ body: wakes(subscriptionId, mailing) }])
    }
    if (notices.length === NOTICES_PER_RUN) {
      await outlet.sendBatch([{ body: { kind: 'feedback.notices', subscriptionId } }])
    }
    return undefined
  },
}

/** Puts the workspaces on the queue whose notices have waited: those whose message was lost, or never was. */
export async function wakeNotices({ store, outlet }: { store: Store; outlet: Outlet }): Promise<void> {
  const waiting = await listWaiting(store)
  if (!waiting.length) return
  await outlet.sendBatch(waiting.map((subscriptionId) => ({ body: { kind: 'feedback.notices', subscriptionId } })))
}
