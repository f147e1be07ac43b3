import * as z from 'zod'
import { MAX_BULK_OPERATIONS } from '../../../http/bulk'
import { CreateFeedbackItem } from '../schema'

// Items are parsed in `read.ts`, because an invalid item must not reject the rest.
const UnvalidatedItem = z.unknown().meta({ $ref: `#/$defs/${CreateFeedbackItem.meta()?.id}` })

export const BulkCreateFeedback = z
  .array(UnvalidatedItem, { error: 'Must be an array of feedback items' })
  .min(1, 'Must hold at least one item')
  .max(MAX_BULK_OPERATIONS, `Must hold at most ${MAX_BULK_OPERATIONS} items. Send the rest in another request.`)
  .meta({ id: 'BulkCreateFeedback', examples: [CreateFeedbackItem.meta()?.examples ?? []] })
