import type { BackgroundDeps, MessageDeps, MessageHandler } from './background'
import { runCronJobs } from './cron'
import { createDatabaseMeter } from './db/client/batch'
import type { Origin } from './db/sql/origin'
import { repeatAfterMove } from './http/home'
import type { MessageKind, QueueMessage } from './messages'
import { confirmationsHandler } from './people/confirmations/handler'
import { noticesHandler } from './people/digests/handler'
import { erasureHandler } from './people/erasure/handler'
import { mailAcceptedHandler, mailChunkHandler, mailSliceHandler } from './people/mail/delivery/handler'
import { logError } from './text/log'
import { exportRunHandler } from './workspace/exports/work/handler'
import { importRunHandler } from './workspace/imports/work/handler'
import { receiptHandler } from './workspace/incoming-webhooks/work/handler'
import { moveHandler } from './workspace/moves/handler'
import { keepFailedMessage } from './workspace/operating/dead-letters'
import { webhookDeliverHandler, webhookWakeHandler } from './workspace/webhooks/delivery/handler'

/*
 * Acknowledged: the handler returns undefined.
 * Retried: the handler returns a delay or throws; a failure affects only its own message. A message of an unknown kind
 * comes from a newer version and is retried every hour.
 * Dead letters: go to the kind's `handleDead` or else to `handle`, with the same rules. A dead letter that still fails is
 * kept in a table, and an operator can replay the letter.
 */

/** The jobs claim their work, and the next minute repeats a job that fails. */
const cronHandler: MessageHandler<'home.cron'> = {
  async handle(_, deps) {
    await runCronJobs(deps)
    return undefined
  },
  afterFailure: 60_000,
}

const MESSAGE_HANDLERS: { [K in MessageKind]: MessageHandler<K> } = {
  'home.cron': cronHandler,
  'mail.accepted': mailAcceptedHandler,
  'mail.chunk': mailChunkHandler,
  'mail.slice': mailSliceHandler,
  'member.erase': erasureHandler,
  'feedback.notices': noticesHandler,
  'segment.confirmations': confirmationsHandler,
  'import.run': importRunHandler,
  'export.run': exportRunHandler,
  'workspace.move': moveHandler,
  'hook.receipt': receiptHandler,
  'webhook.wake': webhookWakeHandler,
  'webhook.deliver': webhookDeliverHandler,
}

const DEAD_LETTER_QUEUE_SUFFIX = '-dead-letters'

// With the retries of both queues, nearly two days remain to deploy the newer version again.
const UNKNOWN_KIND_RETRY_MS = 3_600_000

const QUEUE_ORIGIN: Origin = { via: 'queue', id: null }

// The queue drops a message after 20 retries (wrangler.toml). Some attempts remain for a failing database.
const KEPT_AFTER_ATTEMPTS = 15

export async function handleQueueBatch(batch: MessageBatch<QueueMessage>, deps: BackgroundDeps): Promise<void> {
  const dead = batch.queue.endsWith(DEAD_LETTER_QUEUE_SUFFIX)
  const connections = shareConnections(batch.messages.filter(isWebhookMessage))
  const settle = async (message: Message<QueueMessage>) => {
    const [start, meter] = [Date.now(), createDatabaseMeter()]
    const connect = connections.get(message.body?.subscriptionId) ?? ((call) => call())
    const openHome = (): MessageDeps => {
      const { subscriptionId } = message.body ?? {}
      // A message of an unknown shape names no workspace.
      const home = (typeof subscriptionId === 'number' ? deps.openHome?.(subscriptionId) : undefined) ?? deps
      const store: BackgroundDeps['store'] = (now, own = meter, origin = QUEUE_ORIGIN) => home.store(now, own, origin)
      return { ...deps, ...home, connect, store }
    }
    const retryDelay = await handleMessage(message.body, dead, openHome)
    const failedForGood = dead && retryDelay !== undefined && message.attempts >= KEPT_AFTER_ATTEMPTS
    const keep = () => keepFailedMessage(() => openHome().store(deps.now()), message.body, retryDelay ?? 0)
    const delay = failedForGood ? await keep() : retryDelay
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
  const [, ...further] = batch.messages.filter(
    ({ body }) => body?.kind === 'home.cron' || body?.kind === 'workspace.move',
  )
  const later = new Set<unknown>(further)
  // The limits of an invocation hold for the cron of one home, or for one move.
  for (const message of further) message.retry({ delaySeconds: 1 })
  const settleInTurn = async (messages: readonly Message<QueueMessage>[]) => {
    for (const message of messages) await settle(message)
  }
  await Promise.all(
    [
      ...Map.groupBy(
        batch.messages.filter((message) => !later.has(message)),
        nameTurn,
      ).values(),
    ].map(settleInTurn),
  )
}

/**
 * Messages with the same name are handled in turn, and others at the same time. The work of a workspace, such as an
 * import, must not block another workspace, and a slow receiver of webhooks blocks no other message. The mail provider
 * gets one call at a time. An export holds up to 60 MB, so the nightly backups of several workspaces take turns.
 */
function nameTurn({ id, body }: Message<QueueMessage | null>): string {
  if (isWebhookMessage({ body })) return `message ${id}`
  if (body?.kind === 'export.run') return 'export'
  return body?.kind === 'mail.chunk' ? 'mail' : `workspace ${body?.subscriptionId}`
}

const isWebhookMessage = ({ body }: Pick<Message<QueueMessage | null>, 'body'>) =>
  body?.kind === 'webhook.wake' || body?.kind === 'webhook.deliver'

// The platform limits an invocation to six open connections.
const MAX_CONNECTIONS = 6

/** Slow receivers of one workspace must not take the connections of the others. */
function shareConnections(messages: readonly Message<QueueMessage>[]): Map<number, MessageDeps['connect']> {
  const workspaces = new Set(messages.map(({ body }) => body.subscriptionId))
  const share = Math.max(1, Math.floor(MAX_CONNECTIONS / workspaces.size))
  return new Map([...workspaces].map((subscriptionId) => [subscriptionId, createConnectionLimit(share)]))
}

function createConnectionLimit(max: number): MessageDeps['connect'] {
  const waiting: (() => void)[] = []
  let free = max
  return async (call) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      await call()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

async function handleMessage(
  message: QueueMessage,
  isDeadLetter: boolean,
  openHome: () => MessageDeps,
): Promise<number | undefined> {
  const handler = findMessageHandler(message)
  if (!handler) {
    const kind = String(message?.kind)
    logError('This version does not know the kind of a queue message; the queue will retry the message.', { kind })
    return UNKNOWN_KIND_RETRY_MS
  }
  try {
    return await repeatAfterMove(message.subscriptionId, () =>
      isDeadLetter && handler.handleDead
        ? handler.handleDead(message, openHome())
        : handler.handle(message, openHome()),
    )
  } catch (cause) {
    const { kind, subscriptionId: workspace, ...ids } = message
    logError('A queue message failed; the queue will retry the message.', { kind, workspace, ...ids }, cause)
    return handler.afterFailure
  }
}

function findMessageHandler<K extends MessageKind>(message: QueueMessage<K> | null): MessageHandler<K> | undefined {
  return message && Object.hasOwn(MESSAGE_HANDLERS, message.kind) ? MESSAGE_HANDLERS[message.kind] : undefined
}
