import type { Deps, Handler } from './background'
import { feedbackNotices } from './feedback/notices/handler'
import type { Kind, QueueMessage } from './messages'
import { mailAccepted, mailChunk, mailSlice } from './people/mail/delivery/handler'
import { importRun } from './workspace/imports/work/handler'
import { hookReceipt } from './workspace/incoming-webhooks/work/handler'
import { webhookDeliver, webhookWake } from './workspace/webhooks/delivery/handler'

/*
 * The queue's one door: each message goes to the handler of its kind, in turn; those of webhooks beside them.
 *
 * Acknowledged: its handler is done with it.
 * Retried: its handler asks for it again, or failed; a neighbour's failure is its own. A kind that this version does not
 *   know is a newer version's, and comes again every hour.
 * Dead letters: what the queue gave up on comes here again, and goes to what its kind names for that, or else to the
 *   kind's handler; it is acknowledged and retried like any other.
 */

const HANDLERS: { [K in Kind]: Handler<K> } = {
  'mail.accepted': mailAccepted,
  'mail.chunk': mailChunk,
  'mail.slice': mailSlice,
  'feedback.notices': feedbackNotices,
  'import.run': importRun,
  'hook.receipt': hookReceipt,
  'webhook.wake': webhookWake,
  'webhook.deliver': webhookDeliver,
}

const DEAD_LETTERS = '-dead-letters'

// With the retries of both queues nearly two days, in which the version that knows it comes back.
const UNKNOWN_DELAY = 3_600_000

/** Handles a batch of the queue, or of its dead letters. */
export async function consume(batch: MessageBatch<QueueMessage>, deps: Deps): Promise<void> {
  const dead = batch.queue.endsWith(DEAD_LETTERS)
  const settle = async (message: Message<QueueMessage>) => {
    const delay = await delayOf(message.body, dead, deps)
    if (delay === undefined) message.ack()
    else message.retry({ delaySeconds: Math.ceil(delay / 1000) })
  }
  const inTurn = async () => {
    for (const message of batch.messages) if (!waits(message)) await settle(message)
  }
  await Promise.all([inTurn(), ...batch.messages.filter(waits).map(settle)])
}

/** Webhooks wait for receivers, of which a slow one is not to hold up others. */
const waits = ({ body }: Message<QueueMessage | null>) =>
  body?.kind === 'webhook.wake' || body?.kind === 'webhook.deliver'

async function delayOf(message: QueueMessage, dead: boolean, deps: Deps): Promise<number | undefined> {
  const handler = handlerOf(message)
  if (!handler) {
    console.error('A message of a kind that this version does not know; it comes again.', message)
    return UNKNOWN_DELAY
  }
  try {
    return await (dead && handler.handleDead ? handler.handleDead(message, deps) : handler.handle(message, deps))
  } catch (cause) {
    console.error('A message of the queue could not be handled; it comes again.', message, cause)
    return handler.afterFailure
  }
}

// Whoever runs the service can put anything on its queue by hand, null as well.
function handlerOf<K extends Kind>(message: QueueMessage<K> | null): Handler<K> | undefined {
  return message && Object.hasOwn(HANDLERS, message.kind) ? HANDLERS[message.kind] : undefined
}
