import type { BackgroundDeps, MessageDeps, MessageHandler } from '../../../background'
import { type QueueMessage, splitIntoQueueCalls } from '../../../messages'
import { fanOutArchivedEvents } from './archive'
import { type DueEndpoint, fanOutEvents, listDueFeeds, markFeedsEnqueued } from './queries/fan-out'
import { deliverDueEvents, type EndpointKey } from './run'

/*
 * Queue consumer. The log and the archive keep the events and each endpoint has a position: a lost message loses no event.
 * Acknowledged: due deliveries were attempted or are claimed by another run. Retried: a failure of the database. Given
 * up: an event after ten attempts in three days; an endpoint after a 410, or five days without a success. The cron
 * finds the rest.
 */

const DELIVERY_RETRY_DELAY_MS = 60_000
// The message itself serves a few endpoints. Further endpoints get a message each, for parallel invocations.
const MAX_ENDPOINTS_PER_MESSAGE = 5
const MAX_FAN_OUT_ROUNDS = 10

export const webhookWakeHandler: MessageHandler<'webhook.wake'> = {
  afterFailure: DELIVERY_RETRY_DELAY_MS,
  async handle({ subscriptionId }, deps) {
    const nameOf = ({ id }: DueEndpoint): EndpointKey => ({ subscriptionId, webhookId: id })
    const waiting = new Map<number, DueEndpoint>()
    for (let round = 1; ; round++) {
      const { due, more, archiveReader } = await fanOutEvents(deps.store(deps.now()), subscriptionId)
      if (archiveReader) await fanOutArchivedEvents(subscriptionId, archiveReader, deps)
      for (const one of due) waiting.set(one.id, one)
      const ends = !more || round === MAX_FAN_OUT_ROUNDS
      // Endpoints of the first round are already being served, and find the events of later rounds.
      if (round > 1 && !ends) continue
      const all = [...waiting.values()]
      waiting.clear()
      const here = more ? [] : all.filter(({ failures }) => failures === 0).slice(0, MAX_ENDPOINTS_PER_MESSAGE)
      const elsewhere = all.filter((one) => !here.includes(one))
      await enqueueDeliveries(elsewhere.map(nameOf), deps)
      await Promise.all(here.map((one) => deliverAndReenqueue(nameOf(one), deps)))
      if (!ends) continue
      if (more) await deps.outlet.sendBatch([{ body: { kind: 'webhook.wake', subscriptionId } }])
      return undefined
    }
  },
}

export const webhookDeliverHandler: MessageHandler<'webhook.deliver'> = {
  afterFailure: DELIVERY_RETRY_DELAY_MS,
  async handle({ subscriptionId, webhookId }, deps) {
    await deliverAndReenqueue({ subscriptionId, webhookId }, deps)
    return undefined
  },
}

async function deliverAndReenqueue(name: EndpointKey, deps: MessageDeps): Promise<void> {
  const delay = await deliverDueEvents(name, deps)
  if (delay === undefined) return
  const body: QueueMessage = { kind: 'webhook.deliver', ...name }
  await deps.outlet.sendBatch([{ body, delaySeconds: Math.ceil(delay / 1000) }])
}

async function enqueueDeliveries(
  names: readonly EndpointKey[],
  { outlet }: Pick<BackgroundDeps, 'outlet'>,
): Promise<void> {
  for (const some of splitIntoQueueCalls(names)) {
    await outlet.sendBatch(some.map((name) => ({ body: { kind: 'webhook.deliver', ...name } })))
  }
}

export async function enqueueDueFeeds({
  store,
  outlet,
}: Pick<BackgroundDeps, 'outlet'> & { store: ReturnType<BackgroundDeps['store']> }) {
  for (const some of splitIntoQueueCalls(await listDueFeeds(store))) {
    await outlet.sendBatch(some.map((subscriptionId) => ({ body: { kind: 'webhook.wake', subscriptionId } })))
    await markFeedsEnqueued(store, some)
  }
}
