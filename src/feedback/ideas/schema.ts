import * as z from 'zod'
import { attributes, ShownAttributes } from '../../http/attributes'
import { wholeListQuery } from '../../http/pagination'
import { EmailAddress, externalKey, html, integer, line, moment, Timestamp, text } from '../../http/schemas'
import { weighs } from '../../http/weight'
import { slugify } from '../../text/slug'

/** Maximum number of voters and comments in an item; the counts include all. */
export const SHOWN = 50
const MAX_TAGS = 50
const MAX_COLLECTIONS = 50
const MAX_COVERS = 20

const TYPES = ['idea', 'issue'] as const

// A scan that finds few matches ends early with a short or empty page and a next cursor.
const LIMITED = 'For a key that is limited to products it walks 10,000 items a page.'

export const FeedbackParams = z.object({
  feedback_external_key: externalKey('IDEA', 'The key of the item.'),
})

const FEW = 'a page looks at 10,000 items, and may hold fewer than were asked for, or none, and have a next.'

const SORTS = ['newest', 'oldest', 'most-voted', 'trending', 'recently-updated', '-createdAt', 'createdAt'] as const

export const ListFeedbackItems = wholeListQuery(SORTS).extend({
  sort: z.enum(SORTS).default('newest').meta({
    description:
      'The order. `trending` is by when an item was made, moved on by a week for each tenfold of the votes for it less those against it, and back where they are more: the formula of `hot` that Reddit published (`_sorts.pyx`: sign × log10(max(|score|, 1)) + seconds / 45,000) with a week in place of 12.5 hours.',
  }),
  slug: text(200).optional().meta({ description: 'Picks the one item that has it, or had it; no item is no error.' }),
  q: weighs(
    'walk',
    text(500).optional().meta({
      description:
        'Items of whose key, title or texts a word begins with each of these. Walks the newest 10,000 that match.',
    }),
  ),
  product: text(20).optional().meta({ description: 'Only items of the product with this external key.' }),
  category: text(200)
    .optional()
    .meta({ description: `Only items of the category with this id, or slug. ${LIMITED}` }),
  tag: weighs(
    'walk',
    text(200).optional().meta({
      description:
        'Only items with this tag, or one as good as the same. Walks 10,000 items a page, which may hold fewer than were asked for, or none, and have a next.',
    }),
  ),
  author: integer({ min: 1 })
    .optional()
    .meta({ description: `Only items of the user with this id; anonymous ones are left out. ${LIMITED}` }),
  type: z
    .enum(TYPES, { error: 'Must be "idea" or "issue"' })
    .optional()
    .meta({ description: `Only items of this type. ${LIMITED}` }),
  status: line(100)
    .optional()
    .meta({
      description: `Only items of the status with this name or id. By the newest or oldest an index serves it; in another order ${FEW} ${LIMITED}`,
      example: 'planned',
    }),
  pinned: z
    .enum(['true', 'false'], { error: 'Must be "true" or "false"' })
    .optional()
    .meta({
      description: `Only pinned items, or others. The pinned ones by the newest or oldest are served by an index; else it walks: ${FEW}`,
    }),
  voted: weighs(
    'walk',
    z
      .enum(['true', 'false'], { error: 'Must be "true" or "false"' })
      .optional()
      .meta({
        description: `Only items that the user of the key has voted on, or has not. Walks the newest 10,000 votes of the user, or the items: ${FEW}`,
      }),
  ),
  visibility_level: z
    .enum(['pending', 'approved', 'rejected', 'public'])
    .optional()
    .meta({
      description: `Only items of this level; \`public\`: what is approved or never had to be. What is pending, by the newest or oldest, is served by an index; else it walks: ${FEW}`,
    }),
})

export const FeedbackSimilarQuery = z.object({
  limit: integer({ min: 1, max: 50 }).default(10).meta({ description: 'Items answered.' }),
})

const Type = z.enum(TYPES)

/** Compares both ends of the voting window; the write compares a single end with the stored end. */
const inOrder = ({ voting_start_time: start, voting_end_time: end }: Voting) =>
  start == null || end == null || start <= end

interface Voting {
  voting_start_time?: number | null | undefined
  voting_end_time?: number | null | undefined
}

const NOT_IN_ORDER = { path: ['voting_end_time'], error: 'Must not be before voting_start_time' }

/** Fields that the workspace decides, not the author. */
const decided = {
  status_id: z.int().positive().nullable().optional().meta({ description: 'Id of a feedback status.' }),
  is_pinned: z.boolean().nullable().optional(),
  is_voting_open: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: 'With `false` nobody votes; else who votes within the window, if there is one.' }),
  voting_start_time: moment().nullable().optional().meta({ description: 'Votes before it are refused.' }),
  voting_end_time: moment().nullable().optional().meta({ description: 'Votes after it are refused.' }),
}
const tagNames = z.array(line(100)).max(MAX_TAGS)

const unique = <T>(all: T[]): T[] => [...new Set(all)]

/** A change replaces the stored lists. */
const besides = {
  collections: z
    .array(line(100))
    .max(MAX_COLLECTIONS)
    .transform(unique)
    .optional()
    .meta({ description: 'Names of the collections that it is part of.' }),
  cover_photos: z
    .array(z.int().positive())
    .max(MAX_COVERS)
    .transform(unique)
    .optional()
    .meta({ description: 'Ids of uploaded PNG, JPEG, GIF, WebP or AVIF files, the first of them first.' }),
  attributes: attributes().optional(),
}

