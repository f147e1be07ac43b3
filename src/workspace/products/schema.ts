import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { line, PRODUCT_KEY_PATTERN, severalOf, storedValue, Timestamp, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'

export const ProductExternalKey = text(20).regex(
  PRODUCT_KEY_PATTERN,
  'Must be two to four capitals, a dash and a code of capitals and digits, like GW-DEMO',
)

const ProductStatus = z.enum(['active', 'archived'], { error: 'Must be "active" or "archived"' })

export const CreateProduct = z
  .object({
    name: line(200),
    externalKey: ProductExternalKey.optional().meta({ description: 'Generated from the name by default.' }),
    description: text(10_000).optional(),
    color: text(50).optional(),
    status: ProductStatus.optional(),
  })
  .meta({ id: 'CreateProduct', examples: [{ name: 'Groundwork demo', externalKey: 'GW-NEW' }] })

export const ModifyProduct = z
  .object({
    name: line(200).optional(),
    description: text(10_000).nullable().optional(),
    color: text(50).nullable().optional(),
    status: ProductStatus.optional(),
  })
  .meta({ id: 'ModifyProduct', examples: [{ description: 'What we show to everyone.' }] })

export const ListProducts = createRestorableQuery(['-createdAt', 'createdAt']).extend({
  status: declareWeight(
    'walk',
    severalOf(ProductStatus).optional().meta({
      description:
        'Only products with this status, or with any of several separated by commas. Looks at 10,000 products per page: a page can be short or empty and still have a next page.',
    }),
  ),
})

export const Product = z
  .object({
    id: z.int(),
    externalKey: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    status: storedValue(ProductStatus.options),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Product', description: 'A product, called initiative in paths and some fields.' })
