import * as z from 'zod'
import { operation } from '../../http/operation'
import { listQuery } from '../../http/pagination'
import { ProductParams } from '../../http/schemas'
import { iso } from '../../text/moments'
import { makeExternalKey } from './key'
import * as queries from './queries'
import { CreateProduct, Product } from './schema'

function toProduct(row: Omit<queries.ProductRow, 'version'>): z.input<typeof Product> {
  return { ...row, createdAt: iso(row.createdAt), updatedAt: iso(row.updatedAt) }
}

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
    const row = await queries.createProduct(db, {
      externalKey,
      name: body.name,
      description: body.description ?? null,
      color: body.color ?? null,
    })
    return { data: toProduct(row), message: 'Product saved', location: `/api/initiatives/${row.externalKey}` }
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
  query: listQuery(['-createdAt', 'createdAt']),
  data: z.array(Product),
  async handle({ query, db }) {
    const { rows, next } = await queries.listProducts(db, query)
    return { data: rows.map(toProduct), next }
  },
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
  async handle({ db }) {
    const row = await queries.getProduct(db)
    return { data: toProduct(row), version: row.version }
  },
})
