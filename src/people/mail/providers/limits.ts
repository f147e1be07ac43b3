/** How many calls at once a provider takes: what `max_concurrency` of the consumer of mail in wrangler.toml may be. */
export const CALLS_AT_ONCE: Readonly<Record<string, number>> = {
  // Two calls a second of an account that has not asked for more; one of 100 messages lasts about a second.
  resend: 2,
  // Limits an account by its tier, and publishes no figure.
  telnyx: 2,
  // Publishes none either, and takes five times as many messages a call.
  postmark: 5,
  // Asks nobody: what the database does easily.
  outbox: 10,
}
