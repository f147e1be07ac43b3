import type { MessageHandler } from '../../background'
import type { Store } from '../../db/client/client'
import { type MessageOutlet, splitIntoQueueCalls } from '../../messages'
import { createMailAcceptedMessage } from '../mail/statements'
import { createConfirmationMail } from './mail'
import { acceptConfirmationMail, findDueSegment, listDueWorkspaces } from './queries/ask'

/*
 * A message names a workspace. Each step is one batch that accepts the mail to the due members of a segment and ends
 * that they are due: a repeated message, or a second consumer, continues with the next step.
 * Acknowledged: nobody is due now, or a further message covers the rest.
 * Retried after a minute: an internal error.
 * Given up: never. The cron enqueues a workspace while members are due.
 */

const CONFIRMATIONS_RETRY_DELAY_MS = 60_000
// A step takes about twelve statements, and an invocation may run 1,000 statements on D1.
const MAX_STEPS_PER_MESSAGE = 40

export const confirmationsHandler: MessageHandler<'segment.confirmations'> = {
  afterFailure: CONFIRMATIONS_RETRY_DELAY_MS,
  async handle({ subscriptionId }, { store, now, settings, outlet }) {
    for (let step = 0; step < MAX_STEPS_PER_MESSAGE; step++) {
      const openStore = store(now())
      const segmentId = await findDueSegment(openStore, subscriptionId)
      if (segmentId === undefined) return undefined
      const mailing = createConfirmationMail(settings)
      await acceptConfirmationMail(openStore, subscriptionId, segmentId, mailing)
      await outlet.sendBatch([{ body: createMailAcceptedMessage(subscriptionId, mailing) }])
    }
    await outlet.sendBatch([{ body: { kind: 'segment.confirmations', subscriptionId } }])
    return undefined
  },
}

export async function enqueueDueConfirmations({ store, outlet }: { store: Store; outlet: MessageOutlet }) {
  for (const some of splitIntoQueueCalls(await listDueWorkspaces(store)))
    await outlet.sendBatch(some.map((subscriptionId) => ({ body: { kind: 'segment.confirmations', subscriptionId } })))
}
