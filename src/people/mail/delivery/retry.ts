const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const FIRST_RETRY_DELAY_MS = 5 * SECOND_MS
const MAX_BACKOFF_MS = 60 * MINUTE_MS
/** Queues delay a message by at most twelve hours. */
const MAX_QUEUE_DELAY_MS = 12 * 60 * MINUTE_MS

/**
 * 5 s, 10 s, 20 s … up to an hour, minus a random part of up to half, and never less than the provider asks for.
 * `attempt` counts from 1, `random` is between 0 and 1.
 */
export function computeBackoffMs(attempt: number, random: number, requested = 0): number {
  const full = Math.min(FIRST_RETRY_DELAY_MS * 2 ** Math.min(attempt - 1, 20), MAX_BACKOFF_MS)
  const jittered = full / 2 + (full / 2) * random
  // Adds jitter to the requested delay, because retries at the same moment would hit the limit again.
  const delay = requested > jittered ? requested + Math.min(jittered, MINUTE_MS) * random : jittered
  return Math.round(Math.min(delay, MAX_QUEUE_DELAY_MS))
}
