import { sql } from 'drizzle-orm'
import { webhookFeeds } from '../schema/webhooks'
import { caller, statement } from '../sql/statement'
import { openStore } from './client'

// Milliseconds to remember whether a workspace has endpoints. When another isolate creates the first endpoint, the
// first event after may be delivered late by the time of a "no"; later events are not.
const LISTENER_TTL = { yes: 60_000, no: 1_000 }
const MAX_WORKSPACES = 10_000

const knownWorkspaces = new Map<number, { hasEndpoints: boolean; until: number }>()

const selectFeed = statement<{ found: number }>(sql`SELECT 1 AS "found" FROM ${webhookFeeds}
  WHERE ${webhookFeeds.subscriptionId} = ${caller.subscription}`)

export function knownWithoutEndpoints(subscriptionId: number, now: number): boolean {
  const remembered = knownWorkspaces.get(subscriptionId)
  return remembered !== undefined && !remembered.hasEndpoints && remembered.until > now
}

export async function hasEndpoints(d1: D1Database, subscriptionId: number, now: number): Promise<boolean> {
  const remembered = knownWorkspaces.get(subscriptionId)
  if (remembered && remembered.until > now) return remembered.hasEndpoints
  const [rows] = await openStore(d1, now).batch(subscriptionId, selectFeed({}))
  if (knownWorkspaces.size >= MAX_WORKSPACES) knownWorkspaces.clear()
  const found = rows.length > 0
  knownWorkspaces.set(subscriptionId, {
    hasEndpoints: found,
    until: now + (found ? LISTENER_TTL.yes : LISTENER_TTL.no),
  })
  return found
}
