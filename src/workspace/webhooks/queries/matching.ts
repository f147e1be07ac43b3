import { sql } from 'drizzle-orm'
import { workingKey } from '../../../db/access'
import { apiKeys, log } from '../../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import { caller, param } from '../../../db/statement'
import { AREA_OF, AREA_OF_IMPORT } from '../patterns'

/** What the conditions below bind. */
export const AREAS = { areas: AREA_OF, importAreas: AREA_OF_IMPORT }

const resource = sql`substr(${log.type}, 1, instr(${log.type}, '.') - 1)`
// An import run is of the area of what it brings in.
const area = sql`CASE ${resource} WHEN 'import' THEN ${param('importAreas')} ->> (${log.data} ->> 'kind')
  ELSE ${param('areas')} ->> ${resource} END`

/** Whether an endpoint asks for an event. */
const asked = sql`EXISTS (SELECT 1 FROM json_each(${webhooks.events}) p
    WHERE p.value IN ('*', ${log.type}, ${resource} || '.*'))
  AND (${webhooks.products} IS NULL OR ${log.productId} IN (SELECT value FROM json_each(${webhooks.products})))`

/** Whether the key reads it for which the endpoint delivers. */
export const read = sql`EXISTS (SELECT 1 FROM json_each(${apiKeys.scopes}) s WHERE s.value IN ('*', (${area}) || ':read'))
  AND (${apiKeys.products} IS NULL OR ${log.productId} IN (SELECT value FROM json_each(${apiKeys.products})))`

/** Endpoints with their keys, which work; behind `FROM webhooks`. */
export const withKey = sql`CROSS JOIN ${apiKeys} ON ${apiKeys.id} = ${webhooks.keyId} AND ${workingKey}`

/** Whether the endpoint is the incoming webhook, on whatever host, that wrote what the event tells of. */
const wroteIt = sql`(${log.origin} IS NOT NULL AND ${webhooks.hookTokenHash} IS NOT NULL AND EXISTS (
  SELECT 1 FROM ${incomingWebhooks} i WHERE i.subscription_id = ${caller.subscription}
    AND (i.token_hash = ${webhooks.hookTokenHash} OR i.previous_token_hash = ${webhooks.hookTokenHash})
    AND ${log.origin} = 'incoming_webhook:' || i.id))`

/** Whether an event is one for the endpoint. */
export const matches = sql`${asked} AND ${read} AND NOT ${wroteIt}`

/** What a delivery knows of its event. */
export const told = {
  type: sql`${log.type}`,
  bytes: sql`octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)`,
}
