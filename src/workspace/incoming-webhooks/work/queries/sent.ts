import { type SQL, sql } from 'drizzle-orm'
import { feedbackItems } from '../../../../db/schema/feedback'
import { log } from '../../../../db/schema/tenancy'
import { webhookDeliveries, webhookFeeds, webhooks } from '../../../../db/schema/webhooks'
import { workItems } from '../../../../db/schema/work-items'
import { caller, inline, statement, type Values } from '../../../../db/sql/statement'

/** A content of the record that a webhook of this workspace has delivered. */
export interface SentContent {
  eventId: number
  /** JSON of the record. */
  data: string
  /** 1 for the present content. */
  isPresent: number
}

// An integration sends a change back within seconds or minutes.
const ECHO_WINDOW_MS = inline(3_600_000)
const MAX_SENT_CONTENTS = inline(10)
// Echoes of longer records are not recognized.
const MAX_SENT_BYTES = inline(40_000)

const workspaceHasWebhooks = sql`EXISTS (SELECT 1 FROM ${webhookFeeds} f WHERE f.subscription_id = ${caller.subscription})`
const isDelivered = sql`EXISTS (SELECT 1 FROM ${webhooks} w CROSS JOIN ${webhookDeliveries} d
    ON d.subscription_id = ${caller.subscription} AND d.webhook_id = w.id AND d.event_id = e.id AND d.status = 'delivered'
  WHERE w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL)`

/** Newest first. `key`: query of the key of the record. */
const createSentSelect = (key: SQL) => {
  const newest = sql`SELECT ${log.place} FROM ${log} INDEXED BY log_resource WHERE ${log.subscriptionId} = ${caller.subscription}
    AND ${log.resourceKey} = (${key}) AND ${workspaceHasWebhooks} ORDER BY ${log.place} DESC LIMIT ${MAX_SENT_CONTENTS}`
  return statement<SentContent, Values>(sql`SELECT e.id AS "eventId", e.data AS "data", e.n = 1 AS "isPresent"
    FROM (SELECT ${log.id} AS id, ${log.data} AS data, ${log.origin} AS origin, ${log.createdAt} AS at,
        row_number() OVER (ORDER BY ${log.place} DESC) AS n
      FROM ${log} WHERE ${log.place} IN (${newest}) AND (${log.type} GLOB '*.created' OR ${log.type} GLOB '*.updated')) e
    WHERE octet_length(e.data) <= ${MAX_SENT_BYTES} AND (e.n = 1 OR e.at > ${caller.now} - ${ECHO_WINDOW_MS}
      AND e.origin NOT GLOB 'incoming_webhook:*' AND ${isDelivered})
    ORDER BY e.n`)
}

export const createSentSelects = (itemId: SQL, ideaId: SQL) => ({
  work_item: createSentSelect(sql`SELECT k.external_key FROM ${workItems} k WHERE k.id = ${itemId}`),
  feedback: createSentSelect(sql`SELECT k.external_key FROM ${feedbackItems} k WHERE k.id = ${ideaId}`),
})
