import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { apiKeys, products } from '../schema/tenancy'
import type { Actor } from './actor'
import { caller, compile, inline, param, type Template } from './statement'

const isNotRevoked = sql`(${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`

/** The caller's key, only while active. No cache keeps an active key, because revoking a key must work at once. */
export const isCallerKey = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${caller.key}
  AND ${isNotRevoked}`

export const callerKeyId = sql`(SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${isCallerKey})`

/** An active key of the workspace, for work done on behalf of a key without the token. */
export const isUsableKey = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.expiresAt} > ${caller.now}
  AND ${isNotRevoked}`

// End of the refusal in milliseconds, by key.
const refusedKeys = new Map<string, number>()
const REFUSAL_TTL = 60_000
const MAX_REFUSED_KEYS = 1_000

const cacheKeyOf = ({ subscriptionId, jti }: Actor) => `${subscriptionId}:${jti}`

export const isRefused = (actor: Actor, now: number): boolean => (refusedKeys.get(cacheKeyOf(actor)) ?? 0) > now

export function rememberRefused(actor: Actor, now: number): void {
  if (refusedKeys.size >= MAX_REFUSED_KEYS) refusedKeys.clear()
  refusedKeys.set(cacheKeyOf(actor), now + REFUSAL_TTL)
}

export const productByKey = sql`${products.subscriptionId} = ${caller.subscription}
  AND ${products.externalKey} = ${caller.product} AND ${products.deletedAt} IS NULL`

export const productId = sql`(SELECT ${products.id} FROM ${products} WHERE ${productByKey})`

export function coversProduct(id: SQL): SQL {
  return sql`(${caller.products} IS NULL OR ${id} IN (SELECT value FROM json_each(${caller.products})))`
}

/** A use within this time of the last recorded use is not recorded. */
export const USE_RESOLUTION = 15 * 60_000

export const isLastUseStale = sql`(${apiKeys.lastUsedAt} IS NULL
  OR ${apiKeys.lastUsedAt} <= ${caller.now} - ${inline(USE_RESOLUTION)})`

/** No row means that the key is not active; no product id means that the product is missing. */
export interface Access {
  productId: number | null
  covered: number
  stale: number
}

const accessTemplates = {
  key: compile(
    sql`SELECT NULL AS "productId", 1 AS "covered", ${isLastUseStale} AS "stale" FROM ${apiKeys} WHERE ${isCallerKey}`,
  ),
  product:
    compile(sql`SELECT ${products.id} AS "productId", ${coversProduct(sql`${products.id}`)} AS "covered", ${isLastUseStale} AS "stale"
    FROM ${apiKeys} LEFT JOIN ${products} ON ${productByKey} WHERE ${isCallerKey}`),
}

export const accessTemplate = (inProduct: boolean): Template =>
  inProduct ? accessTemplates.product : accessTemplates.key

/**
 * Maker to remember when a rotation of the key in the path passes a record to the successor: `first` if already
 * remembered, or `maker`. A key that rotates itself is not remembered, because revoking the key ends the successor.
 */
export const firstMaker = (first: SQLiteColumn, maker: SQLiteColumn) =>
  sql`iif(${callerKeyId} = ${param('apiKeyId')}, ${first}, coalesce(${first}, ${maker}))`
