import * as products from './products/operations'

/** Every operation of the service, in reading order. */
export const operations = [products.createProduct, products.listProducts, products.getProduct] as const
