import { sql } from 'drizzle-orm'
import { webhookFeeds } from '../schema/webhooks'
import { caller, statement } from '../sql/statement'
import { openStore } from './client'

// Milliseconds to remember whether a workspace has endpoints. When another isolate creates the first endpoint, the
// first event after may be delivered late by the time of a "no"; later events are not.
const ENDPOINT_CACHE_TTL_MS = { yes: 60_000, no: 1_000 }
const MAX_CACHED_WORKSPACES = 10_000

const endpointCacheByWorkspace = new Map<number, { hasEndpoints: boolean; until: number }>()

const selectWebhookFeed = statement<{ found: number }>(sql`SELECT 1 AS "found" FROM ${webhookFeeds}
  WHERE ${webhookFeeds.subscriptionId} = ${caller.subscription}`)

export async function hasWebhookEndpoints(d1: D1Database, subscriptionId: number, now: number): Promise<boolean> {
  const remembered = endpointCacheByWorkspace.get(subscriptionId)
  if (remembered && remembered.until > now) return remembered.hasEndpoints
  const [rows] = await openStore(d1, now).batch(subscriptionId, selectWebhookFeed({}))
  if (endpointCacheByWorkspace.size >= MAX_CACHED_WORKSPACES) endpointCacheByWorkspace.clear()
  const found = rows.length > 0
  endpointCacheByWorkspace.set(subscriptionId, {
    hasEndpoints: found,
    until: now + (found ? ENDPOINT_CACHE_TTL_MS.yes : ENDPOINT_CACHE_TTL_MS.no),
  })
  return found
}
