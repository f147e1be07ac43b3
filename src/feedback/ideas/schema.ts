import * as z from 'zod'
import { createAttributesSchema, ShownAttributes } from '../../http/attributes'
import {
  createExternalIdField,
  createSourceField,
  pairIsWhole,
  ShownExternalId,
  ShownSource,
} from '../../http/external-id'
import {
  datesInOrder,
  EmailAddress,
  externalKey,
  html,
  line,
  moment,
  storedValue,
  Timestamp,
  text,
} from '../../http/schemas'
import { Notify } from '../../people/notices/schema'
import { slugify } from '../../text/slug'

export const MAX_SHOWN_ROWS = 50
export const MAX_SHOWN_STATUS_UPDATES = 5
export const MAX_TAGS_PER_ITEM = 50
const MAX_COLLECTIONS_PER_ITEM = 50
export const MAX_COVER_PHOTOS = 20

export const ITEM_TYPES = ['idea', 'issue'] as const

export const FeedbackParams = z.object({
  feedback_external_key: externalKey('IDEA', 'The key of the item.'),
})

const ItemType = z.enum(ITEM_TYPES)

export const votingStartsBeforeEnd = datesInOrder('voting_start_time', 'voting_end_time')

const moderationFields = {
  status_id: z.int().positive().nullable().optional().meta({ description: 'Id of a feedback status.' }),
  is_pinned: z.boolean().nullable().optional(),
  is_voting_open: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: '`false` closes voting. Otherwise the voting window and the status decide.' }),
  voting_start_time: moment().nullable().optional().meta({ description: 'Votes before this time are refused.' }),
  voting_end_time: moment().nullable().optional().meta({ description: 'Votes after this time are refused.' }),
}
const notifyField = {
  notify: Notify.optional().meta({
    description:
      'When the people who follow the item get a mail about a new status: `later` (default), `now`, or `none`, which mails nobody.',
  }),
}
/** A tag as an item shows it stands for its name. */
const nameOfTag = (given: unknown): unknown =>
  given !== null && typeof given === 'object' && 'key' in given ? given.key : given
const TagNames = z.array(z.preprocess(nameOfTag, line(100))).max(MAX_TAGS_PER_ITEM)

const removeDuplicates = <T>(all: T[]): T[] => [...new Set(all)]

const collectionFields = {
  collections: z
    .array(line(100))
    .max(MAX_COLLECTIONS_PER_ITEM)
    .transform(removeDuplicates)
    .optional()
    .meta({ description: 'Names of the collections of the item.' }),
  cover_photos: z
    .array(z.int().positive())
    .max(MAX_COVER_PHOTOS)
    .transform(removeDuplicates)
    .optional()
    .meta({ description: 'Ids of uploaded PNG, JPEG, GIF, WebP or AVIF files, in their order.' }),
  attributes: createAttributesSchema().optional(),
}

const createCategoryIdSchema = () =>
  z
    .int()
    .min(0)
    .nullable()
    .transform((id) => id || null)
    .meta({ description: 'Id of a category; 0 or null for none.' })

const externalIdFields = {
  source: createSourceField(),
  external_id: createExternalIdField('Id of the item in `source`, unique in the product.'),
}

const creatableFields = {
  category_id: createCategoryIdSchema().optional(),
  target_audience: text(10_000).optional(),
  value_proposition: text(10_000).optional(),
  long_description: html().optional(),
  tags: TagNames.optional().meta({ description: 'Names of tags; a new name becomes a product tag.' }),
  ...collectionFields,
  is_anonymous: z.boolean().optional().meta({ description: 'Hides the author from everybody.' }),
  user: z
    .object({ email: EmailAddress, name: z.string().trim().max(200, { abort: true }).optional() })
    .optional()
    .meta({
      description:
        'Author of the item. A known user stays unchanged; an unknown address becomes an idea-manager member. Default: the user of the key.',
    }),
  ...moderationFields,
}

const VISIBILITY = z.enum(['pending', 'approved', 'rejected']).nullable().optional()
const newVisibilityField = {
  visibility_level: VISIBILITY.meta({
    description:
      'Decision of the moderation about a new item. Default: `pending` if the workspace moderates ideas, otherwise null.',
  }),
}

export const CreateFeedbackItem = z
  .object({
    title: line(500),
    product: line(20).meta({ description: 'External key of the product.' }),
    type: ItemType.default('idea'),
    ...creatableFields,
    ...newVisibilityField,
    ...externalIdFields,
  })
  .refine(...votingStartsBeforeEnd)
  .refine(...pairIsWhole('external_id'))
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
    title: line(500).optional().meta({ description: 'A new title does not change the slug.' }),
    slug: line(200)
      .transform((given) => slugify(given))
      .optional()
      .meta({ description: 'New slug. Former slugs still find the item.' }),
    type: ItemType.optional(),
    category_id: createCategoryIdSchema().optional(),
    target_audience: text(10_000).optional(),
    value_proposition: text(10_000).optional(),
    long_description: html().optional(),
    tags: TagNames.optional().meta({ description: 'Replaces all tags of the item; a new name becomes a product tag.' }),
    ...collectionFields,
    is_anonymous: z.boolean().nullable().optional().meta({
      description:
        'Hides the author from everybody. Earlier events of the item no longer name the author or the actor. Only a key of the author can show the author again.',
    }),
    ...moderationFields,
    visibility_level: VISIBILITY.meta({
      description: 'Decision of the moderation; null for an item without moderation.',
    }),
    ...notifyField,
    ...externalIdFields,
  })
  .refine(...votingStartsBeforeEnd)
  .refine(...pairIsWhole('external_id'))
  .meta({ id: 'ModifyFeedbackItem', examples: [{ title: 'A dark theme', category_id: null, tags: ['ui', 'night'] }] })

