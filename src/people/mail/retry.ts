const SECOND = 1000
const MINUTE = 60 * SECOND
const FIRST_DELAY = 5 * SECOND
const LONGEST_BACKOFF = 15 * MINUTE
/** Queues hold a message back for at most twelve hours. */
const LONGEST_DELAY = 12 * 60 * MINUTE

/** Milliseconds that a `Retry-After` header asks for: seconds or an HTTP date; undefined when it says neither. */
export function retryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * SECOND
  // Date.parse reads far more than HTTP dates; those begin with the name of a day.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/**
 * Milliseconds before the next attempt: 5 s, 10 s, 20 s … 15 min, of which a random half is left out, and never less
 * than the provider asked for. `attempt` counts from 1, `random` is within 0–1.
 */
export function backoff(attempt: number, random: number, asked = 0): number {
  const full = Math.min(FIRST_DELAY * 2 ** Math.min(attempt - 1, 20), LONGEST_BACKOFF)
  const own = full / 2 + (full / 2) * random
  // What was asked for, and a little jitter so that not all come back at once.
  const delay = asked > own ? asked + Math.min(own, MINUTE) * random : own
  return Math.round(Math.min(delay, LONGEST_DELAY))
}
