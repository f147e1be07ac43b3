import type { Store } from '../../../db/client'
import type { Settings } from '../../../env'
import { inCalls, type Outlet } from '../../../messages'
import { CALLS_AT_ONCE } from '../providers/limits'
import { freezeSlice, type SliceName, waitingSlices } from './queries/slices'
import { type Waiting, waitingChunks } from './queries/wake'

interface Given {
  store: Store
  outlet: Outlet
  settings: Pick<Settings, 'MAIL_PROVIDER'>
}

export async function wakeMailing(given: Given, subscriptionId: number, emailId: number): Promise<void> {
  const [slices] = await given.store.batch(subscriptionId, waitingSlices.ofMailing({ emailId }))
  await put(given, waitingSlices, slices)
  const [chunks] = await given.store.batch(subscriptionId, waitingChunks.ofMailing({ emailId }))
  await put(given, waitingChunks, chunks)
}

export async function wakeSlice(given: Given, name: SliceName): Promise<void> {
  await put(given, waitingChunks, await freezeSlice(given.store, name))
}

/**
 * Enqueues rows that were committed but never enqueued, rows that waited too long, and rows that an attempt left
 * behind.
 */
export async function wakeDue(given: Given): Promise<void> {
  const [slices] = await given.store.batch(null, waitingSlices.due({}))
  await put(given, waitingSlices, slices)
  const [chunks] = await given.store.batch(null, waitingChunks.due({}))
  await put(given, waitingChunks, chunks)
}

const AT_ONCE = 20
// Queues delay a message by at most twelve hours.
const LONGEST = 43_200

/**
 * Seconds of delay for a chunk: as long as the provider needs for the preceding chunks at a second per call. A mailing
 * accepted meanwhile waits behind a few chunks of a large mailing instead of all. Retried chunks get no delay.
 */
function holdOf(
  { chunk = 0, attempts = 0 }: { chunk?: number; attempts?: number },
  { MAIL_PROVIDER }: Given['settings'],
) {
  if (attempts > 0 || chunk < AT_ONCE) return 0
  return Math.min(Math.floor((chunk - AT_ONCE) / (CALLS_AT_ONCE[MAIL_PROVIDER] ?? 1)), LONGEST)
}

// Enqueues before marking: an interruption in between enqueues a chunk twice, which is harmless, instead of never.
async function put<Name extends object>(given: Given, { message, mark }: Waiting<Name>, names: Name[]): Promise<void> {
  const held = names.map((name) => ({ ...name, hold: holdOf(name, given.settings) }))
  for (const some of inCalls(held)) {
    await given.outlet.sendBatch(
      some.map((name) => ({ body: message(name), ...(name.hold && { delaySeconds: name.hold }) })),
    )
    await given.store.batch(null, mark({ names: JSON.stringify(some) }))
  }
}
