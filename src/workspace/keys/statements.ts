import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../db/change'
import { json, moment } from '../../db/field'
import { type Key, record } from '../../db/record'
import { apiKeys, products } from '../../db/schema/tenancy'
import { caller } from '../../db/statement'

// Found by their ids: the order of the tables keeps the workspace's products from being walked for them.
const productKeys = sql`CASE WHEN ${apiKeys.products} IS NULL THEN NULL ELSE (
  SELECT json_group_array(${products.externalKey} ORDER BY ${products.externalKey})
  FROM json_each(${apiKeys.products}) own CROSS JOIN ${products} ON ${products.id} = own.value
    AND ${products.subscriptionId} = ${caller.subscription}) END`

/** External keys of the products that a key is limited to; null for all. */
export const limits = {
  ...json<string[] | null>(apiKeys.products),
  sql: productKeys,
  json: () => sql`json(${productKeys})`,
}

const key = { apiKeyId: apiKeys.id }
export type ApiKeyKey = Key<typeof key>

export const DECLARED = {
  table: apiKeys,
  within: 'workspace',
  key,
  fields: {
    id: apiKeys.id,
    name: apiKeys.name,
    userId: apiKeys.userId,
    scopes: json<string[]>(apiKeys.scopes),
    products: limits,
    createdAt: moment(apiKeys.createdAt),
    expiresAt: moment(apiKeys.expiresAt),
    lastUsedAt: moment(apiKeys.lastUsedAt),
    revokedAt: moment(apiKeys.revokedAt),
  },
} as const

export const apiKey = record('api_key', DECLARED)

export const working = sql`(${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`

/** Ends the keys of a user at once. */
export const endKeysOf = (user: SQL) =>
  changes(
    apiKey,
    sql`${apiKey.visible} AND ${apiKeys.userId} = ${user} AND ${working}`,
    { revokedAt: sql`${caller.now}` },
    'revoked',
  )
