import { hasWebhookEndpoints } from '../db/client/listeners'
import type { Env } from '../env'
import { homeOf } from '../homes'
import type { QueueMessage } from '../messages'
import { logWarning } from '../text/log'
import { repeatAfterMove } from './home'

/** Enqueues a message; the cron finds the work of a lost message. */
export async function enqueueMessage({ QUEUE }: Pick<Env, 'QUEUE'>, message: QueueMessage): Promise<void> {
  try {
    await QUEUE.send(message)
  } catch (cause) {
    logWarning(
      'The queue did not accept a message; the cron will find the work.',
      { kind: message.kind, workspace: message.subscriptionId },
      cause,
    )
  }
}

const findEndpoints = (env: Env, subscriptionId: number, now: number) =>
  repeatAfterMove(subscriptionId, () => hasWebhookEndpoints(homeOf(env, subscriptionId).env.DB, subscriptionId, now))

/** `hasWebhooks` is undefined if the work has not read whether the workspace has webhooks. */
export async function enqueueWebhookDelivery(
  env: Env,
  subscriptionId: number,
  { now, hasWebhooks }: { now: number; hasWebhooks?: boolean | undefined },
) {
  await scheduler.wait(0)
  try {
    if (!(hasWebhooks ?? (await findEndpoints(env, subscriptionId, now)))) return
  } catch (cause) {
    logWarning(
      'The webhooks of a workspace were not enqueued; the cron will enqueue the webhooks.',
      { workspace: subscriptionId },
      cause,
    )
    return
  }
  await enqueueMessage(env, { kind: 'webhook.wake', subscriptionId })
}
