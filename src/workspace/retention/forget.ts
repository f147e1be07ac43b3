import type { Store } from '../../db/client/client'
import { readRetentionMs } from '../../db/sql/retention'
import type { Settings } from '../../env'
import { deleteExpiredRows } from './queries'

export const deleteExpiredHistory = ({ store, settings }: { store: Store; settings: Settings }): Promise<void> =>
  deleteExpiredRows(store, readRetentionMs(settings, 'deliveries'))
