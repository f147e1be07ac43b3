import type * as z from 'zod'
import type { Actor } from '../../../db/sql/actor'
import { requireScope } from '../../../http/auth'
import type { Scope } from '../../../http/token'
import { hasScope } from '../../../http/token'
import { invalidValueError } from '../../../text/errors'
import { refuseExcessScopes } from '../../keys/grant'
import type { NewKeyOfWebhook } from '../../keys/schema'

/** Refuses a key that the caller must not create, or that lacks a scope of its webhook. */
export function checkNewKey(
  actor: Actor,
  key: z.output<typeof NewKeyOfWebhook> | undefined,
  needed: readonly Scope[],
): void {
  if (!key) return
  requireScope(actor, 'keys:write')
  refuseExcessScopes(actor, key.scopes)
  const missing = needed.find((scope) => !hasScope(key.scopes, scope))
  if (missing)
    throw invalidValueError('/apiKey/scopes', `The webhook needs the scope ${missing}. Add the scope to the new key.`)
}
