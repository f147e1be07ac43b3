import { sql } from 'drizzle-orm'
import { apiKeys, log } from '../../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { isUsableKey } from '../../../db/sql/access'
import { caller, param } from '../../../db/sql/statement'
import { AREA_BY_IMPORT_JSON, AREA_BY_RESOURCE_JSON } from '../patterns'

export const AREA_BINDINGS = { areas: AREA_BY_RESOURCE_JSON, importAreas: AREA_BY_IMPORT_JSON }

const resourceOfEvent = sql`substr(${log.type}, 1, instr(${log.type}, '.') - 1)`
const areaOfEvent = sql`CASE ${resourceOfEvent} WHEN 'import' THEN ${param('importAreas')} ->> (${log.data} ->> 'kind')
  ELSE ${param('areas')} ->> ${resourceOfEvent} END`

const eventIsRequested = sql`EXISTS (SELECT 1 FROM json_each(${webhooks.events}) p
    WHERE p.value IN ('*', ${log.type}, ${resourceOfEvent} || '.*'))
  AND (${webhooks.products} IS NULL OR ${log.productId} IN (SELECT value FROM json_each(${webhooks.products})))`

export const eventIsReadableByKey = sql`EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s WHERE s.value IN ('*', (${areaOfEvent}) || ':read'))
  AND (${apiKeys.products} IS NULL OR ${log.productId} IN (SELECT value FROM json_each(${apiKeys.products})))`

export const joinEndpointKey = sql`CROSS JOIN ${apiKeys} ON ${apiKeys.id} = ${webhooks.keyId} AND ${isUsableKey}`

/** The token decides, because a service can have several hosts. */
const endpointWroteEvent = sql`(${log.origin} IS NOT NULL AND ${webhooks.hookTokenHash} IS NOT NULL AND EXISTS (
  SELECT 1 FROM ${incomingWebhooks} i WHERE i.subscription_id = ${caller.subscription}
    AND (i.token_hash = ${webhooks.hookTokenHash} OR i.previous_token_hash = ${webhooks.hookTokenHash})
    AND ${log.origin} = 'incoming_webhook:' || i.id))`

/** Webhooks that write to each other would multiply an event, because a limit of hops bounds a chain only. */
const eventIsFromWebhookChain = sql`(coalesce(${log.hops}, 0) > 0 AND ${webhooks.hookTokenHash} IS NOT NULL)`

// An event from before release 0.3.0 has no origin, and is delivered.
const originIsExcluded = sql`EXISTS (SELECT 1 FROM json_each(${webhooks.excludedOrigins}) x
  WHERE x.value = substr(${log.origin}, 1, instr(${log.origin} || ':', ':') - 1))`

export const eventIsForEndpoint = sql`${eventIsRequested} AND NOT ${originIsExcluded} AND ${eventIsReadableByKey} AND NOT ${endpointWroteEvent} AND NOT ${eventIsFromWebhookChain}`

export const deliveryValuesOfEvent = {
  type: sql`${log.type}`,
  bytes: sql`octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)`,
}
