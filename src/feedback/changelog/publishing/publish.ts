import type { Store } from '../../../db/client/client'
import { listDueWorkspaces, publishDueEntries } from './queries'

/** Publishes scheduled entries whose time has come. A failing workspace does not stop the others, and the next run repeats it. */
export async function publishScheduledEntries({ store }: { store: Store }): Promise<void> {
  const failures: unknown[] = []
  for (const subscriptionId of await listDueWorkspaces(store))
    await publishDueEntries(store, subscriptionId).catch((cause: unknown) => failures.push(cause))
  if (failures.length) throw failures[0]
}
