import type { MessageHandler } from '../../background'
import type { Store } from '../../db/client/client'
import { readPublicUrl } from '../../env'
import type { MessageOutlet } from '../../messages'
import { createMailAcceptedMessage, createMailing } from '../../people/mail/statements'
import { RELEASE_MAIL_CONTENT, STATUS_MAIL_CONTENT } from './messages'
import { acceptNoticeMailing, listDueWorkspaces, listNotices, NOTICES_PER_MESSAGE } from './queries'

/**
 * A message names a workspace; the batch that accepts a mailing deletes the notice.
 * Acknowledged: all notices are accepted, or a further message covers the rest.
 * Retried after a minute: an internal error.
 * Given up: never. The cron enqueues a workspace while notices remain.
 */

const MAIL_CONTENT_BY_NOTICE_KIND = { status: STATUS_MAIL_CONTENT, release: RELEASE_MAIL_CONTENT }
const NOTICE_RETRY_DELAY_MS = 60_000

export const feedbackNoticesHandler: MessageHandler<'feedback.notices'> = {
  afterFailure: NOTICE_RETRY_DELAY_MS,
  async handle({ subscriptionId }, { store, outlet, settings, now }) {
    const openStore = store(now())
    const notices = await listNotices(openStore, subscriptionId)
    for (const notice of notices) {
      const mailing = createMailing(MAIL_CONTENT_BY_NOTICE_KIND[notice.kind], settings, readPublicUrl(settings))
      await acceptNoticeMailing(openStore, subscriptionId, notice, mailing)
      await outlet.sendBatch([{ body: createMailAcceptedMessage(subscriptionId, mailing) }])
    }
    if (notices.length === NOTICES_PER_MESSAGE) {
      await outlet.sendBatch([{ body: { kind: 'feedback.notices', subscriptionId } }])
    }
    return undefined
  },
}

export async function enqueueWaitingNotices({ store, outlet }: { store: Store; outlet: MessageOutlet }): Promise<void> {
  const waiting = await listDueWorkspaces(store)
  if (!waiting.length) return
  await outlet.sendBatch(waiting.map((subscriptionId) => ({ body: { kind: 'feedback.notices', subscriptionId } })))
}
