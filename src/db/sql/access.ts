import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { settings } from '../schema/settings'
import { apiKeys, products } from '../schema/tenancy'
import type { Actor } from './actor'
import {
  caller,
  compileSql,
  inline,
  makeLazy,
  param,
  type Statement,
  statement,
  type Template,
  type Values,
} from './statement'

const isNotRevoked = sql`(${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`

/** The caller's key, only while active. No cache keeps an active key, because revoking a key must work at once. */
export const isCallerKey = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.jti} = ${caller.key}
  AND ${isNotRevoked}`

export const callerKeyId = sql`(SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${isCallerKey})`

/** An active key of the workspace, for work done on behalf of a key without the token. */
export const isUsableKey = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.expiresAt} > ${caller.now}
  AND ${isNotRevoked}`

export const callerHasEveryScope = sql`EXISTS (SELECT 1 FROM json_each(${caller.scopes}) WHERE value = '*')`

// End of the refusal in milliseconds, by key.
const expiryByRefusedKey = new Map<string, number>()
const REFUSED_KEY_TTL_MS = 60_000
const MAX_REFUSED_KEYS = 1_000

const refusedKeyNameOf = ({ subscriptionId, jti }: Actor) => `${subscriptionId}:${jti}`

export const isKeyRefused = (actor: Actor, now: number): boolean =>
  (expiryByRefusedKey.get(refusedKeyNameOf(actor)) ?? 0) > now

export function rememberRefusedKey(actor: Actor, now: number): void {
  if (expiryByRefusedKey.size >= MAX_REFUSED_KEYS) expiryByRefusedKey.clear()
  expiryByRefusedKey.set(refusedKeyNameOf(actor), now + REFUSED_KEY_TTL_MS)
}

export const isProductInPath = sql`${products.subscriptionId} = ${caller.subscription}
  AND ${products.externalKey} = ${caller.product} AND ${products.deletedAt} IS NULL`

export const productId = sql`(SELECT ${products.id} FROM ${products} WHERE ${isProductInPath})`

export function coversProduct(id: SQL): SQL {
  return sql`(${caller.products} IS NULL OR ${id} IN (SELECT value FROM json_each(${caller.products})))`
}

/** Whether pages of the origin in the request may call the workspace. */
export const isOriginListed = sql`EXISTS (SELECT 1 FROM ${settings}, json_each(${settings.cors}) o
  WHERE ${settings.subscriptionId} = ${caller.subscription} AND o.value = ${caller.foreignOrigin})`

export const selectRefusedOrigin = statement<{ origin: string }>(
  sql`SELECT ${caller.foreignOrigin} AS "origin" WHERE NOT ${isOriginListed}`,
)

/** A use within this time of the last recorded use is not recorded. */
export const LAST_USE_RESOLUTION_MS = 15 * 60_000

export const isLastUseStale = sql`(${apiKeys.lastUsedAt} IS NULL
  OR ${apiKeys.lastUsedAt} <= ${caller.now} - ${inline(LAST_USE_RESOLUTION_MS)})`

/** No row means that the key is not active; no product id means that the product is missing. */
export interface KeyAccess {
  productId: number | null
  covered: number
  stale: number
  /** Origin of another site whose pages may not call the workspace. */
  refusedOrigin?: string | undefined
  /** Reason why the caller may not read the portal of the path. */
  refusal?: string | null
}

const selectAccess = {
  key: sql`SELECT NULL AS "productId", 1 AS "covered", ${isLastUseStale} AS "stale" FROM ${apiKeys} WHERE ${isCallerKey}`,
  product: sql`SELECT ${products.id} AS "productId", ${coversProduct(sql`${products.id}`)} AS "covered", ${isLastUseStale} AS "stale"
    FROM ${apiKeys} LEFT JOIN ${products} ON ${isProductInPath} WHERE ${isCallerKey}`,
}
const accessTemplates = { key: compileSql(selectAccess.key), product: compileSql(selectAccess.product) }

export const findAccessTemplate = (inProduct: boolean): Template =>
  inProduct ? accessTemplates.product : accessTemplates.key

export interface RowWithAccess {
  '@found': 1 | null
  '@productId': number | null
  '@covered': number
  '@stale': number
}

/** Makes a statement of at most one row. A read of this statement alone reads the access of the key in the same statement. */
export function selectOneRow<Row, V extends Values>(columns: SQL, from: SQL): (values: V) => Statement<Row> {
  const madeAt = new Error()
  const joinAccess = (access: SQL) =>
    makeLazy(() =>
      compileSql(
        sql`SELECT r.*, a."productId" AS "@productId", a."covered" AS "@covered", a."stale" AS "@stale"
          FROM (${access}) a LEFT JOIN (SELECT ${columns}, 1 AS "@found" ${from}) r`,
        madeAt,
      ),
    )
  const template = makeLazy(() => compileSql(sql`SELECT ${columns} ${from}`, madeAt))
  const [withKey, withProduct] = [joinAccess(selectAccess.key), joinAccess(selectAccess.product)]
  const accessTemplate = (inProduct: boolean) => (inProduct ? withProduct() : withKey())
  return (values) => ({ template, accessTemplate, values })
}

/** Takes the columns of the access off the row. Only the last members are deleted, which keeps the object fast. */
export function splitAccess(row: RowWithAccess): { access: KeyAccess; rows: object[] } {
  const access = { productId: row['@productId'], covered: row['@covered'], stale: row['@stale'] }
  const isFound = row['@found'] === 1
  const members: Partial<RowWithAccess> = row
  for (const name of ['@stale', '@covered', '@productId', '@found'] as const) delete members[name]
  return { access, rows: isFound ? [row] : [] }
}

/**
 * Maker to remember when a rotation of the key in the path passes a record to the successor: `first` if already
 * remembered, or `maker`. A key that rotates itself is not remembered, because revoking the key ends the successor.
 */
export const firstMakerKeyId = (first: SQLiteColumn, maker: SQLiteColumn) =>
  sql`iif(${callerKeyId} = ${param('apiKeyId')}, ${first}, coalesce(${first}, ${maker}))`
