import { sql } from 'drizzle-orm'
import { webhookFeeds } from '../../../db/schema/webhooks'
import { caller, inline, statement } from '../../../db/sql/statement'

export const LOOK_INTERVAL = 60_000

export const insertFeed = statement<never>(sql`INSERT INTO ${webhookFeeds} (subscription_id, next_look_at)
  SELECT ${caller.subscription}, ${caller.now} + ${inline(LOOK_INTERVAL)} WHERE true ON CONFLICT DO NOTHING`)
