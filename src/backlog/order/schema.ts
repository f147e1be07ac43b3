import * as z from 'zod'
import { text } from '../../http/schemas'

const itemKey = () => text(30).min(1)

export const MoveWorkItem = z
  .object({
    beforeKey: itemKey().optional().meta({ description: 'The item of the same type that it is to stand before.' }),
    afterKey: itemKey().optional().meta({ description: 'The item of the same type that it is to stand behind.' }),
    parentKey: itemKey()
      .nullish()
      .meta({ description: 'The epic or the feature that it is to hang on; null detaches. Its place stays.' }),
  })
  .refine(
    ({ beforeKey, afterKey, parentKey }) => beforeKey ?? afterKey ?? parentKey !== undefined,
    'Must name beforeKey, afterKey or parentKey',
  )
  .meta({ id: 'MoveWorkItem', examples: [{ afterKey: 'US-1' }] })

export const Place = z
  .object({
    externalKey: z.string(),
    epicId: z.int().meta({ description: '0 for none.' }),
    featureId: z.int().meta({ description: '0 for none.' }),
    beforeKey: z.string().nullable().meta({ description: 'The next item of its type; null at the end.' }),
    afterKey: z.string().nullable().meta({ description: 'The one before it; null at the beginning.' }),
  })
  .meta({ id: 'Place' })
