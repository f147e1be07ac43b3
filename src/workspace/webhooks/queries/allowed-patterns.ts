import { type SQL, sql } from 'drizzle-orm'
import { guard } from '../../../db/client/refuse'
import { webhooks } from '../../../db/schema/webhooks'
import { inline, param, type Values } from '../../../db/sql/statement'
import { endpoint } from './record'

const ALL_PATTERNS_JSON = '["*"]'

/** A key with all scopes gets `["*"]`, and needs no comparison. */
export const encodePatterns = (patterns: readonly string[]): string =>
  patterns.includes('*') ? ALL_PATTERNS_JSON : JSON.stringify(patterns)

export const patternsOfEndpoint = (where: SQL) => sql`(SELECT ${webhooks.events} FROM ${webhooks} WHERE ${where})`

export const patternsExceedCallerScopes = (
  patterns: SQL,
) => sql`(${param('allowed')} <> ${inline(ALL_PATTERNS_JSON)} AND EXISTS (
  SELECT 1 FROM json_each(${patterns}) WHERE value NOT IN (SELECT value FROM json_each(${param('allowed')}))))`

export const createUnreadableEventsGuard = (where: SQL) =>
  guard<Values>(
    'insufficient_scope:This API key cannot read all events of the webhook. Use a key with all required scopes.',
    patternsExceedCallerScopes(patternsOfEndpoint(where)),
  )

/** The secret and the deliveries of an endpoint are for keys with access to all events of the endpoint. */
export const callerCannotReadEvents = createUnreadableEventsGuard(endpoint.byKey)
