import * as z from 'zod'
import { line, PRODUCT_KEY, Timestamp, text } from '../../http/schemas'

export const ExternalKey = z
  .string()
  .regex(PRODUCT_KEY, 'Must be two to four capitals, a dash and a code of capitals and digits, like GW-DEMO')

export const CreateProduct = z
  .object({
    name: line(200),
    externalKey: ExternalKey.optional().meta({ description: 'Made from the name when absent.' }),
    description: text(10_000).optional(),
    color: text(50).optional(),
  })
  .meta({ id: 'CreateProduct', examples: [{ name: 'Groundwork demo', externalKey: 'GW-NEW' }] })

export const Product = z
  .object({
    id: z.int(),
    externalKey: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    status: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Product', description: 'A product; the interface calls it an initiative.' })
