import { wrapBatches } from './d1'

/** A write of somebody else that happens while a job works. */
export interface Interruption {
  /** The write. The attempt sets it before the job begins. */
  write: () => Promise<unknown>
  /** Runs before each call of the job to the database, or to another service. */
  beforeCall: () => Promise<void>
  /** Whether the write has happened. */
  hasWritten: boolean
}

// More calls than any job under test makes.
const MAX_CALLS = 200

/**
 * Calls `attempt` with a write before the first call of its job, then before the second, and so on; in the last attempt,
 * the write comes after the job. Each attempt creates records of its own. Returns the number of attempts.
 */
export async function interleave(attempt: (interruption: Interruption) => Promise<void>): Promise<number> {
  for (let place = 1; place <= MAX_CALLS; place++) {
    let callCount = 0
    const interruption: Interruption = {
      write: () => Promise.reject(new Error('The attempt sets no write')),
      hasWritten: false,
      beforeCall: async () => {
        if (++callCount !== place) return
        await interruption.write()
        interruption.hasWritten = true
      },
    }
    await attempt(interruption).catch((cause: unknown) => {
      throw new Error(`With a write before call ${place} of the job: ${cause}`, { cause })
    })
    if (!interruption.hasWritten) return place
  }
  throw new Error(`The job makes more than ${MAX_CALLS} calls`)
}

/** A database that lets the write of the interruption in between the batches of a job. */
export const interruptedDatabase = (d1: D1Database, { beforeCall }: Interruption): D1Database =>
  wrapBatches(d1, async (run) => {
    await beforeCall()
    return run()
  })
