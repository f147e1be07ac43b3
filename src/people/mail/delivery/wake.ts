import type { Store } from '../../../db/client'
import { inCalls, type Outlet } from '../../../messages'
import { freezeSlice, type SliceName, waitingSlices } from './queries/slices'
import { type Waiting, waitingChunks } from './queries/wake'

interface Given {
  store: Store
  outlet: Outlet
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

// Queued before it is marked: an interruption in between wakes a chunk twice, which is harmless, and never not at all.
async function put<Name>({ store, outlet }: Given, { message, mark }: Waiting<Name>, names: Name[]): Promise<void> {
  for (const some of inCalls(names)) {
    await outlet.sendBatch(some.map((name) => ({ body: message(name) })))
    await store.batch(null, mark({ names: JSON.stringify(some) }))
  }
}
