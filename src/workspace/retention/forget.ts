import type { Store } from '../../db/client'
import { keptFor } from '../../db/forget'
import type { Settings } from '../../env'
import { forgetRows } from './queries'

/** The cron's part: forgets answers after a day, and what came and went by webhooks when its time has come. */
export const forget = ({ store, settings }: { store: Store; settings: Settings }): Promise<void> =>
  forgetRows(store, keptFor(settings, 'deliveries'))
