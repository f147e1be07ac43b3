import type { Store } from '../../../db/client'
import { keptFor } from '../../../db/forget'
import type { Settings } from '../../../env'
import { eraseAddresses, forgetRecipients } from './queries/erase'
import { tellDue } from './queries/outage'

/** A cron job: erases addresses and personal variables from old mailings, and later deletes the recipients. */
export async function eraseOld({ store, settings }: { store: Store; settings: Settings }): Promise<void> {
  await eraseAddresses(store)
  const kept = keptFor(settings, 'recipients')
  if (kept !== undefined) await forgetRecipients(store, kept)
}

export const tellOutages = ({ store }: { store: Store }): Promise<void> => tellDue(store)
