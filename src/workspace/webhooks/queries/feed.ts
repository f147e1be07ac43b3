import { sql } from 'drizzle-orm'
import { webhookFeeds } from '../../../db/schema/webhooks'
import { caller, inline, statement } from '../../../db/sql/statement'

export const FEED_LOOK_INTERVAL_MS = 60_000

export const insertWebhookFeed = statement<never>(sql`INSERT INTO ${webhookFeeds} (subscription_id, next_look_at)
  SELECT ${caller.subscription}, ${caller.now} + ${inline(FEED_LOOK_INTERVAL_MS)} WHERE true ON CONFLICT DO NOTHING`)
