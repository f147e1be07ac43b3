import * as z from 'zod'
import { CONTENT_COUNT_COST_REASON, declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { makeProductKey } from './key'
import * as queries from './queries'
import { CreateProduct, ListProducts, ModifyProduct, Product } from './schema'

export const createProduct = operation({
  id: 'createProduct',
  of: 'product',
  route: 'POST /api/initiatives',
  summary: 'Create a product',
  description: 'Generates `externalKey` from the name by default. A taken `externalKey` is a 409.',
  workspaceWide: true,
  location: '/api/initiatives/{externalKey}',
  body: CreateProduct,
  data: Product,
  message: 'Product saved',
  async handle({ body, db }) {
    const externalKey = body.externalKey ?? makeProductKey(body.name, crypto.getRandomValues(new Uint8Array(6)))
    return queries.createProduct(db, { ...body, externalKey })
  },
})

export const listProducts = operation({
  id: 'listProducts',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'product',
  route: 'GET /api/initiatives',
  summary: 'List products',
  description: 'Products, newest first. A key that is limited to products sees only its products.',
  query: ListProducts,
  data: z.array(Product),
  handle: ({ query, db }) => queries.listProducts(db, query),
})

export const getProduct = operation({
  id: 'getProduct',
  of: 'product',
  route: 'GET /api/initiatives/{product_external_key}',
  summary: 'Retrieve a product',
  description: 'The product with this external key.',
  params: ProductParams,
  data: Product,
  handle: ({ params, db }) => queries.getProduct(db, params),
})

export const modifyProduct = operation({
  id: 'modifyProduct',
  of: 'product',
  route: 'PUT /api/initiatives/{product_external_key}',
  summary: 'Modify a product',
  description: 'Changes only the fields that you send; `null` clears a field. The external key never changes.',
  params: ProductParams,
  body: ModifyProduct,
  data: Product,
  conditional: true,
  message: 'Product saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyProduct(db, params, body, ifMatch),
})

export const removeProduct = operation({
  id: 'removeProduct',
  ceiling: declareCeiling(600_000, CONTENT_COUNT_COST_REASON),
  of: 'product',
  route: 'DELETE /api/initiatives/{product_external_key}',
  summary: 'Remove a product',
  description: 'Removes the product and its content. You can restore the product for 30 days.',
  workspaceWide: true,
  params: ProductParams,
  conditional: true,
  message: 'Product removed',
  handle: ({ params, db, ifMatch }) => queries.removeProduct(db, params, ifMatch),
})

export const restoreProduct = operation({
  id: 'restoreProduct',
  ceiling: declareCeiling(600_000, CONTENT_COUNT_COST_REASON),
  of: 'product',
  route: 'POST /api/initiatives/{product_external_key}/restore',
  summary: 'Restore a removed product',
  description: 'The product returns with the content that was removed with it.',
  workspaceWide: true,
  allowsRemovedProduct: true,
  params: ProductParams,
  data: Product,
  message: 'Product restored',
  handle: ({ params, db }) => queries.restoreProduct(db, params),
})
