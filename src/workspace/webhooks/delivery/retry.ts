const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

// The delays add up to three days.
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS
const MAX_ENDPOINT_PAUSE_MS = 5 * MINUTE_MS
export const DISABLE_AFTER_FAILING_MS = 5 * 24 * HOUR_MS

/**
 * A random fifth is added, because retries must not arrive at once. The receiver's Retry-After is a minimum, up to a
 * day.
 */
export function computeRetryDelayMs(tries: number, random: number, retryAfter = 0): number | undefined {
  const delay = RETRY_DELAYS_MS[tries - 1]
  if (delay === undefined) return undefined
  const jitter = (delay / 5) * random
  return Math.round(Math.max(delay, Math.min(retryAfter, MAX_RETRY_AFTER_MS)) + jitter)
}

/** SQL in queries/fan-out.ts computes the same. */
export function computeEndpointPauseMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(5 * SECOND_MS * 2 ** Math.min(failures - 1, 10), MAX_ENDPOINT_PAUSE_MS)
}
