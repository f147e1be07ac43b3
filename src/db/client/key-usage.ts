import { sql } from 'drizzle-orm'
import { logWarning } from '../../text/log'
import { apiKeys } from '../schema/tenancy'
import { isLastUseStale, LAST_USE_RESOLUTION_MS } from '../sql/access'
import { type Actor, SESSION_LIFETIME_MS } from '../sql/actor'
import { caller, inline, param, type Statement, statement } from '../sql/statement'
import type { Store } from './client'

const MAX_REMEMBERED_KEYS = 10_000

const lastUseByKey = new Map<string, number>()

const updateLastKeyUse = statement<never, { key: string }>(sql`
  UPDATE ${apiKeys} SET last_used_at = ${caller.now},
    expires_at = iif(kind = 'session', max(expires_at, ${caller.now} + ${inline(SESSION_LIFETIME_MS)}), expires_at)
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${param('key')} AND ${isLastUseStale}`)

function isKeyUseRemembered({ jti }: Actor, now: number): boolean {
  const last = lastUseByKey.get(jti)
  return last !== undefined && now - last < LAST_USE_RESOLUTION_MS
}

export function rememberKeyUse({ jti }: Actor, now: number): void {
  if (lastUseByKey.size >= MAX_REMEMBERED_KEYS) lastUseByKey.clear()
  lastUseByKey.set(jti, now)
}

/** Statement of a write's own batch, unless this isolate has recorded a recent use. */
export const prepareKeyUse = (actor: Actor, now: number): Statement<never>[] =>
  isKeyUseRemembered(actor, now) ? [] : [updateLastKeyUse({ key: actor.jti })]

/** Records the use of a key by a read after the response, because a read may run on a replica. */
export function recordKeyUse(
  store: Store,
  { actor, now, isStale }: { actor: Actor; now: number; isStale: boolean | undefined },
  afterwards: (work: Promise<unknown>) => void,
): void {
  if (!isStale || isKeyUseRemembered(actor, now)) return
  rememberKeyUse(actor, now)
  // Send the response first.
  afterwards(
    scheduler
      .wait(0)
      .then(() => store.batch(actor.subscriptionId, updateLastKeyUse({ key: actor.jti })))
      .catch((cause: unknown) =>
        logWarning('The last use of a key was not recorded.', { workspace: actor.subscriptionId }, cause),
      ),
  )
}
