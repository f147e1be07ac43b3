import { type SQL, sql } from 'drizzle-orm'
import { guard } from '../../../db/refuse'
import { webhooks } from '../../../db/schema/webhooks'
import { inline, param, type Values } from '../../../db/statement'
import { endpoint } from './record'

const ALL = '["*"]'

/** Encodes the patterns readable by a key. A key with all scopes gets `["*"]`, and needs no comparison. */
export const allowing = (patterns: readonly string[]): string =>
  patterns.includes('*') ? ALL : JSON.stringify(patterns)

export const eventsOf = (where: SQL) => sql`(SELECT ${webhooks.events} FROM ${webhooks} WHERE ${where})`

/** Some patterns contain events outside the scopes of the caller's key. Binds `allowed`. */
export const asksBeyond = (patterns: SQL) => sql`(${param('allowed')} <> ${inline(ALL)} AND EXISTS (
  SELECT 1 FROM json_each(${patterns}) WHERE value NOT IN (SELECT value FROM json_each(${param('allowed')}))))`

export const readsLessThan = (where: SQL) =>
  guard<Values>(
    sql`'insufficient_scope:This API key may not read all events that the webhook asks for. Use a key with their scopes.'`,
    asksBeyond(eventsOf(where)),
  )

/** The secret and the deliveries of an endpoint are for keys with access to all events of the endpoint. */
export const asksForMore = readsLessThan(endpoint.addressed)
