import type { Deps, Handler } from '../../../background'
import { inCalls, type QueueMessage } from '../../../messages'
import { type DueEndpoint, fanOut, listFeeds, markLooked } from './queries/fan-out'
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

export const webhookWake: Handler<'webhook.wake'> = {
  afterFailure: AFTER_FAILURE,
  async handle({ subscriptionId }, deps) {
    const nameOf = ({ id }: DueEndpoint): EndpointName => ({ subscriptionId, webhookId: id })
    const waiting = new Map<number, DueEndpoint>()
    for (let round = 1; ; round++) {
      const { due, more } = await fanOut(deps.store(deps.now()), subscriptionId)
      for (const one of due) waiting.set(one.id, one)
      const ends = !more || round === MAX_ROUNDS
      // Who is at work already finds what the next rounds bring.
      if (round > 1 && !ends) continue
      const all = [...waiting.values()]
      waiting.clear()
      const here = more ? [] : all.filter(({ failures }) => failures === 0).slice(0, INLINE)
      const elsewhere = all.filter((one) => !here.includes(one))
      await enqueue(elsewhere.map(nameOf), deps)
      await Promise.all(here.map((one) => deliverAndGoOn(nameOf(one), deps)))
      if (!ends) continue
      if (more) await deps.outlet.sendBatch([{ body: { kind: 'webhook.wake', subscriptionId } }])
      return undefined
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
  for (const some of inCalls(names)) {
    await outlet.sendBatch(some.map((name) => ({ body: { kind: 'webhook.deliver', ...name } })))
  }
}

/** The cron's part: looks after every workspace that has endpoints, for what was not woken and what waited long enough. */
export async function wakeFeeds({ store, outlet }: Pick<Deps, 'outlet'> & { store: ReturnType<Deps['store']> }) {
  for (const some of inCalls(await listFeeds(store))) {
    await outlet.sendBatch(some.map((subscriptionId) => ({ body: { kind: 'webhook.wake', subscriptionId } })))
    await markLooked(store, some)
  }
}
