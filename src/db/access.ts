import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from './actor'
import { apiKeys, products } from './schema/tenancy'
import { caller, compile, inline, type Template } from './statement'

const notRevoked = sql`(${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`

/** The caller's key, only while active. No cache keeps an active key, because revoking a key must work at once. */
export const activeKey = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${caller.key}
  AND ${notRevoked}`

export const callersKey = sql`(SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${activeKey})`

/** An active key of the workspace, for work done on behalf of a key without the token. */
export const workingKey = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.expiresAt} > ${caller.now}
  AND ${notRevoked}`

// Keys refused by the primary, with the end of the refusal in milliseconds. Only a refusal by the primary is
// remembered, because a replica may not know a new key yet.
const refused = new Map<string, number>()
const REMEMBERED = 60_000
const MAX_REMEMBERED = 1_000

const nameOf = ({ subscriptionId, jti }: Actor) => `${subscriptionId}:${jti}`

/** True if the primary refused the key within the last minute, as far as this isolate knows. */
export const isRefused = (actor: Actor, now: number): boolean => (refused.get(nameOf(actor)) ?? 0) > now

export function rememberRefused(actor: Actor, now: number): void {
  if (refused.size >= MAX_REMEMBERED) refused.clear()
  refused.set(nameOf(actor), now + REMEMBERED)
}

export const addressedProduct = sql`${products.subscriptionId} = ${caller.subscription}
  AND ${products.externalKey} = ${caller.product} AND ${products.deletedAt} IS NULL`

export const productId = sql`(SELECT ${products.id} FROM ${products} WHERE ${addressedProduct})`

/** True if the key is not limited to products, or covers this product. */
export function covered(id: SQL): SQL {
  return sql`(${caller.products} IS NULL OR ${id} IN (SELECT value FROM json_each(${caller.products})))`
}

/** Precision of a key's last use, in milliseconds: a use within this time of the last recorded use is not recorded. */
export const USE_RESOLUTION = 15 * 60_000

export const staleUse = sql`(${apiKeys.lastUsedAt} IS NULL
  OR ${apiKeys.lastUsedAt} <= ${caller.now} - ${inline(USE_RESOLUTION)})`

/**
 * Access check of a read. The result has no row if the key is not active, and no product id if the product is missing.
 */
export interface Access {
  productId: number | null
  covered: number
  stale: number
}

const reading = {
  key: compile(
    sql`SELECT NULL AS "productId", 1 AS "covered", ${staleUse} AS "stale" FROM ${apiKeys} WHERE ${activeKey}`,
  ),
  product:
    compile(sql`SELECT ${products.id} AS "productId", ${covered(sql`${products.id}`)} AS "covered", ${staleUse} AS "stale"
    FROM ${apiKeys} LEFT JOIN ${products} ON ${addressedProduct} WHERE ${activeKey}`),
}

export const accessTemplate = (inProduct: boolean): Template => (inProduct ? reading.product : reading.key)
