import type { Store } from '../../db/client'
import type { Outlet } from '../../outside'
import { type ChunkName, listAccepted, listDue, markWoken } from './delivery/queries'

// What one call to a queue takes.
const MESSAGES_PER_CALL = 100

/** Puts the chunks of an accepted mailing on the queue. */
export async function wakeMailing(
  store: Store,
  queue: Outlet,
  { subscriptionId, emailId }: { subscriptionId: number; emailId: number },
): Promise<void> {
  await enqueue(store, queue, await listAccepted(store, subscriptionId, emailId))
}

/** Puts on the queue what was committed and not woken, what waited long enough, and what an attempt left behind. */
export async function wakeDue(store: Store, queue: Outlet): Promise<void> {
  await enqueue(store, queue, await listDue(store))
}

// Queued before it is marked: an interruption in between wakes a chunk twice, which is harmless, and never not at all.
async function enqueue(store: Store, queue: Outlet, chunks: ChunkName[]): Promise<void> {
  for (let start = 0; start < chunks.length; start += MESSAGES_PER_CALL) {
    const some = chunks.slice(start, start + MESSAGES_PER_CALL)
    await queue.sendBatch(some.map((chunk) => ({ body: { kind: 'mail.chunk', ...chunk } })))
    await markWoken(store, some)
  }
}
