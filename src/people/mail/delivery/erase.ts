import type { Store } from '../../../db/client'
import { eraseAddresses } from './queries/erase'

/** Takes the addresses, and what was said to each recipient alone, out of mailings that ended long ago: a part of the cron. */
export const eraseOld = ({ store }: { store: Store }): Promise<void> => eraseAddresses(store)
