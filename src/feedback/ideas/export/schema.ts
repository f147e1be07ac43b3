import * as z from 'zod'
import { ExportQuery } from '../../../files/write'
import { createListQuery } from '../../../http/pagination'
import { text } from '../../../http/schemas'
import { ListFeedbackItems } from '../list'

const INCLUDED_LISTS = ['votes', 'comments', 'followers'] as const
export type IncludedList = (typeof INCLUDED_LISTS)[number]

const { shape } = ListFeedbackItems

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
  q: shape.q.meta({
    description:
      'Only items in which each word begins a word of the key, title or texts, among the newest 10,000 matches.',
  }),
  status: shape.status.meta({
    description: 'Only items of the statuses with these names or ids, separated by commas.',
    example: ['planned'],
  }),
  tag: shape.tag.meta({ description: 'Only items with this tag, compared by slug.' }),
  visibility_level: shape.visibility_level.meta({
    description: 'Only items of these levels, separated by commas; `public` means approved or not moderated.',
  }),
})

export const ExportPageQuery = createListQuery(['createdAt']).extend(
  ExportFeedback.pick({ product: true, q: true, status: true, tag: true, visibility_level: true }).shape,
)
export type ExportFilters = Omit<z.output<typeof ExportPageQuery>, keyof ReturnType<typeof createListQuery>['shape']>

export interface ExportedFollower {
  email: string
  reason: string
}

export interface ExportedVote {
  email: string
  type: 'up' | 'down'
  createdAt: string
}
