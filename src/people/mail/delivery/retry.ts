const SECOND = 1000
const MINUTE = 60 * SECOND
const FIRST_DELAY = 5 * SECOND
const LONGEST_BACKOFF = 60 * MINUTE
/** Queues hold a message back for at most twelve hours. */
const LONGEST_DELAY = 12 * 60 * MINUTE

/**
 * Milliseconds before the next attempt: 5 s, 10 s, 20 s … an hour, of which a random half is left out, and never less
 * than the provider asked for. `attempt` counts from 1, `random` is within 0–1.
 */
export function backoff(attempt: number, random: number, asked = 0): number {
  const full = Math.min(FIRST_DELAY * 2 ** Math.min(attempt - 1, 20), LONGEST_BACKOFF)
  const own = full / 2 + (full / 2) * random
  // What was asked for, and a little jitter so that not all come back at once.
  const delay = asked > own ? asked + Math.min(own, MINUTE) * random : own
  return Math.round(Math.min(delay, LONGEST_DELAY))
}
