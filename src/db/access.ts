import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from './actor'
import { apiKeys, products } from './schema/tenancy'
import { caller, compile, inline, type Template } from './statement'

const notRevoked = sql`(${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`

/** The caller's key, while it is active: revoking it works at once, without a cache. */
export const activeKey = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${caller.key}
  AND ${notRevoked}`

/** The id of the caller's key. */
export const callersKey = sql`(SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${activeKey})`

/** A key of the workspace that has not ended: for what is done as one, without its token. */
export const workingKey = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.expiresAt} > ${caller.now}
  AND ${notRevoked}`

// Refused at the primary, which knows every key that there is: until when that needs no other answer, in milliseconds.
const refused = new Map<string, number>()
const REMEMBERED = 60_000
const MAX_REMEMBERED = 1_000

const nameOf = ({ subscriptionId, jti }: Actor) => `${subscriptionId}:${jti}`

/** Whether this isolate was told within the last minute that the key is not active. */
export const isRefused = (actor: Actor, now: number): boolean => (refused.get(nameOf(actor)) ?? 0) > now

export function rememberRefused(actor: Actor, now: number): void {
  if (refused.size >= MAX_REMEMBERED) refused.clear()
  refused.set(nameOf(actor), now + REMEMBERED)
}

/** The product in the path. */
export const addressedProduct = sql`${products.subscriptionId} = ${caller.subscription}
  AND ${products.externalKey} = ${caller.product} AND ${products.deletedAt} IS NULL`

/** The id of the product in the path. */
export const productId = sql`(SELECT ${products.id} FROM ${products} WHERE ${addressedProduct})`

/** True where the key is not limited to products, or this is one of them. */
export function covered(id: SQL): SQL {
  return sql`(${caller.products} IS NULL OR ${id} IN (SELECT value FROM json_each(${caller.products})))`
}

/** How long a key's last use stays as it was noted, in milliseconds: it is exact to that. */
export const USE_RESOLUTION = 15 * 60_000

/** Whether the key's last use is to be noted anew. */
export const staleUse = sql`(${apiKeys.lastUsedAt} IS NULL
  OR ${apiKeys.lastUsedAt} <= ${caller.now} - ${inline(USE_RESOLUTION)})`

/** What a read asks beside its data: is the key active, is the product there and covered. One row, or none. */
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
