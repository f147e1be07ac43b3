import type { Handler } from '../../background'
import type { Store } from '../../db/client'
import { publicUrl } from '../../env'
import type { Outlet } from '../../messages'
import { newMailing, wakes } from '../../people/mail/statements'
import { RELEASE, STATUS } from './letters'
import { acceptNotice, listNotices, listWaiting, NOTICES_PER_RUN } from './queries'

/*
 * Makes mailings from the notices about ideas. A message names a workspace; the notices are in the database, and the
 * batch that accepts a mailing deletes the notice.
 *
 * Acknowledged: all notices are accepted, or a further message covers the rest.
 * Retried after a minute: an internal error.
 * Given up: never. The cron enqueues a workspace while notices remain.
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

/** Enqueues workspaces with waiting notices, because a message may be lost or was never sent. */
export async function wakeNotices({ store, outlet }: { store: Store; outlet: Outlet }): Promise<void> {
  const waiting = await listWaiting(store)
  if (!waiting.length) return
  await outlet.sendBatch(waiting.map((subscriptionId) => ({ body: { kind: 'feedback.notices', subscriptionId } })))
}
