import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { insertStatement } from '../../../db/records/change'
import { apiKeys } from '../../../db/schema/tenancy'
import { isCallerKey } from '../../../db/sql/access'
import type { Actor } from '../../../db/sql/actor'
import { productIdsOf } from '../../../db/sql/limits'
import { caller, inline, param } from '../../../db/sql/statement'
import { CreateApiKey, type NewKeyOfWebhook } from '../schema'
import { apiKey } from '../statements'

const DEFAULT_KEY_LIFETIME_MS = 365 * 86_400_000

export const valueOfCallerKey = (value: SQL) => sql`(SELECT ${value} FROM ${apiKeys} WHERE ${isCallerKey})`
/** Somebody besides the user has seen the token. */
export const callerKeyIsDelegated = valueOfCallerKey(sql`${apiKeys.delegated}`)
/** A key outlives the session in which a person created it. */
export const endOfCallerKey = valueOfCallerKey(
  sql`iif(${apiKeys.kind} = 'session', ${inline(Number.MAX_SAFE_INTEGER)},
    min(${apiKeys.expiresAt}, coalesce(${apiKeys.revokedAt}, ${apiKeys.expiresAt})))`,
)

export const insertApiKey = insertStatement(apiKey, CreateApiKey, {
  except: ['products'],
  values: {
    jti: param('jti'),
    issuedBy: valueOfCallerKey(sql`${apiKeys.id}`),
    delegated: sql`${param('=userId')} <> ${caller.user} OR ${callerKeyIsDelegated}`,
    expiresAt: sql`min(${caller.now} + ${inline(DEFAULT_KEY_LIFETIME_MS)}, ${endOfCallerKey})`,
    // A key with a product limit creates keys with the same limit or a narrower limit.
    products: sql`CASE WHEN ${param('products')} IS NULL THEN ${caller.products} ELSE ${productIdsOf(param('products'))} END`,
  },
})
export const emitApiKeyCreated = apiKey.emit('created')

/** A key of the caller for a webhook of the same batch, which finds the key by its `newKeyJti`. */
export function createKeyOfWebhook(body: z.output<typeof NewKeyOfWebhook> | undefined, { userId }: Actor) {
  if (!body) return { newKeyJti: null, keyStatements: [] }
  const newKeyJti = crypto.randomUUID()
  const insert = insertApiKey({ ...body, userId }, { jti: newKeyJti, products: null })
  return { newKeyJti, keyStatements: [insert, emitApiKeyCreated({})] }
}

export type KeyOfWebhook = ReturnType<typeof createKeyOfWebhook>
