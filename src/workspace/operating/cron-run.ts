import type { Store } from '../../db/client/client'
import { logError } from '../../text/log'
import { storeCronRun } from './queries'

export interface EndedJob {
  name: string
  ms: number
  outcome: string
}

/** A failure is logged only, because the jobs are done. */
export async function recordCronRun(
  store: Store,
  { ranAt, ms, ended }: { ranAt: number; ms: number; ended: readonly EndedJob[] },
): Promise<void> {
  const slowest = ended.reduce((one, other) => (other.ms > one.ms ? other : one))
  const failedJobs = ended.filter(({ outcome }) => outcome === 'failed').length
  try {
    await storeCronRun(store, { ranAt, ms, slowestJob: slowest.name, slowestMs: slowest.ms, failedJobs })
  } catch (cause) {
    logError('The run of the cron was not recorded.', {}, cause)
  }
}
