const SECOND = 1000
const MINUTE = 60 * SECOND
const FIRST_DELAY = 5 * SECOND
const LONGEST_BACKOFF = 60 * MINUTE
/** Queues delay a message by at most twelve hours. */
const LONGEST_DELAY = 12 * 60 * MINUTE

/**
 * 5 s, 10 s, 20 s … up to an hour, minus a random part of up to half, and never less than the provider asks for.
 * `attempt` counts from 1, `random` is between 0 and 1.
 */
export function computeBackoff(attempt: number, random: number, requested = 0): number {
  const full = Math.min(FIRST_DELAY * 2 ** Math.min(attempt - 1, 20), LONGEST_BACKOFF)
  const jittered = full / 2 + (full / 2) * random
  // Adds jitter to the requested delay, because retries at the same moment would hit the limit again.
  const delay = requested > jittered ? requested + Math.min(jittered, MINUTE) * random : jittered
  return Math.round(Math.min(delay, LONGEST_DELAY))
}