/** 0 and null mean no category: an item without a category shows 0. */
const categoryId = () =>
  z
    .int()
    .min(0)
    .nullable()
    .transform((id) => id || null)
    .meta({ description: 'Id of a category; 0 or null for none.' })

export const CreateFeedbackItem = z
  .object({
    title: line(500),
    product: line(20).meta({ description: 'External key of the product.' }),
    type: Type.default('idea'),
    category_id: categoryId().optional(),
    target_audience: text(10_000).optional(),
    value_proposition: text(10_000).optional(),
    long_description: html().optional(),
    tags: tagNames.optional().meta({ description: 'Names; a new one becomes a product tag.' }),
    ...besides,
    is_anonymous: z.boolean().optional().meta({ description: 'Its author is not shown to anybody.' }),
    user: z
      .object({ email: EmailAddress, name: z.string().trim().max(200, { abort: true }).optional() })
      .optional()
      .meta({
        description:
          'On whose behalf. Whoever is known stays as they are, and somebody new becomes an idea-manager member. Default: the user of the key.',
      }),
    ...decided,
  })
  .refine(inOrder, NOT_IN_ORDER)
  .meta({
    id: 'CreateFeedbackItem',
    examples: [
      {
        title: 'Dark mode',
        product: 'GW-DEMO',
        target_audience: 'People who work at night',
        value_proposition: 'Less glare',
        long_description: '<p>A theme with dark colours.</p>',
        tags: ['ui'],
        collections: ['Night'],
        attributes: { plan: 'pro', seats: 12 },
        user: { email: 'ada@example.com', name: 'Ada Lovelace' },
      },
    ],
  })

export const ModifyFeedbackItem = z
  .object({
    title: line(500).optional().meta({ description: 'The slug stays as it is.' }),
    slug: line(200)
      .transform((given) => slugify(given))
      .optional()
      .meta({ description: 'Another one; the item is found by those that it had, too.' }),
    type: Type.optional(),
    category_id: categoryId().optional(),
    target_audience: text(10_000).optional(),
    value_proposition: text(10_000).optional(),
    long_description: html().optional(),
    tags: tagNames.optional().meta({ description: 'They replace the present ones; a new name becomes a product tag.' }),
    ...besides,
    is_anonymous: z.boolean().nullable().optional().meta({
      description:
        'Its author is not shown to anybody, and what the log has told of it no longer names the author, or who acted. Only a key of the author makes an anonymous one known.',
    }),
    ...decided,
    visibility_level: z
      .enum(['pending', 'approved', 'rejected'])
      .nullable()
      .optional()
      .meta({ description: 'What moderation makes of it; null: it needs none.' }),
  })
  .refine(inOrder, NOT_IN_ORDER)
  .meta({ id: 'ModifyFeedbackItem', examples: [{ title: 'A dark theme', category_id: null, tags: ['ui', 'night'] }] })

/** Names and types follow the interface specification; a field without a value yet is null. */
export const FeedbackItem = z
  .object({
    id: z.int(),
    type: z.string().meta({ examples: ['idea'] }),
    slug: z.string(),
    external_key: z.string().meta({ examples: ['IDEA-1'] }),
    title: z.string(),
    target_audience: z.string(),
    value_proposition: z.string(),
    category_id: z.int().meta({ description: '0 without a category.' }),
    short_description: z.null(),
    long_description: z.string().meta({ description: 'HTML.' }),
    video_url: z.null(),
    icon_url: z.null(),
    attributes: ShownAttributes,
    cover_photo_url: z.string().meta({
      description:
        'Where its cover photos are downloaded, below the address of this service: paths with commas between.',
    }),
    cover_photos: z.array(z.int()).meta({ description: 'Ids of these files.' }),
    visibility_level: z.string().nullable().meta({
      description:
        '`pending`, `approved` or `rejected`; null of an item that was made while the workspace did not moderate. Nobody votes or comments on what is rejected.',
    }),
    is_voting_open: z.boolean().nullable().meta({ description: 'Null until it is set.' }),
    voting_start_time: Timestamp.nullable(),
    voting_end_time: Timestamp.nullable(),
    product_id: z.int(),
    is_pinned: z.literal(true).nullable().meta({ description: '`true` when it is pinned.' }),
    is_anonymous: z.literal(true).nullable().meta({ description: '`true` when the author is not shown.' }),
    status_id: z.int().nullable().meta({ description: 'Null until it has a status.' }),
    user_id: z.int().meta({ description: 'The author; 0 when not shown.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    vote: z.int().meta({ description: 'All votes.' }),
    comment: z.int().meta({ description: 'All public comments.' }),
    haveIVoted: z.int().meta({ description: "1 when the key's user has voted, else 0." }),
    work_item_internal_id: z.int().nullable().meta({ description: 'Id of the work item that it was promoted to.' }),
    work_item_external_id: z.string().nullable().meta({ description: 'Its key, like EP-1.' }),
    work_item_type: z.string().meta({ description: 'Its type; `active` without one.', examples: ['active'] }),
    currentStatus: z.string().nullable().meta({ description: 'Name of its status.' }),
    category: z.object({ id: z.int(), name: z.string(), description: z.string().nullable(), slug: z.string() }),
    votes: z.array(z.string()).meta({ description: `Ids of voters, newest first, at most ${SHOWN}.` }),
    comments: z
      .array(z.string())
      .meta({ description: `Public comments, newest first, at most ${SHOWN}, and together 40,000 characters.` }),
    user: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
    tags: z.array(z.object({ id: z.int(), key: z.string(), slug: z.string() })),
    collections: z.array(z.string()),
  })
  .meta({ id: 'FeedbackItem', description: 'An idea or an issue.' })
