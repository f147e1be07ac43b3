import type { Store } from '../../db/client/client'
import { retentionTime } from '../../db/sql/retention'
import type { Settings } from '../../env'
import { deleteExpiredRows } from './queries'

/**
 * Deletes stored replies after a day, and webhook deliveries and receipts after the configured time. Runs in the cron.
 */
export const forgetExpired = ({ store, settings }: { store: Store; settings: Settings }): Promise<void> =>
  deleteExpiredRows(store, retentionTime(settings, 'deliveries'))
