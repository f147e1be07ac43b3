import type { Store } from '../../../db/client'
import { keptFor } from '../../../db/forget'
import type { Settings } from '../../../env'
import { eraseAddresses, forgetRecipients } from './queries/erase'
import { tellDue } from './queries/outage'

/**
 * A part of the cron: takes the addresses, and what was said to each recipient alone, out of mailings that ended long ago,
 * and later the recipients themselves.
 */
export async function eraseOld({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  await eraseAddresses(store)
  const kept = keptFor(settings, 'recipients')
  if (kept !== undefined) await forgetRecipients(store, kept)
}

/** Tells the log of workspaces whose mail the provider does not take: a part of the cron. */
export const tellOutages = ({ store }: { store: Store }): Promise<void> => tellDue(store)
