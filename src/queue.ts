import type { BackgroundDeps, MessageHandler } from './background'
import { createMeter } from './db/client/batch'
import { feedbackNoticesHandler } from './feedback/notices/handler'
import type { MessageKind, QueueMessage } from './messages'
import { mailAcceptedHandler, mailChunkHandler, mailSliceHandler } from './people/mail/delivery/handler'
import { logError } from './text/log'
import { importRunHandler } from './workspace/imports/work/handler'
import { receiptHandler } from './workspace/incoming-webhooks/work/handler'
import { webhookDeliverHandler, webhookWakeHandler } from './workspace/webhooks/delivery/handler'

/*
 * Acknowledged: the handler returns undefined.
 * Retried: the handler returns a delay or throws; a failure affects only its own message. A message of an unknown kind
 * comes from a newer version and is retried every hour.
 * Dead letters: go to the kind's `handleDead` or else to `handle`, with the same rules.
 */

const MESSAGE_HANDLERS: { [K in MessageKind]: MessageHandler<K> } = {
  'mail.accepted': mailAcceptedHandler,
  'mail.chunk': mailChunkHandler,
  'mail.slice': mailSliceHandler,
  'feedback.notices': feedbackNoticesHandler,
  'import.run': importRunHandler,
  'hook.receipt': receiptHandler,
  'webhook.wake': webhookWakeHandler,
  'webhook.deliver': webhookDeliverHandler,
}

const DEAD_LETTER_QUEUE_SUFFIX = '-dead-letters'

// With the retries of both queues, nearly two days remain to deploy the newer version again.
const UNKNOWN_KIND_RETRY_MS = 3_600_000

export async function handleQueueBatch(batch: MessageBatch<QueueMessage>, deps: BackgroundDeps): Promise<void> {
  const dead = batch.queue.endsWith(DEAD_LETTER_QUEUE_SUFFIX)
  const settle = async (message: Message<QueueMessage>) => {
    const [start, meter] = [Date.now(), createMeter()]
    const delay = await handleMessage(message.body, dead, { ...deps, store: (now) => deps.store(now, meter) })
    deps.record({
      kind: 'message',
      operation: `${dead ? 'dead ' : ''}${message.body?.kind}`,
      outcome: delay === undefined ? 'acknowledged' : 'retried',
      workspace: message.body?.subscriptionId,
      ms: Date.now() - start,
      meter,
    })
    if (delay === undefined) message.ack()
    else message.retry({ delaySeconds: Math.ceil(delay / 1000) })
  }
  const inTurn = async () => {
    for (const message of batch.messages) if (!isWebhookMessage(message)) await settle(message)
  }
  await Promise.all([inTurn(), ...batch.messages.filter(isWebhookMessage).map(settle)])
}

/** Webhook messages wait for receivers, and a slow receiver must not block the rest. */
const isWebhookMessage = ({ body }: Message<QueueMessage | null>) =>
  body?.kind === 'webhook.wake' || body?.kind === 'webhook.deliver'

async function handleMessage(
  message: QueueMessage,
  isDeadLetter: boolean,
  deps: BackgroundDeps,
): Promise<number | undefined> {
  const handler = findMessageHandler(message)
  if (!handler) {
    const kind = String(message?.kind)
    logError('This version does not know the kind of a queue message; the queue will retry the message.', { kind })
    return UNKNOWN_KIND_RETRY_MS
  }
  try {
    return await (isDeadLetter && handler.handleDead
      ? handler.handleDead(message, deps)
      : handler.handle(message, deps))
  } catch (cause) {
    const { kind, subscriptionId: workspace, ...ids } = message
    logError('A queue message failed; the queue will retry the message.', { kind, workspace, ...ids }, cause)
    return handler.afterFailure
  }
}

function findMessageHandler<K extends MessageKind>(message: QueueMessage<K> | null): MessageHandler<K> | undefined {
  return message && Object.hasOwn(MESSAGE_HANDLERS, message.kind) ? MESSAGE_HANDLERS[message.kind] : undefined
}
