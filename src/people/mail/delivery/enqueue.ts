import type { Store } from '../../../db/client/client'
import type { Settings } from '../../../env'
import { type MessageOutlet, splitIntoQueueCalls } from '../../../messages'
import { MAX_CONCURRENT_CALLS } from '../providers/limits'
import { expandSlice, type SliceKey, waitingSlices } from './queries/slices'
import { type WaitingRows, waitingChunks } from './queries/waiting'

interface EnqueueContext {
  store: Store
  outlet: MessageOutlet
  settings: Pick<Settings, 'MAIL_PROVIDER'>
}

export async function enqueueMailing(given: EnqueueContext, subscriptionId: number, emailId: number): Promise<void> {
  const [slices] = await given.store.batch(subscriptionId, waitingSlices.selectNew({ emailId }))
  await enqueueWaitingRows(given, waitingSlices, slices)
  const [chunks] = await given.store.batch(subscriptionId, waitingChunks.selectNew({ emailId }))
  await enqueueWaitingRows(given, waitingChunks, chunks)
}

export async function enqueueSlice(given: EnqueueContext, name: SliceKey): Promise<void> {
  await enqueueWaitingRows(given, waitingChunks, await expandSlice(given.store, name))
}

export async function enqueueDueMail(given: EnqueueContext): Promise<void> {
  const [slices] = await given.store.batch(null, waitingSlices.selectDue({}))
  await enqueueWaitingRows(given, waitingSlices, slices)
  const [chunks] = await given.store.batch(null, waitingChunks.selectDue({}))
  await enqueueWaitingRows(given, waitingChunks, chunks)
}

const UNDELAYED_CHUNKS_PER_MAILING = 20
// Queues delay a message by at most twelve hours.
const MAX_QUEUE_DELAY_SECONDS = 43_200

/**
 * Seconds that the provider needs for the preceding chunks at a second per call, so a mailing accepted meanwhile waits
 * behind a few chunks of a large mailing instead of all. Retried chunks get no delay.
 */
function computeChunkDelay(
  { chunk = 0, attempts = 0 }: { chunk?: number; attempts?: number },
  { MAIL_PROVIDER }: EnqueueContext['settings'],
) {
  if (attempts > 0 || chunk < UNDELAYED_CHUNKS_PER_MAILING) return 0
  return Math.min(
    Math.floor((chunk - UNDELAYED_CHUNKS_PER_MAILING) / (MAX_CONCURRENT_CALLS[MAIL_PROVIDER] ?? 1)),
    MAX_QUEUE_DELAY_SECONDS,
  )
}

// Enqueues before marking: an interruption in between enqueues a chunk twice, which is harmless, instead of never.
async function enqueueWaitingRows<Name extends object>(
  given: EnqueueContext,
  { toMessage, markEnqueued }: WaitingRows<Name>,
  names: Name[],
): Promise<void> {
  const held = names.map((name) => ({ ...name, delaySeconds: computeChunkDelay(name, given.settings) }))
  for (const some of splitIntoQueueCalls(held)) {
    await given.outlet.sendBatch(
      some.map((name) => ({ body: toMessage(name), ...(name.delaySeconds && { delaySeconds: name.delaySeconds }) })),
    )
    await given.store.batch(null, markEnqueued({ names: JSON.stringify(some) }))
  }
}
