import { sql } from 'drizzle-orm'
import { openStore } from './client'
import { webhookFeeds } from './schema/webhooks'
import { caller, statement } from './statement'

// Milliseconds to remember whether a workspace has endpoints. When another isolate creates the first endpoint, the
// first event after may be delivered late by the time of a "no"; later events are not.
const REMEMBERED = { yes: 60_000, no: 1_000 }
const MAX_REMEMBERED = 10_000

const known = new Map<number, { listens: boolean; until: number }>()

const selectFeed = statement<{ found: number }>(sql`SELECT 1 AS "found" FROM ${webhookFeeds}
  WHERE ${webhookFeeds.subscriptionId} = ${caller.subscription}`)

/** True if the workspace is known to have no endpoint, without asking the database. */
export function isDeaf(subscriptionId: number, now: number): boolean {
  const remembered = known.get(subscriptionId)
  return remembered !== undefined && !remembered.listens && remembered.until > now
}

export async function listens(d1: D1Database, subscriptionId: number, now: number): Promise<boolean> {
  const remembered = known.get(subscriptionId)
  if (remembered && remembered.until > now) return remembered.listens
  const [rows] = await openStore(d1, now).batch(subscriptionId, selectFeed({}))
  if (known.size >= MAX_REMEMBERED) known.clear()
  const found = rows.length > 0
  known.set(subscriptionId, { listens: found, until: now + (found ? REMEMBERED.yes : REMEMBERED.no) })
  return found
}
