import * as z from 'zod'
import { text } from '../../http/schemas'

const createItemKeySchema = () => text(30).min(1)

export const MoveWorkItem = z
  .object({
    beforeKey: createItemKeySchema()
      .optional()
      .meta({ description: 'Key of the item of the same type to move before.' }),
    afterKey: createItemKeySchema().optional().meta({ description: 'Key of the item of the same type to move after.' }),
    parentKey: createItemKeySchema()
      .nullish()
      .meta({ description: 'Key of the new parent epic or feature; null detaches. The place in the order stays.' }),
  })
  .refine(
    ({ beforeKey, afterKey, parentKey }) => beforeKey ?? afterKey ?? parentKey !== undefined,
    'Must name beforeKey, afterKey or parentKey',
  )
  .meta({ id: 'MoveWorkItem', examples: [{ afterKey: 'US-1' }] })

export const Place = z
  .object({
    externalKey: z.string(),
    epicId: z.int().meta({ description: 'Id of the epic; 0 for none.' }),
    featureId: z.int().meta({ description: 'Id of the feature; 0 for none.' }),
    beforeKey: z.string().nullable().meta({ description: 'Key of the next item of the type; null for the last.' }),
    afterKey: z.string().nullable().meta({ description: 'Key of the previous item of the type; null for the first.' }),
  })
  .meta({ id: 'Place' })
