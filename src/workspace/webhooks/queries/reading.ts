import { type SQL, sql } from 'drizzle-orm'
import { guard } from '../../../db/refuse'
import { webhooks } from '../../../db/schema/webhooks'
import { inline, param, type Values } from '../../../db/statement'
import { endpoint } from './record'

const ALL = '["*"]'

/** The patterns that a key may ask for, as JSON. A key that reads everything needs no list of them. */
export const allowing = (patterns: readonly string[]): string =>
  patterns.includes('*') ? ALL : JSON.stringify(patterns)

/** What the endpoint of `where` asks for, as a JSON array of patterns. */
export const eventsOf = (where: SQL) => sql`(SELECT ${webhooks.events} FROM ${webhooks} WHERE ${where})`

/** Whether some of these patterns mean events that the caller's key may not read. Binds `allowed`. */
export const asksBeyond = (patterns: SQL) => sql`(${param('allowed')} <> ${inline(ALL)} AND EXISTS (
  SELECT 1 FROM json_each(${patterns}) WHERE value NOT IN (SELECT value FROM json_each(${param('allowed')}))))`

/** Refuses a key that may not read all that the endpoint of `where` asks for. */
export const readsLessThan = (where: SQL) =>
  guard<Values>(
    sql`'insufficient_scope:This API key may not read all events that the webhook asks for. Use a key with their scopes.'`,
    asksBeyond(eventsOf(where)),
  )

/** The same of the one in the path: its secret, and its deliveries, are for keys that read what it is told. */
export const asksForMore = readsLessThan(endpoint.addressed)
