import type { Deps, Handler } from '../../../background'
import type { QueueMessage } from '../../../messages'
import { fanOut, listFeeds, markLooked } from './queries/fan-out'
import { deliver, type EndpointName } from './run'

/*
 * What the queue does for webhooks. A write wakes its workspace; the log says what is new there, and each endpoint has a place
 * in it: nothing is lost where a message is. What was claimed and not settled is claimed again when the claim has lapsed,
 * under the same id.
 *
 * Acknowledged: what was due has been attempted, or another run has it; failures wait in the database for their time.
 * Retried: a fault of ours (the database).
 * Given up: an event after ten attempts in three days; an endpoint after a 410, or five days without a success.
 * A dead letter is handled once more like any other; the cron finds whatever is left.
 */

const AFTER_FAILURE = 60_000
// Within the message that finds them due; more get one each, so that other invocations take them.
const INLINE = 5
const MAX_ROUNDS = 10
const MESSAGES_PER_CALL = 100

export const webhookWake: Handler<'webhook.wake'> = {
  afterFailure: AFTER_FAILURE,
  async handle({ subscriptionId }, deps) {
    for (let round = 1; ; round++) {
      const { due, more } = await fanOut(deps.store(deps.now()), subscriptionId)
      const names = due.map(({ id }) => ({ subscriptionId, webhookId: id }))
      const healthy = new Set(due.filter(({ failures }) => failures === 0).map(({ id }) => id))
      const here = more ? [] : names.filter(({ webhookId }) => healthy.has(webhookId)).slice(0, INLINE)
      await enqueue(
        names.filter((name) => !here.includes(name)),
        deps,
      )
      await Promise.all(here.map((name) => deliverAndGoOn(name, deps)))
      if (!more) return undefined
      if (round === MAX_ROUNDS) {
        await deps.outlet.sendBatch([{ body: { kind: 'webhook.wake', subscriptionId } }])
        return undefined
      }
    }
  },
}

export const webhookDeliver: Handler<'webhook.deliver'> = {
  afterFailure: AFTER_FAILURE,
  async handle({ subscriptionId, webhookId }, deps) {
    await deliverAndGoOn({ subscriptionId, webhookId }, deps)
    return undefined
  },
}

async function deliverAndGoOn(name: EndpointName, deps: Deps): Promise<void> {
  const delay = await deliver(name, deps)
  if (delay === undefined) return
  const body: QueueMessage = { kind: 'webhook.deliver', ...name }
  await deps.outlet.sendBatch([{ body, delaySeconds: Math.ceil(delay / 1000) }])
}

async function enqueue(names: readonly EndpointName[], { outlet }: Pick<Deps, 'outlet'>): Promise<void> {
  for (let start = 0; start < names.length; start += MESSAGES_PER_CALL) {
    const some = names.slice(start, start + MESSAGES_PER_CALL)
    await outlet.sendBatch(some.map((name) => ({ body: { kind: 'webhook.deliver', ...name } })))
  }
}

/** The cron's part: looks after every workspace that has endpoints, for what was not woken and what waited long enough. */
export async function wakeFeeds({ store, outlet }: Pick<Deps, 'outlet'> & { store: ReturnType<Deps['store']> }) {
  const ids = await listFeeds(store)
  for (let start = 0; start < ids.length; start += MESSAGES_PER_CALL) {
    const some = ids.slice(start, start + MESSAGES_PER_CALL)
    await outlet.sendBatch(some.map((subscriptionId) => ({ body: { kind: 'webhook.wake', subscriptionId } })))
    await markLooked(store, some)
  }
}
