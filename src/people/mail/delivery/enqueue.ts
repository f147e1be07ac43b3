import type { Store } from '../../../db/client/client'
import type { Settings } from '../../../env'
import { type Outlet, splitIntoCalls } from '../../../messages'
import { MAX_CONCURRENT_CALLS } from '../providers/limits'
import { expandSlice, type SliceKey, waitingSlices } from './queries/slices'
import { type WaitingRows, waitingChunks } from './queries/waiting'

interface EnqueueContext {
  store: Store
  outlet: Outlet
  settings: Pick<Settings, 'MAIL_PROVIDER'>
}

export async function enqueueMailing(given: EnqueueContext, subscriptionId: number, emailId: number): Promise<void> {
  const [slices] = await given.store.batch(subscriptionId, waitingSlices.selectNew({ emailId }))
  await enqueueRows(given, waitingSlices, slices)
  const [chunks] = await given.store.batch(subscriptionId, waitingChunks.selectNew({ emailId }))
  await enqueueRows(given, waitingChunks, chunks)
}

export async function enqueueSlice(given: EnqueueContext, name: SliceKey): Promise<void> {
  await enqueueRows(given, waitingChunks, await expandSlice(given.store, name))
}

export async function enqueueDue(given: EnqueueContext): Promise<void> {
  const [slices] = await given.store.batch(null, waitingSlices.selectDue({}))
  await enqueueRows(given, waitingSlices, slices)
  const [chunks] = await given.store.batch(null, waitingChunks.selectDue({}))
  await enqueueRows(given, waitingChunks, chunks)
}

const UNDELAYED_CHUNKS = 20
// Queues delay a message by at most twelve hours.
const MAX_DELAY = 43_200

/**
 * Seconds that the provider needs for the preceding chunks at a second per call, so a mailing accepted meanwhile waits
 * behind a few chunks of a large mailing instead of all. Retried chunks get no delay.
 */
function delayOf(
  { chunk = 0, attempts = 0 }: { chunk?: number; attempts?: number },
  { MAIL_PROVIDER }: EnqueueContext['settings'],
) {
  if (attempts > 0 || chunk < UNDELAYED_CHUNKS) return 0
  return Math.min(Math.floor((chunk - UNDELAYED_CHUNKS) / (MAX_CONCURRENT_CALLS[MAIL_PROVIDER] ?? 1)), MAX_DELAY)
}

// Enqueues before marking: an interruption in between enqueues a chunk twice, which is harmless, instead of never.
async function enqueueRows<Name extends object>(
  given: EnqueueContext,
  { toMessage, markEnqueued }: WaitingRows<Name>,
  names: Name[],
): Promise<void> {
  const held = names.map((name) => ({ ...name, hold: delayOf(name, given.settings) }))
  for (const some of splitIntoCalls(held)) {
    await given.outlet.sendBatch(
      some.map((name) => ({ body: toMessage(name), ...(name.hold && { delaySeconds: name.hold }) })),
    )
    await given.store.batch(null, markEnqueued({ names: JSON.stringify(some) }))
  }
}
