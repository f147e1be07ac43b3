import { sql } from 'drizzle-orm'
import { webhookFeeds } from '../../../db/schema/webhooks'
import { caller, inline, statement } from '../../../db/statement'

/** Milliseconds after which the cron looks after a workspace that has endpoints. */
export const LOOK = 60_000

/** Has the cron look after the workspace from now on. */
export const feed = statement<never>(sql`INSERT INTO ${webhookFeeds} (subscription_id, next_look_at)
  SELECT ${caller.subscription}, ${caller.now} + ${inline(LOOK)} WHERE true ON CONFLICT DO NOTHING`)
