import { type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { products } from '../schema/tenancy'
import type { Field } from './field'
import { caller } from './statement'

// A key or an endpoint is limited to products by a column with a JSON array of product ids; null means all products.

export function limitedProductsField(column: SQLiteColumn): Field<string | null, string[] | null, never> {
  // The join order makes SQLite look products up by id instead of scanning the workspace's products.
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

/** A limited key does not cover an unlimited column (null). */
export const isWithinKeyLimit = (column: SQLiteColumn) => sql`(${caller.products} IS NULL OR (${column} IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM json_each(${column}) own
    WHERE own.value NOT IN (SELECT value FROM json_each(${caller.products})))))`

/** Ids of the products that a JSON array of external keys names, sorted to give the same text for the same products. */
export const productIdsOf = (keys: SQLWrapper) => sql`(SELECT json_group_array(id) FROM (
  SELECT p.id AS id FROM ${products} p WHERE p.subscription_id = ${caller.subscription}
    AND p.external_key IN (SELECT value FROM json_each(${keys})) AND p.deleted_at IS NULL ORDER BY p.id))`
