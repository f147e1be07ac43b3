const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

// The delays add up to three days.
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
const MAX_RETRY_AFTER = 24 * HOUR
const MAX_PAUSE = 5 * MINUTE
export const DISABLED_AFTER = 5 * 24 * HOUR

/**
 * A random fifth is added, because retries must not arrive at once. The receiver's Retry-After is a minimum, up to a
 * day.
 */
export function retryDelay(tries: number, random: number, retryAfter = 0): number | undefined {
  const delay = DELAYS[tries - 1]
  if (delay === undefined) return undefined
  const jitter = (delay / 5) * random
  return Math.round(Math.max(delay, Math.min(retryAfter, MAX_RETRY_AFTER)) + jitter)
}

/** SQL in queries/fan-out.ts computes the same. */
export function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(5 * SECOND * 2 ** Math.min(failures - 1, 10), MAX_PAUSE)
}
