import { sql } from 'drizzle-orm'
import type { Actor } from './actor'
import { openStore } from './client'
import { apiKeys } from './schema/tenancy'
import { caller, param, statement } from './statement'

// "Last used" is exact to a minute, and costs a key at most one write a minute here.
const RESOLUTION = 60_000
const MAX_REMEMBERED = 10_000

const touched = new Map<string, number>()

const markUsed = statement<never, { key: string }>(sql`
  UPDATE ${apiKeys} SET last_used_at = ${caller.now}
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${param('key')}
    AND (${apiKeys.lastUsedAt} IS NULL OR ${apiKeys.lastUsedAt} < ${caller.now} - ${sql.raw(String(RESOLUTION))})`)

/** Notes that a key was used, after the answer and outside its round trip. */
export function touchKey(
  d1: D1Database,
  actor: Actor,
  now: number,
  afterwards: (work: Promise<unknown>) => void,
): void {
  const last = touched.get(actor.jti)
  if (last !== undefined && now - last < RESOLUTION) return
  if (touched.size >= MAX_REMEMBERED) touched.clear()
  touched.set(actor.jti, now)
  // The answer goes out first.
  afterwards(
    scheduler
      .wait(0)
      .then(() => openStore(d1, now).batch(actor.subscriptionId, markUsed({ key: actor.jti })))
      .catch((cause: unknown) => console.warn('Last use of a key was not noted.', cause)),
  )
}
