import type { BackgroundDeps, MessageHandler } from '../../background'
import type { Store } from '../../db/client/client'
import { readIdeaUrl, readPortalUrl, readPublicUrl } from '../../env'
import { type MessageOutlet, splitIntoQueueCalls } from '../../messages'
import { readTemplates } from '../mail/digest/stored'
import { completeTemplates } from '../mail/digest/templates'
import { createMailAcceptedMessage, createMailing } from '../mail/statements'
import { chooseDueBatch, makeDigestItem } from './content'
import { readNoticeDelayMs } from './delay'
import { acceptDigests } from './queries/accept'
import { listDetails, listDueRows } from './queries/due'
import { expandNotice } from './queries/expand'
import { takeNext } from './queries/inbox'
import { deleteExpiredNotices, listDueWorkspaces } from './queries/waiting'

/*
 * A message names a workspace. First the recipients of new notices are looked up, then people whose mail is due get it.
 * Each step is one batch that moves the work on: a repeated message, or a second consumer, continues with the next step.
 * Acknowledged: nothing is left to do now, or a further message covers the rest.
 * Retried after a minute: an internal error.
 * Given up: never. The cron enqueues a workspace while notices wait and when mail is due.
 */

const NOTICE_RETRY_DELAY_MS = 60_000
// A step takes up to twenty statements, and an invocation may run 1,000 statements on D1.
const MAX_STEPS_PER_MESSAGE = 40

export const noticesHandler: MessageHandler<'feedback.notices'> = {
  afterFailure: NOTICE_RETRY_DELAY_MS,
  async handle({ subscriptionId }, deps) {
    let steps = 0
    let next = await takeNext(deps.store(deps.now()), subscriptionId, [])
    while (next && steps++ < MAX_STEPS_PER_MESSAGE)
      next = await takeNext(
        deps.store(deps.now()),
        subscriptionId,
        expandNotice(next, readNoticeDelayMs(deps.settings)),
      )
    let isDue = !next
    while (isDue && steps++ < MAX_STEPS_PER_MESSAGE) isDue = await sendDueDigests(deps, subscriptionId)
    if (next || isDue) await deps.outlet.sendBatch([{ body: { kind: 'feedback.notices', subscriptionId } }])
    return undefined
  },
}

/** Returns whether further mail may be due. */
async function sendDueDigests({ store, outlet, settings, now }: BackgroundDeps, subscriptionId: number) {
  const openStore = store(now())
  const { rows, mailSettings } = await listDueRows(openStore, subscriptionId)
  if (!rows.length) return false
  const { people, read, chosen } = chooseDueBatch(rows)
  const details = await listDetails(openStore, subscriptionId, chosen)
  const links = { portalUrl: readPortalUrl(settings), linksIdeas: mailSettings?.ideaUrl == null }
  const items = await Promise.all(
    details.map(async (detail) => [detail.id, await makeDigestItem(detail, links)] as const),
  )
  const templates = readTemplates(mailSettings?.mailTemplates)
  const { subject, text } = completeTemplates(templates).digest
  const mailing = createMailing({ subject, text, html: '' }, settings, readPublicUrl(settings))
  const ideaUrl = mailSettings?.ideaUrl ?? readIdeaUrl(settings)
  await acceptDigests(
    openStore,
    subscriptionId,
    {
      people: JSON.stringify(people),
      read: JSON.stringify(read),
      chosen: JSON.stringify(chosen),
      shown: JSON.stringify(details.map(({ id }) => id)),
      shared: JSON.stringify({ items: Object.fromEntries(items), ideaUrl, templates }),
    },
    mailing,
  )
  await outlet.sendBatch([{ body: createMailAcceptedMessage(subscriptionId, mailing) }])
  return true
}

export async function enqueueWaitingNotices({ store, outlet }: { store: Store; outlet: MessageOutlet }): Promise<void> {
  await deleteExpiredNotices(store)
  for (const some of splitIntoQueueCalls(await listDueWorkspaces(store)))
    await outlet.sendBatch(some.map((subscriptionId) => ({ body: { kind: 'feedback.notices', subscriptionId } })))
}
