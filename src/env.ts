import type { QueueMessage } from './messages'

/** Plain values: `[vars]` of `wrangler.toml`, and the secrets beside them (`.dev.vars`, `wrangler secret put`). */
export interface Settings {
  /** The limit of `KEY_RATE` in words, for the `RateLimit-Policy` header. */
  RATE_LIMIT_POLICY: string
  /** The same of `WORKSPACE_RATE`. */
  WORKSPACE_RATE_LIMIT_POLICY: string
  /** The same of `BULK_RATE`. */
  BULK_RATE_LIMIT_POLICY: string
  /** And of `ADDRESS_RATE`. */
  ADDRESS_RATE_LIMIT_POLICY: string
  /** `id:base64url,id:base64url`: the first signs new keys, every one verifies. */
  SIGNING_SECRETS: string
  /** How often a segment may be mailed within an hour. */
  MAILINGS_PER_HOUR?: string
  /** How often the segments of a workspace may be mailed within an hour, all together. */
  WORKSPACE_MAILINGS_PER_HOUR?: string
  /** How many rows a workspace may write in a day, as D1 counts them; 0 for any number. */
  WORKSPACE_ROWS_PER_DAY?: string
  /** How many days events are kept before they go to the archive; 0 for ever, as with the others. */
  EVENTS_KEPT_DAYS?: string
  /** How many days the recipients of a mailing are kept. */
  RECIPIENTS_KEPT_DAYS?: string
  /** How many days deliveries of webhooks are kept, and what came to incoming ones. */
  DELIVERIES_KEPT_DAYS?: string
  MAIL_PROVIDER: string
  /** Address of the provider's API; empty for its public one. */
  MAIL_BASE_URL: string
  MAIL_API_KEY?: string
  MAIL_FROM: string
  /** `provider=secret provider=secret`: by which the events of mail providers are known to be theirs. */
  MAIL_EVENTS_SECRETS?: string
  /** `allow`: webhooks may go to receivers on this machine, also over plain http. */
  WEBHOOK_LOOPBACK?: string
  /** Where this service is reached from outside; empty: as the request addressed it. */
  PUBLIC_URL: string
  /** The address that `npm start` serves. */
  LOCAL_URL?: string
}

/** Base URL of links in mails that the queue writes, where no request shows the host. A deploy requires `PUBLIC_URL`. */
export const publicUrl = ({ PUBLIC_URL, LOCAL_URL }: Pick<Settings, 'PUBLIC_URL' | 'LOCAL_URL'>): string =>
  PUBLIC_URL || LOCAL_URL || 'http://localhost:8787' // the port that wrangler dev takes

/** The settings, and what `wrangler.toml` binds. */
export interface Env extends Settings {
  DB: D1Database
  FILES: R2Bucket
  QUEUE: Queue<QueueMessage>
  /** What goes to the mail provider, no faster than it takes that. */
  MAIL_QUEUE: Queue<QueueMessage>
  KEY_RATE: RateLimit
  WORKSPACE_RATE: RateLimit
  BULK_RATE: RateLimit
  ADDRESS_RATE: RateLimit
}
