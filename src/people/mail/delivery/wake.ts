import type { Store } from '../../../db/client'
import type { Outlet, QueueMessage } from '../../../messages'
import type { ChunkName } from './queries/chunk'
import { freezeSlice, listDueSlices, listSlices, markSlices, type SliceName } from './queries/slices'
import { listAccepted, listDue, markWoken } from './queries/wake'

// What one call to a queue takes.
const MESSAGES_PER_CALL = 100

interface Given {
  store: Store
  outlet: Outlet
}

/** Puts the chunks of an accepted mailing on the queue, and its slices, where it has any. */
export async function wakeMailing(given: Given, subscriptionId: number, emailId: number): Promise<void> {
  await enqueueSlices(given, await listSlices(given.store, subscriptionId, emailId))
  await enqueue(given, await listAccepted(given.store, subscriptionId, emailId))
}

/** Writes the recipients of a slice, and puts their chunks on the queue. */
export async function wakeSlice(given: Given, name: SliceName): Promise<void> {
  await enqueue(given, await freezeSlice(given.store, name))
}

/** Puts on the queue what was committed and not woken, what waited long enough, and what an attempt left behind. */
export async function wakeDue(given: Given): Promise<void> {
  await enqueueSlices(given, await listDueSlices(given.store))
  await enqueue(given, await listDue(given.store))
}

const enqueue = (given: Given, chunks: ChunkName[]) =>
  put(given, chunks, (chunk) => ({ kind: 'mail.chunk', ...chunk }), markWoken)

const enqueueSlices = (given: Given, slices: SliceName[]) =>
  put(given, slices, (slice) => ({ kind: 'mail.slice', ...slice }), markSlices)

// Queued before it is marked: an interruption in between wakes a chunk twice, which is harmless, and never not at all.
async function put<T>(
  { store, outlet }: Given,
  names: T[],
  message: (name: T) => QueueMessage,
  mark: (store: Store, names: T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < names.length; start += MESSAGES_PER_CALL) {
    const some = names.slice(start, start + MESSAGES_PER_CALL)
    await outlet.sendBatch(some.map((name) => ({ body: message(name) })))
    await mark(store, some)
  }
}
