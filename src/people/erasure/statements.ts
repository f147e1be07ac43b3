/** Milliseconds for the message of the request to arrive before the cron steps in. */
export const ERASURE_GRACE_MS = 30_000
