import { sql } from 'drizzle-orm'
import { staleUse, USE_RESOLUTION } from './access'
import type { Actor } from './actor'
import { openStore } from './client'
import { apiKeys } from './schema/tenancy'
import { caller, param, statement } from './statement'

const MAX_REMEMBERED = 10_000

const touched = new Map<string, number>()

const markUsed = statement<never, { key: string }>(sql`
  UPDATE ${apiKeys} SET last_used_at = ${caller.now}
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${param('key')} AND ${staleUse}`)

interface Use {
  actor: Actor
  now: number
  /** Result of the request's own read; undefined for a write, to check here at most once per `USE_RESOLUTION`. */
  stale: boolean | undefined
}

/** Records the use of a key after the response, outside the request's round trip. */
export function touchKey(
  d1: D1Database,
  { actor, now, stale }: Use,
  afterwards: (work: Promise<unknown>) => void,
): void {
  const last = touched.get(actor.jti)
  if (stale === false || (last !== undefined && now - last < USE_RESOLUTION)) return
  if (touched.size >= MAX_REMEMBERED) touched.clear()
  touched.set(actor.jti, now)
  // Send the response first.
  afterwards(
    scheduler
      .wait(0)
      .then(() => openStore(d1, now).batch(actor.subscriptionId, markUsed({ key: actor.jti })))
      .catch((cause: unknown) => console.warn('Last use of a key was not noted.', cause)),
  )
}
