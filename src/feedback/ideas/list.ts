import * as z from 'zod'
import { attributesParameter } from '../../http/attributes'
import { createWholeListQuery, removedParameter, sortParameter } from '../../http/pagination'
import { integer, line, moment, severalOf, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { ITEM_TYPES } from './schema'

// A scan that finds few matches ends early with a short or empty page and a next cursor.
const LIMITED_KEY_NOTE = 'For a key that is limited to products, the filter looks at 10,000 items per page.'

const FEW_MATCHES_NOTE =
  'the filter looks at 10,000 items per page, and a page can be short or empty and still have a next page.'

const SEVERAL_NOTE = 'Several values are separated by commas, and a page then looks at 10,000 items.'

const FEEDBACK_SORTS = [
  'newest',
  'oldest',
  'most-voted',
  'trending',
  'recently-updated',
  '-createdAt',
  'createdAt',
  'updatedAt',
  '-updatedAt',
] as const

export const ListFeedbackItems = createWholeListQuery(FEEDBACK_SORTS).extend({
  sort: sortParameter(
    FEEDBACK_SORTS,
    'Sort order. `trending` sorts by the creation time plus a week for each factor of ten in the net votes (votes for minus votes against); negative net votes subtract weeks. This is the `hot` formula of Reddit (`_sorts.pyx`: sign × log10(max(|score|, 1)) + seconds / 45,000) with a week in place of 12.5 hours. For a key that is limited to products, `most-voted`, `trending`, `recently-updated` and `updatedAt` look at 10,000 items per page: a page may be short or empty and have a next page.',
  ),
  ...removedParameter(),
  slug: text(200)
    .optional()
    .meta({ description: 'Current or former slug of an item. An unknown slug gives an empty array.' }),
  q: declareWeight(
    'walk',
    text(500).optional().meta({
      description:
        'Search words; each must begin a word in the key, title or texts. An item whose id in another system is the whole text is found too. Looks at the newest 10,000 matches.',
    }),
  ),
  product: text(20).optional().meta({ description: 'Only items of the product with this external key.' }),
  category: text(200)
    .optional()
    .meta({ description: `Only items of the category with this id or slug. ${LIMITED_KEY_NOTE}` }),
  tag: declareWeight(
    'walk',
    text(200).optional().meta({
      description:
        'Only items with this tag, compared by slug. Looks at 10,000 items per page: a page can be short or empty and still have a next page.',
    }),
  ),
  author: integer({ min: 1 })
    .optional()
    .meta({ description: `Only items by the user with this id, without anonymous items. ${LIMITED_KEY_NOTE}` }),
  type: severalOf(z.enum(ITEM_TYPES, { error: 'Must be "idea" or "issue"' }))
    .optional()
    .meta({ description: `Only items of this type. ${SEVERAL_NOTE} ${LIMITED_KEY_NOTE}` }),
  status: severalOf(line(100))
    .optional()
    .meta({
      description: `Only items of the status with this name or id; a status with a comma in its name has only its id. ${SEVERAL_NOTE} An index serves the filter in the order of creation; in other orders ${FEW_MATCHES_NOTE} ${LIMITED_KEY_NOTE}`,
      example: ['planned'],
    }),
  pinned: z
    .enum(['true', 'false'], { error: 'Must be "true" or "false"' })
    .optional()
    .meta({
      description: `Only pinned items, or only items that are not pinned. An index serves pinned items in the order of creation; otherwise ${FEW_MATCHES_NOTE}`,
    }),
  voted: declareWeight(
    'walk',
    z
      .enum(['true', 'false'], { error: 'Must be "true" or "false"' })
      .optional()
      .meta({
        description: `\`true\`: only items with a vote of the user of the key, among the newest 10,000 votes of the user. \`false\`: only items without such a vote; ${FEW_MATCHES_NOTE}`,
      }),
  ),
  attributes: attributesParameter(),
  updatedSince: moment()
    .optional()
    .meta({
      description: `Only items changed at or after this time. An index serves the filter in the orders \`updatedAt\` and \`recently-updated\`; in other orders ${FEW_MATCHES_NOTE}`,
      example: '2026-01-31T09:00:00.000Z',
    }),
  visibility_level: severalOf(z.enum(['pending', 'approved', 'rejected', 'public']))
    .optional()
    .meta({
      description: `Only items of this level; \`public\` means approved or not moderated. ${SEVERAL_NOTE} An index serves pending items in the order of creation; otherwise ${FEW_MATCHES_NOTE}`,
    }),
})

export const FeedbackSimilarQuery = z.object({
  limit: integer({ min: 1, max: 50 }).default(10).meta({ description: 'Maximum number of items.' }),
})
