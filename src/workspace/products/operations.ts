import * as z from 'zod'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { makeExternalKey } from './key'
import * as queries from './queries'
import { CreateProduct, ListProducts, ModifyProduct, Product } from './schema'

export const createProduct = operation({
  id: 'createProduct',
  method: 'post',
  path: '/api/initiatives',
  tag: 'Products',
  summary: 'Create a product',
  description: 'Without `externalKey` one is made from the name; one that is taken is a 409.',
  scope: 'products:write',
  workspaceWide: true,
  status: 201,
  body: CreateProduct,
  data: Product,
  async handle({ body, db }) {
    const externalKey = body.externalKey ?? makeExternalKey(body.name, crypto.getRandomValues(new Uint8Array(6)))
    const { data } = await queries.createProduct(db, { ...body, externalKey })
    return { data, message: 'Product saved', location: `/api/initiatives/${data.externalKey}` }
  },
})

export const listProducts = operation({
  id: 'listProducts',
  method: 'get',
  path: '/api/initiatives',
  tag: 'Products',
  summary: 'List products',
  description: 'The newest first. A key that is limited to products sees only those.',
  scope: 'products:read',
  query: ListProducts,
  data: z.array(Product),
  handle: ({ query, db }) => queries.listProducts(db, query),
})

export const getProduct = operation({
  id: 'getProduct',
  method: 'get',
  path: '/api/initiatives/{product_external_key}',
  tag: 'Products',
  summary: 'Retrieve a product',
  description: 'By its external key.',
  scope: 'products:read',
  params: ProductParams,
  data: Product,
  handle: ({ params, db }) => queries.getProduct(db, params),
})

export const modifyProduct = operation({
  id: 'modifyProduct',
  method: 'put',
  path: '/api/initiatives/{product_external_key}',
  tag: 'Products',
  summary: 'Modify a product',
  description: 'Changes the fields that are sent; `null` clears one. Its external key stays.',
  scope: 'products:write',
  params: ProductParams,
  body: ModifyProduct,
  data: Product,
  conditional: true,
  message: 'Product saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyProduct(db, params, body, ifMatch),
})

export const removeProduct = operation({
  id: 'removeProduct',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}',
  tag: 'Products',
  summary: 'Remove a product',
  description: 'With everything in it. It can be restored for 30 days.',
  scope: 'products:write',
  workspaceWide: true,
  params: ProductParams,
  data: z.object({}),
  conditional: true,
  message: 'Product removed',
  handle: ({ params, db, ifMatch }) => queries.removeProduct(db, params, ifMatch),
})

export const restoreProduct = operation({
  id: 'restoreProduct',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/restore',
  tag: 'Products',
  summary: 'Restore a removed product',
  description: 'With everything that went with it.',
  scope: 'products:write',
  workspaceWide: true,
  ofRemoved: true,
  params: ProductParams,
  data: Product,
  message: 'Product restored',
  handle: ({ params, db }) => queries.restoreProduct(db, params),
})
