import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { type Key, record } from '../../db/records/record'
import { changelogEntries } from '../../db/schema/changelog'
import { feedbackItems } from '../../db/schema/feedback'
import { personas } from '../../db/schema/personas'
import { products } from '../../db/schema/tenancy'
import { moment } from '../../db/sql/field'
import { equalsAny, unindexed } from '../../db/sql/filter'
import { caller, param, statement, type Values } from '../../db/sql/statement'
import { CreateProduct, ListProducts, ModifyProduct } from './schema'
import { productContent } from './statements'

const productKeyColumns = { product_external_key: products.externalKey }
export type ProductKey = Key<typeof productKeyColumns>

export const product = record('product', {
  table: products,
  scope: { product: products.id },
  key: productKeyColumns,
  fields: {
    id: products.id,
    externalKey: products.externalKey,
    name: products.name,
    description: products.description,
    color: products.color,
    status: products.status,
    createdAt: moment(products.createdAt),
    updatedAt: moment(products.updatedAt),
  },
  content: productContent,
})

// The key of a removed product stays taken, because references outside may still name the key.
const productKeyTaken = guard<Values>(
  'conflict:Another product has this externalKey. Choose another key.',
  sql`EXISTS (SELECT 1 FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
    AND ${products.externalKey} = ${param('externalKey')})`,
)
const insertProduct = insertStatement(product, CreateProduct, { returns: product.inserted() })
const emitProductCreated = product.emit('created')

export const createProduct = (db: Database, body: z.output<typeof CreateProduct> & { externalKey: string }) =>
  product.save(db, {
    guards: [productKeyTaken({ externalKey: body.externalKey })],
    statements: [insertProduct(body), emitProductCreated({})],
    returning: product.inserted(),
  })

export const getProduct = product.get

export const listProducts = makeListReader(product, ListProducts, {
  sorts: { createdAt: products.createdAt },
  filters: { status: unindexed(equalsAny(products.status)) },
}).page

const updateProduct = updateStatement(product, ModifyProduct)

export const modifyProduct = (
  db: Database,
  key: ProductKey,
  body: z.output<typeof ModifyProduct>,
  ifMatch: string | null,
) =>
  product.save(db, {
    guards: product.writeGuards(key, ifMatch),
    statements: updateProduct(key, body),
    returning: product.returningByKey(key),
  })

// These records have paths without the product, and are removed and restored with the product.
const WORKSPACE_TABLES_OF_PRODUCT = [feedbackItems, personas, changelogEntries] as const

const productLifecycle = makeLifecycle(product)

const removeContentStatements = WORKSPACE_TABLES_OF_PRODUCT.map((table) =>
  statement<never, Values>(sql`UPDATE ${table} SET deleted_at = ${caller.now}
    WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.productId} = ${product.id}
      AND ${table.deletedAt} IS NULL`),
)

const restoreContentStatements = WORKSPACE_TABLES_OF_PRODUCT.map((table) =>
  statement<never, Values>(sql`UPDATE ${table} SET deleted_at = NULL
    FROM (SELECT ${products.id}, ${products.deletedAt} FROM ${products} WHERE ${product.deletedByKey}) gone
    WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.productId} = gone.id
      AND ${table.deletedAt} = gone.deleted_at`),
)

export function removeProduct(db: Database, key: ProductKey, ifMatch: string | null) {
  const { statements, ...rest } = productLifecycle.removal(key, ifMatch)
  const [emitDeleted, ...remove] = statements
  // The event counts the content before its removal.
  return db.write({
    ...rest,
    statements: [
      ...(emitDeleted ? [emitDeleted] : []),
      ...removeContentStatements.map((removeContent) => removeContent(key)),
      ...remove,
    ],
  })
}

export function restoreProduct(db: Database, key: ProductKey) {
  const { statements, ...rest } = productLifecycle.restoration(key)
  return product.save(db, {
    ...rest,
    statements: [...restoreContentStatements.map((restore) => restore(key)), ...statements],
  })
}
