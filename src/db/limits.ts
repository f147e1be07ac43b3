import { type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Field } from './field'
import { products } from './schema/tenancy'
import { caller } from './statement'

// What a key, or an endpoint, is limited to: a column of ids of products as JSON, null for all of them.

/** External keys of these products. */
export function limitedTo(column: SQLiteColumn): Field<string | null, string[] | null, never> {
  // Found by their ids: the order of the tables keeps the workspace's products from being walked for them.
  const keys = sql`CASE WHEN ${column} IS NULL THEN NULL ELSE (
    SELECT json_group_array(${products.externalKey} ORDER BY ${products.externalKey})
    FROM json_each(${column}) own CROSS JOIN ${products} ON ${products.id} = own.value
      AND ${products.subscriptionId} = ${caller.subscription}) END`
  return {
    sql: keys,
    show: (stored) => (stored === null ? null : (JSON.parse(stored) as string[])),
    json: () => sql`json(${keys})`,
  }
}

/** True where the caller's key is not limited, or this is limited to some of its products. */
export const withinLimits = (column: SQLiteColumn) => sql`(${caller.products} IS NULL OR (${column} IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM json_each(${column}) own
    WHERE own.value NOT IN (SELECT value FROM json_each(${caller.products})))))`

/** Ids of the products with these external keys (a JSON array), in one order. */
export const idsOfProducts = (keys: SQLWrapper) => sql`(SELECT json_group_array(id) FROM (
  SELECT p.id AS id FROM ${products} p WHERE p.subscription_id = ${caller.subscription}
    AND p.external_key IN (SELECT value FROM json_each(${keys})) AND p.deleted_at IS NULL ORDER BY p.id))`
