import type { Handler } from '../../background'
import type { Store } from '../../db/client/client'
import { publicUrl } from '../../env'
import type { Outlet } from '../../messages'
import { createMailAcceptedMessage, createMailing } from '../../people/mail/statements'
import { RELEASE_MESSAGE, STATUS_MESSAGE } from './messages'
import { acceptNotice, listDueWorkspaces, listNotices, NOTICES_PER_RUN } from './queries'

/**
 * A message names a workspace; the batch that accepts a mailing deletes the notice.
 * Acknowledged: all notices are accepted, or a further message covers the rest.
 * Retried after a minute: an internal error.
 * Given up: never. The cron enqueues a workspace while notices remain.
 */

const MESSAGES = { status: STATUS_MESSAGE, release: RELEASE_MESSAGE }
const RETRY_DELAY = 60_000

export const feedbackNotices: Handler<'feedback.notices'> = {
  afterFailure: RETRY_DELAY,
  async handle({ subscriptionId }, { store, outlet, settings, now }) {
    const openStore = store(now())
    const notices = await listNotices(openStore, subscriptionId)
    for (const notice of notices) {
      const mailing = createMailing(MESSAGES[notice.kind], settings, publicUrl(settings))
      await acceptNotice(openStore, subscriptionId, notice, mailing)
      await outlet.sendBatch([{ body: createMailAcceptedMessage(subscriptionId, mailing) }])
    }
    if (notices.length === NOTICES_PER_RUN) {
      await outlet.sendBatch([{ body: { kind: 'feedback.notices', subscriptionId } }])
    }
    return undefined
  },
}

export async function wakeNotices({ store, outlet }: { store: Store; outlet: Outlet }): Promise<void> {
  const waiting = await listDueWorkspaces(store)
  if (!waiting.length) return
  await outlet.sendBatch(waiting.map((subscriptionId) => ({ body: { kind: 'feedback.notices', subscriptionId } })))
}
