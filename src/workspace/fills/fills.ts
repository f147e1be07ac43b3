import type { Store } from '../../db/client/client'
import { fillSlice, listUnfinishedFills, listWaitingFills } from './queries'
import { FILLS } from './statements'

/** Fills a slice of each table per cron run, so that requests go on in between. A failed slice is repeated. */
export async function fillNewColumns({ store }: { store: Store }, fills = FILLS): Promise<void> {
  if (fills.length === 0) return
  const failures: unknown[] = []
  for (const fill of await listUnfinishedFills(store, fills)) {
    await fillSlice(store, fill).catch((cause) => failures.push(cause))
  }
  if (failures.length) throw failures[0]
}

/** Name of a fill that the database has not ended, of this release or another. */
export const findWaitingFill = async (store: Store): Promise<string | undefined> =>
  (await listWaitingFills(store, FILLS))[0]
