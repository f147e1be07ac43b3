import type { Store } from '../../db/client'
import { forgetDeliveries, forgetReceipts } from './queries/forget'

/** The cron's part: forgets what was delivered, and what came in, a month ago. */
export const forget = ({ store }: { store: Store }) => store.batch(null, forgetDeliveries({}), forgetReceipts({}))
