import { listens } from '../db/listeners'
import type { Env } from '../env'
import type { QueueMessage } from '../messages'

/** Enqueues a message; the cron finds the work of a lost message. */
export async function wake({ QUEUE }: Pick<Env, 'QUEUE'>, message: QueueMessage): Promise<void> {
  try {
    await QUEUE.send(message)
  } catch (cause) {
    console.warn('A queue message was not accepted; the cron will find its work.', cause)
  }
}

/** Enqueues the delivery of a write's events after the response. */
export async function wakeListeners(env: Pick<Env, 'DB' | 'QUEUE'>, subscriptionId: number, now: number) {
  await scheduler.wait(0)
  try {
    if (!(await listens(env.DB, subscriptionId, now))) return
  } catch (cause) {
    console.warn('Webhooks were not woken; the cron will find what there is for them.', cause)
    return
  }
  await wake(env, { kind: 'webhook.wake', subscriptionId })
}
