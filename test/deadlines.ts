import { BATCH_TIMEOUTS_MS } from '../src/db/client/batch'

/** Ten times the deadlines of the service: a busy machine is no fault of the service. */
const TEST_DEADLINES_MS = { read: 40_000, write: 100_000, bulk: 300_000 }

export const waitLongerForDatabase = (): void => {
  Object.assign(BATCH_TIMEOUTS_MS, TEST_DEADLINES_MS)
}
