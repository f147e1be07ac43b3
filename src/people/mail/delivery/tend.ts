import type { Store } from '../../../db/client'
import { eraseAddresses } from './queries/erase'
import { tellDue } from './queries/outage'

/** Takes the addresses, and what was said to each recipient alone, out of mailings that ended long ago: a part of the cron. */
export const eraseOld = ({ store }: { store: Store }): Promise<void> => eraseAddresses(store)

/** Tells the log of workspaces whose mail the provider does not take: a part of the cron. */
export const tellOutages = ({ store }: { store: Store }): Promise<void> => tellDue(store)
