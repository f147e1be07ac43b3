import type { Store } from '../../../db/client'
import type { Outlet } from '../../../messages'
import type { ChunkName } from './queries/chunk'
import { listAccepted, listDue, markWoken } from './queries/wake'

// What one call to a queue takes.
const MESSAGES_PER_CALL = 100

interface Given {
  store: Store
  outlet: Outlet
}

/** Puts the chunks of an accepted mailing on the queue. */
export async function wakeMailing(given: Given, subscriptionId: number, emailId: number): Promise<void> {
  await enqueue(given, await listAccepted(given.store, subscriptionId, emailId))
}

/** Puts on the queue what was committed and not woken, what waited long enough, and what an attempt left behind. */
export async function wakeDue(given: Given): Promise<void> {
  await enqueue(given, await listDue(given.store))
}

// Queued before it is marked: an interruption in between wakes a chunk twice, which is harmless, and never not at all.
async function enqueue({ store, outlet }: Given, chunks: ChunkName[]): Promise<void> {
  for (let start = 0; start < chunks.length; start += MESSAGES_PER_CALL) {
    const some = chunks.slice(start, start + MESSAGES_PER_CALL)
    await outlet.sendBatch(some.map((chunk) => ({ body: { kind: 'mail.chunk', ...chunk } })))
    await markWoken(store, some)
  }
}
