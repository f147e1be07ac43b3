import { sql } from 'drizzle-orm'
import { apiKeys, log } from '../../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { isUsableKey } from '../../../db/sql/access'
import { caller, param } from '../../../db/sql/statement'
import { AREA_OF, AREA_OF_IMPORT } from '../patterns'

export const AREA_VALUES = { areas: AREA_OF, importAreas: AREA_OF_IMPORT }

const resource = sql`substr(${log.type}, 1, instr(${log.type}, '.') - 1)`
const area = sql`CASE ${resource} WHEN 'import' THEN ${param('importAreas')} ->> (${log.data} ->> 'kind')
  ELSE ${param('areas')} ->> ${resource} END`

const isRequested = sql`EXISTS (SELECT 1 FROM json_each(${webhooks.events}) p
    WHERE p.value IN ('*', ${log.type}, ${resource} || '.*'))
  AND (${webhooks.products} IS NULL OR ${log.productId} IN (SELECT value FROM json_each(${webhooks.products})))`

export const isReadableByKey = sql`EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s WHERE s.value IN ('*', (${area}) || ':read'))
  AND (${apiKeys.products} IS NULL OR ${log.productId} IN (SELECT value FROM json_each(${apiKeys.products})))`

export const keyJoin = sql`CROSS JOIN ${apiKeys} ON ${apiKeys.id} = ${webhooks.keyId} AND ${isUsableKey}`

/** The token decides, because a service can have several hosts. */
const wroteEvent = sql`(${log.origin} IS NOT NULL AND ${webhooks.hookTokenHash} IS NOT NULL AND EXISTS (
  SELECT 1 FROM ${incomingWebhooks} i WHERE i.subscription_id = ${caller.subscription}
    AND (i.token_hash = ${webhooks.hookTokenHash} OR i.previous_token_hash = ${webhooks.hookTokenHash})
    AND ${log.origin} = 'incoming_webhook:' || i.id))`

/** Webhooks that write to each other would multiply an event, because a limit of hops bounds a chain only. */
const isFanOut = sql`(coalesce(${log.hops}, 0) > 0 AND ${webhooks.hookTokenHash} IS NOT NULL)`

export const isForEndpoint = sql`${isRequested} AND ${isReadableByKey} AND NOT ${wroteEvent} AND NOT ${isFanOut}`

export const eventValues = {
  type: sql`${log.type}`,
  bytes: sql`octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)`,
}
