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

/** Puts the chunks of an accepted mailing on the queue, and its slices, where it has any. */
export async function wakeMailing(given: Given, subscriptionId: number, emailId: number): Promise<void> {
  const [slices] = await given.store.batch(subscriptionId, waitingSlices.ofMailing({ emailId }))
  await put(given, waitingSlices, slices)
  const [chunks] = await given.store.batch(subscriptionId, waitingChunks.ofMailing({ emailId }))
  await put(given, waitingChunks, chunks)
}

/** Writes the recipients of a slice, and puts their chunks on the queue. */
export async function wakeSlice(given: Given, name: SliceName): Promise<void> {
  await put(given, waitingChunks, await freezeSlice(given.store, name))
}

/** Puts on the queue what was committed and not woken, what waited long enough, and what an attempt left behind. */
export async function wakeDue(given: Given): Promise<void> {
  const [slices] = await given.store.batch(null, waitingSlices.due({}))
  await put(given, waitingSlices, slices)
  const [chunks] = await given.store.batch(null, waitingChunks.due({}))
  await put(given, waitingChunks, chunks)
}

// Chunks of a mailing that the queue has at once.
const AT_ONCE = 20
// Queues hold a message back for at most twelve hours.
const LONGEST = 43_200

/**
 * Seconds for which the queue is to hold a chunk back: as long as the provider takes for those before it, at a second a
 * call. A mailing that is accepted meanwhile so stands behind a few of a large one, not behind all of them. What was tried
 * before waits no more.
 */
function holdOf(
  { chunk = 0, attempts = 0 }: { chunk?: number; attempts?: number },
  { MAIL_PROVIDER }: Given['settings'],
) {
  if (attempts > 0 || chunk < AT_ONCE) return 0
  return Math.min(Math.floor((chunk - AT_ONCE) / (CALLS_AT_ONCE[MAIL_PROVIDER] ?? 1)), LONGEST)
}

// Queued before it is marked: an interruption in between wakes a chunk twice, which is harmless, and never not at all.
async function put<Name extends object>(given: Given, { message, mark }: Waiting<Name>, names: Name[]): Promise<void> {
  const held = names.map((name) => ({ ...name, hold: holdOf(name, given.settings) }))
  for (const some of inCalls(held)) {
    await given.outlet.sendBatch(
      some.map((name) => ({ body: message(name), ...(name.hold && { delaySeconds: name.hold }) })),
    )
    await given.store.batch(null, mark({ names: JSON.stringify(some) }))
  }
}
