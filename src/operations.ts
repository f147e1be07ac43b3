import * as products from './products/operations'
import * as segments from './segments/operations'

/** Every operation of the service, in reading order. */
export const operations = [
  products.createProduct,
  products.listProducts,
  products.getProduct,
  segments.createSegment,
  segments.listSegments,
  segments.getSegment,
  segments.createUsersInSegment,
] as const
