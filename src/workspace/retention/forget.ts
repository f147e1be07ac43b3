import type { Store } from '../../db/client'
import { keptFor } from '../../db/forget'
import type { Settings } from '../../env'
import { forgetRows } from './queries'

/**
 * Deletes stored replies after a day, and webhook deliveries and receipts after the configured time. Runs in the cron.
 */
export const forget = ({ store, settings }: { store: Store; settings: Settings }): Promise<void> =>
  forgetRows(store, keptFor(settings, 'deliveries'))
