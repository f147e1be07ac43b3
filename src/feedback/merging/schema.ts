import * as z from 'zod'
import { integer, line, Timestamp } from '../../http/schemas'

export const MergeFeedbackItem = z
  .object({ into: line(30).meta({ description: 'Key of the item that stays.' }) })
  .meta({ id: 'MergeFeedbackItem', examples: [{ into: 'IDEA-2' }] })

export const MergedItemsQuery = z.object({
  limit: integer({ min: 1, max: 50 }).default(50).meta({ description: 'Maximum number of items.' }),
})

export const MergedFeedbackItem = z
  .object({
    id: z.int(),
    external_key: z.string().meta({ examples: ['IDEA-2'] }),
    title: z.string(),
    vote: z.int().meta({ description: 'Number of votes for the item itself.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'MergedFeedbackItem', description: 'An item that was merged into another item.' })
