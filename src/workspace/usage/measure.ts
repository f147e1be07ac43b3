import type { Store } from '../../db/client/client'
import { readQuotas } from '../../db/client/quota'
import type { Settings } from '../../env'
import { listDueWorkspaces, measureWorkspace } from './queries'

/** Replaces the estimated bytes of some workspaces, because charges never see rows that the cron deletes. */
export async function measureStoredBytes({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  if (readQuotas(settings).bytes === 0) return
  for (const subscriptionId of await listDueWorkspaces(store)) await measureWorkspace(store, subscriptionId)
}
