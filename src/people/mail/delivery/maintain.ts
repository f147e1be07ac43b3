import type { Store } from '../../../db/client/client'
import { readRetentionMs } from '../../../db/sql/retention'
import type { Settings } from '../../../env'
import { deleteExpiredRecipients, eraseOldAddresses } from './queries/erase'
import { reportDueOutages } from './queries/outage'

export async function eraseOldMailings({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  await eraseOldAddresses(store)
  const kept = readRetentionMs(settings, 'recipients')
  if (kept !== undefined) await deleteExpiredRecipients(store, kept)
}

export const reportMailOutages = ({ store }: { store: Store }): Promise<void> => reportDueOutages(store)
