import type { QueueMessage } from './messages'

/** Plain values: `[vars]` of `wrangler.toml`, and the secrets (`.dev.vars`, `wrangler secret put`). */
export interface Settings {
  /** Each policy states a rate limit binding as text of the `RateLimit-Policy` header, here of `KEY_RATE`. */
  RATE_LIMIT_POLICY: string
  WORKSPACE_RATE_LIMIT_POLICY: string
  BULK_RATE_LIMIT_POLICY: string
  ADDRESS_RATE_LIMIT_POLICY: string
  /** `id:base64url,id:base64url`: the first secret signs new keys, every secret verifies keys. */
  SIGNING_SECRETS: string
  MAILINGS_PER_HOUR?: string
  WORKSPACE_MAILINGS_PER_HOUR?: string
  /** Minutes that mail about a change waits for what else happens to the same people. */
  NOTICE_DELAY_MINUTES?: string
  /** Address of an idea, with `{key}` or `{slug}`, for workspaces without an address of their own. */
  IDEA_URL?: string
  /** Rows written per workspace and day, as D1 counts rows; 0 means unlimited. */
  WORKSPACE_ROWS_PER_DAY?: string
  /** Bytes a workspace may store in the database, estimated; 0 means unlimited. */
  WORKSPACE_BYTES?: string
  /** Bytes at which the database counts as full; 0 means unlimited. */
  DATABASE_BYTES?: string
  /** Days; 0 keeps events forever, as with the following settings. */
  EVENTS_KEPT_DAYS?: string
  RECIPIENTS_KEPT_DAYS?: string
  DELIVERIES_KEPT_DAYS?: string
  /** Days that a nightly backup of each workspace is kept; 0 makes no backups. */
  BACKUP_DAYS?: string
  MAIL_PROVIDER: string
  /** Base URL of the provider's API; empty for the public URL. */
  MAIL_BASE_URL: string
  MAIL_API_KEY?: string
  MAIL_FROM: string
  /** `provider=secret provider=secret`: secrets that verify the events of mail providers. */
  MAIL_EVENTS_SECRETS?: string
  /** `allow` permits webhook endpoints on this machine, including plain http. */
  WEBHOOK_LOOPBACK?: string
  /** Resolver of DNS over HTTPS that answers with JSON, for the domains of sign-ins. */
  DNS_RESOLVER?: string
  /** Public base URL of this service; empty means the URL of the request. */
  PUBLIC_URL: string
  /** Origin of the portals and of the files that readers see; empty means the origin of the service. */
  PORTAL_ORIGIN?: string
  /** Secret of the operator for `GET /health?deep=1`. */
  OPS_TOKEN?: string
  LOCAL_URL?: string
  /** `number:name:DATABASE_BINDING:BUCKET_BINDING`, divided by spaces; empty for one home (src/homes.ts). */
  HOMES?: string
}

/** The queue has no request with a host. A deploy requires `PUBLIC_URL`. */
export const readPublicUrl = ({ PUBLIC_URL, LOCAL_URL }: Pick<Settings, 'PUBLIC_URL' | 'LOCAL_URL'>): string =>
  PUBLIC_URL || LOCAL_URL || 'http://localhost:8787' // the port that wrangler dev takes

/** The origin of the portals if the team has another origin. */
export const readPortalOrigin = ({ PORTAL_ORIGIN, PUBLIC_URL }: Pick<Settings, 'PORTAL_ORIGIN' | 'PUBLIC_URL'>) =>
  PORTAL_ORIGIN && PORTAL_ORIGIN !== PUBLIC_URL ? PORTAL_ORIGIN : undefined

/** Public base URL of portals without a domain of their own. */
export const readPortalUrl = (settings: Pick<Settings, 'PORTAL_ORIGIN' | 'PUBLIC_URL' | 'LOCAL_URL'>): string =>
  readPortalOrigin(settings) ?? readPublicUrl(settings)

/** Null without an address. */
export const readIdeaUrl = ({ IDEA_URL }: Pick<Settings, 'IDEA_URL'>): string | null => IDEA_URL || null

/** The databases and buckets are bindings too, and `src/homes.ts` alone reads them. */
export interface Env extends Settings {
  QUEUE: Queue<QueueMessage>
  MAIL_QUEUE: Queue<QueueMessage>
  /** Messages of the cron of several homes, with one message per invocation; absent: `QUEUE`. */
  CRON_QUEUE?: Queue<QueueMessage>
  KEY_RATE: RateLimit
  WORKSPACE_RATE: RateLimit
  BULK_RATE: RateLimit
  ADDRESS_RATE: RateLimit
  /** Telemetry of requests, messages and cron jobs; without the binding, nothing is recorded. */
  TELEMETRY?: AnalyticsEngineDataset
  VERSION?: WorkerVersionMetadata
  /** Static files in `public`. */
  ASSETS: Fetcher
}

/** The bindings for work on workspaces of one home. */
export interface HomeEnv extends Env {
  DB: D1Database
  FILES: R2Bucket
}
