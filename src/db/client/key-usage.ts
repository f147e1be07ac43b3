import { sql } from 'drizzle-orm'
import { apiKeys } from '../schema/tenancy'
import { isLastUseStale, USE_RESOLUTION } from '../sql/access'
import type { Actor } from '../sql/actor'
import { caller, param, statement } from '../sql/statement'
import { openStore } from './client'

const MAX_REMEMBERED = 10_000

const lastUses = new Map<string, number>()

const updateLastUse = statement<never, { key: string }>(sql`
  UPDATE ${apiKeys} SET last_used_at = ${caller.now}
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${param('key')} AND ${isLastUseStale}`)

interface KeyUse {
  actor: Actor
  now: number
  /** Result of the request's own read; undefined for a write, to check here at most once per `USE_RESOLUTION`. */
  isStale: boolean | undefined
}

/** Records the use of a key after the response, outside the request's round trip. */
export function recordKeyUse(
  d1: D1Database,
  { actor, now, isStale }: KeyUse,
  afterwards: (work: Promise<unknown>) => void,
): void {
  const last = lastUses.get(actor.jti)
  if (isStale === false || (last !== undefined && now - last < USE_RESOLUTION)) return
  if (lastUses.size >= MAX_REMEMBERED) lastUses.clear()
  lastUses.set(actor.jti, now)
  // Send the response first.
  afterwards(
    scheduler
      .wait(0)
      .then(() => openStore(d1, now).batch(actor.subscriptionId, updateLastUse({ key: actor.jti })))
      .catch((cause: unknown) => console.warn('The last use of a key was not recorded.', cause)),
  )
}
