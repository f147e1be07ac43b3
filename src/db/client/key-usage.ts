import { sql } from 'drizzle-orm'
import { logWarning } from '../../text/log'
import { apiKeys } from '../schema/tenancy'
import { isLastUseStale, LAST_USE_RESOLUTION_MS } from '../sql/access'
import type { Actor } from '../sql/actor'
import { caller, param, statement } from '../sql/statement'
import { openStore } from './client'

const MAX_REMEMBERED_KEYS = 10_000

const lastUseByKey = new Map<string, number>()

const updateLastKeyUse = statement<never, { key: string }>(sql`
  UPDATE ${apiKeys} SET last_used_at = ${caller.now}
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${param('key')} AND ${isLastUseStale}`)

interface KeyUse {
  actor: Actor
  now: number
  /** Result of the request's own read; undefined for a write, to check here at most once per `LAST_USE_RESOLUTION_MS`. */
  isStale: boolean | undefined
}

/** Records the use of a key after the response, outside the request's round trip. */
export function recordKeyUse(
  d1: D1Database,
  { actor, now, isStale }: KeyUse,
  afterwards: (work: Promise<unknown>) => void,
): void {
  const last = lastUseByKey.get(actor.jti)
  if (isStale === false || (last !== undefined && now - last < LAST_USE_RESOLUTION_MS)) return
  if (lastUseByKey.size >= MAX_REMEMBERED_KEYS) lastUseByKey.clear()
  lastUseByKey.set(actor.jti, now)
  // Send the response first.
  afterwards(
    scheduler
      .wait(0)
      .then(() => openStore(d1, now).batch(actor.subscriptionId, updateLastKeyUse({ key: actor.jti })))
      .catch((cause: unknown) =>
        logWarning('The last use of a key was not recorded.', { workspace: actor.subscriptionId }, cause),
      ),
  )
}
