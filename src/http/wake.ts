import { listens } from '../db/listeners'
import type { Env } from '../env'
import type { QueueMessage } from '../messages'

/** Puts a message on the queue; the cron finds the work of one that is lost. */
export async function wake({ QUEUE }: Pick<Env, 'QUEUE'>, message: QueueMessage): Promise<void> {
  try {
    await QUEUE.send(message)
  } catch (cause) {
    console.warn('A queue message was not accepted; the cron will find its work.', cause)
  }
}

/** Has the queue deliver what a write has told the log, once the answer is out. */
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
