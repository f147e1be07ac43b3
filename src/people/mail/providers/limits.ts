/** Upper limits of `max_concurrency` of the mail consumer in wrangler.toml. */
export const MAX_CONCURRENT_CALLS_BY_PROVIDER: Readonly<Record<string, number>> = {
  // Resend allows two calls a second by default; a call with 100 messages takes about a second.
  resend: 2,
  // Telnyx limits accounts by tier, without published numbers.
  telnyx: 2,
  // Postmark publishes no limit, and takes five times as many messages a call.
  postmark: 5,
  outbox: 10,
}
