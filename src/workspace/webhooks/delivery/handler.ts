import type { Deps, Handler } from '../../../background'
import { type QueueMessage, splitIntoCalls } from '../../../messages'
import { type DueEndpoint, fanOut, listFeeds, markFeedsEnqueued } from './queries/fan-out'
import { deliverDue, type EndpointKey } from './run'

/*
 * Queue consumer. The log keeps new events and each endpoint has a position in the log: a lost message loses no event.
 * Acknowledged: due deliveries were attempted or are claimed by another run. Retried: a failure of the database. Given
 * up: an event after ten attempts in three days; an endpoint after a 410, or five days without a success. The cron
 * finds the rest.
 */

const AFTER_FAILURE = 60_000
// The message itself serves a few endpoints. Further endpoints get a message each, for parallel invocations.
const MAX_INLINE_ENDPOINTS = 5
const MAX_ROUNDS = 10

export const webhookWake: Handler<'webhook.wake'> = {
  afterFailure: AFTER_FAILURE,
  async handle({ subscriptionId }, deps) {
    const nameOf = ({ id }: DueEndpoint): EndpointKey => ({ subscriptionId, webhookId: id })
    const waiting = new Map<number, DueEndpoint>()
    for (let round = 1; ; round++) {
      const { due, more } = await fanOut(deps.store(deps.now()), subscriptionId)
      for (const one of due) waiting.set(one.id, one)
      const ends = !more || round === MAX_ROUNDS
      // Endpoints of the first round are already being served, and find the events of later rounds.
      if (round > 1 && !ends) continue
      const all = [...waiting.values()]
      waiting.clear()
      const here = more ? [] : all.filter(({ failures }) => failures === 0).slice(0, MAX_INLINE_ENDPOINTS)
      const elsewhere = all.filter((one) => !here.includes(one))
      await enqueueDeliveries(elsewhere.map(nameOf), deps)
      await Promise.all(here.map((one) => deliverAndReenqueue(nameOf(one), deps)))
      if (!ends) continue
      if (more) await deps.outlet.sendBatch([{ body: { kind: 'webhook.wake', subscriptionId } }])
      return undefined
    }
  },
}

export const webhookDeliver: Handler<'webhook.deliver'> = {
  afterFailure: AFTER_FAILURE,
  async handle({ subscriptionId, webhookId }, deps) {
    await deliverAndReenqueue({ subscriptionId, webhookId }, deps)
    return undefined
  },
}

async function deliverAndReenqueue(name: EndpointKey, deps: Deps): Promise<void> {
  const delay = await deliverDue(name, deps)
  if (delay === undefined) return
  const body: QueueMessage = { kind: 'webhook.deliver', ...name }
  await deps.outlet.sendBatch([{ body, delaySeconds: Math.ceil(delay / 1000) }])
}

async function enqueueDeliveries(names: readonly EndpointKey[], { outlet }: Pick<Deps, 'outlet'>): Promise<void> {
  for (const some of splitIntoCalls(names)) {
    await outlet.sendBatch(some.map((name) => ({ body: { kind: 'webhook.deliver', ...name } })))
  }
}

export async function wakeFeeds({ store, outlet }: Pick<Deps, 'outlet'> & { store: ReturnType<Deps['store']> }) {
  for (const some of splitIntoCalls(await listFeeds(store))) {
    await outlet.sendBatch(some.map((subscriptionId) => ({ body: { kind: 'webhook.wake', subscriptionId } })))
    await markFeedsEnqueued(store, some)
  }
}