export const UpsertFeedbackQuery = z.object({
  product: text(20).min(1).meta({ description: 'External key of the product.', example: 'GW-DEMO' }),
  tags: z.enum(['replace', 'add']).default('replace').meta({
    description: '`add` keeps the tags of the item that you do not send.',
  }),
})

export const UpsertFeedbackItem = z
  .object({
    title: line(500).meta({ description: 'A new title does not change the slug.' }),
    type: ItemType.optional(),
    ...creatableFields,
    visibility_level: VISIBILITY.meta({
      description: 'Decision of the moderation. A new item without one is `pending` if the workspace moderates ideas.',
    }),
    ...notifyField,
  })
  .refine(...votingStartsBeforeEnd)
  .meta({
    id: 'UpsertFeedbackItem',
    examples: [
      { title: 'Dark mode', long_description: '<p>A dark theme.</p>', tags: ['ui'], attributes: { plan: 'pro' } },
    ],
  })

export const feedbackKeyParameter = (what: string) =>
  text(30)
    .min(1)
    .optional()
    .meta({ description: `Only ${what} of the item with this key, which is not merged.`, example: 'IDEA-1' })

export const FeedbackItem = z
  .object({
    id: z.int(),
    type: storedValue(ITEM_TYPES).meta({ examples: ['idea'] }),
    slug: z.string(),
    external_key: z.string().meta({ examples: ['IDEA-1'] }),
    title: z.string(),
    target_audience: z.string(),
    value_proposition: z.string(),
    category_id: z.int().meta({ description: 'Id of the category, or 0.' }),
    short_description: z.null(),
    long_description: z.string().meta({ description: 'HTML.' }),
    video_url: z.null(),
    icon_url: z.null(),
    attributes: ShownAttributes,
    cover_photo_url: z.string().meta({
      description: 'Comma-separated download paths of the cover photos, below the address of this service.',
    }),
    cover_photos: z.array(z.int()).meta({ description: 'Ids of the cover photos.' }),
    visibility_level: z.string().nullable().meta({
      description:
        '`pending`, `approved` or `rejected`; null for an item that was created without moderation. A rejected item accepts no votes and no comments.',
    }),
    is_voting_open: z.boolean().nullable().meta({ description: 'Null until a value is set.' }),
    voting_start_time: Timestamp.nullable(),
    voting_end_time: Timestamp.nullable(),
    product_id: z.int(),
    is_pinned: z.literal(true).nullable().meta({ description: '`true` for a pinned item.' }),
    is_anonymous: z.literal(true).nullable().meta({ description: '`true` if the author is hidden.' }),
    status_id: z.int().nullable().meta({ description: 'Null without a status.' }),
    user_id: z.int().meta({ description: 'Id of the author; 0 if hidden.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    vote: z.int().meta({ description: 'Number of votes for the item.' }),
    comment: z.int().meta({ description: 'Number of public comments.' }),
    haveIVoted: z.int().meta({ description: '1 if the user of the key has voted, else 0.' }),
    work_item_internal_id: z.int().nullable().meta({ description: 'Id of the work item made from the item.' }),
    work_item_external_id: z.string().nullable().meta({ description: 'Key of the work item, like EP-1.' }),
    work_item_type: z
      .string()
      .meta({ description: 'Type of the work item; `active` without a work item.', examples: ['active'] }),
    currentStatus: z.string().nullable().meta({ description: 'Name of the status.' }),
    category: z.object({ id: z.int(), name: z.string(), description: z.string().nullable(), slug: z.string() }),
    votes: z
      .array(z.string())
      .meta({ description: `User ids of voters for the item, newest first, at most ${MAX_SHOWN_ROWS}.` }),
    comments: z.array(z.string()).meta({
      description: `Public comments, newest first, at most ${MAX_SHOWN_ROWS}, with at most 40,000 characters together.`,
    }),
    user: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
    tags: z.array(z.object({ id: z.int(), key: z.string(), slug: z.string() })),
    collections: z.array(z.string()),
    status_updates: z
      .array(
        z.object({ id: z.int(), status: z.string(), message: z.string().nullable(), created_at: Timestamp }).meta({
          id: 'ShownStatusUpdate',
          description: 'A status update, as a feedback item shows it.',
        }),
      )
      .meta({ description: `Status updates, newest first, at most ${MAX_SHOWN_STATUS_UPDATES}.` }),
    source: ShownSource,
    external_id: ShownExternalId,
  })
  .meta({ id: 'FeedbackItem', description: 'An idea or an issue.' })

/** The newest voters of each similar item. */
export const MAX_COMPARED_VOTERS = 500

export const SimilarFeedbackItem = FeedbackItem.extend({
  new_voters: z.int().meta({
    description: `Voters for this item who have no vote on the item of the request, among the newest ${MAX_COMPARED_VOTERS} voters: a merge would add their votes.`,
  }),
}).meta({ id: 'SimilarFeedbackItem', description: 'An item that is similar to another item.' })
