import * as z from 'zod'
import { ExportQuery } from '../../../files/write'
import { createListQuery } from '../../../http/pagination'
import { text } from '../../../http/schemas'

const INCLUDED_LISTS = ['votes', 'comments', 'followers'] as const
export type IncludedList = (typeof INCLUDED_LISTS)[number]

export const ExportFeedback = ExportQuery.extend({
  include: text(100)
    .transform((given) => given.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(INCLUDED_LISTS, { error: 'Must be "votes", "comments" or "followers", separated by commas' })))
    .optional()
    .meta({
      description:
        'Comma-separated lists to add to each item: `votes` (at most 10,000, each with its `type`, `up` or `down`), `comments` (the first 500 kB) and `followers`. Private comments are included for keys with the scope `products:read`, and your own private comments for your keys. `followers` are the people who get mail about the item. `incomplete` names the lists of an item that lack entries. Without `include`, each item has only the numbers of votes and public comments.',
      example: 'votes,comments',
    }),
  product: text(20).optional().meta({ description: 'Only items of the product with this external key.' }),
})

export const ExportPageQuery = createListQuery(['createdAt']).extend({ product: text(20).optional() })

export interface ExportedFollower {
  email: string
  reason: string
}

export interface ExportedVote {
  email: string
  type: 'up' | 'down'
  createdAt: string
}
