import type { Store } from '../../../db/client/client'
import { readRetentionMs } from '../../../db/sql/retention'
import type { Settings } from '../../../env'
import { deleteExpiredRecipients, eraseAddresses } from './queries/erase'
import { reportDueOutages } from './queries/outage'

export async function eraseOldMailings({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  await eraseAddresses(store)
  const kept = readRetentionMs(settings, 'recipients')
  if (kept !== undefined) await deleteExpiredRecipients(store, kept)
}

export const reportOutages = ({ store }: { store: Store }): Promise<void> => reportDueOutages(store)
