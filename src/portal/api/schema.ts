import * as z from 'zod'
import { externalKey, integer, severalOf, Timestamp, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { LOCALES, SIGN_UPS, THEME_MODES, VISIBILITIES } from '../settings/schema'

const slug = () => text(60).min(1).meta({ description: 'Slug of the portal.', example: 'acme' })

export const PortalParams = z.object({ portal: slug() })
export const PortalIdeaParams = z.object({
  portal: slug(),
  feedback_external_key: externalKey('IDEA', 'The key of the idea.'),
})
export const PortalFileParams = z.object({
  portal: slug(),
  portalFileId: integer({ min: 1 }).meta({ description: 'Id of the file.', example: 1 }),
})

export const PORTAL_IDEA_SORTS = ['top', 'new', 'trending'] as const
export type PortalIdeaSort = (typeof PORTAL_IDEA_SORTS)[number]

const MAX_PAGE_IDEAS = 50

const SCAN_NOTE = 'the filter looks at 10,000 ideas per page: a page can be short or empty and still have a next page.'
const pageLimit = () =>
  integer({ min: 1, max: MAX_PAGE_IDEAS }).default(20).meta({ description: 'Number of records per page.' })
const pageStart = () => text(500).optional().meta({ description: 'Start of the page: `next` of the page before.' })

export const ListPortalIdeas = z.object({
  limit: pageLimit(),
  after: pageStart(),
  sort: z.enum(PORTAL_IDEA_SORTS, { error: 'Must be "top", "new" or "trending"' }).default('top').meta({
    description: '`top` sorts by votes, `new` by creation, `trending` by votes and creation.',
  }),
  q: declareWeight(
    'walk',
    text(500).optional().meta({ description: 'Search words; each must begin a word of the idea.' }),
  ),
  product: text(20)
    .optional()
    .meta({ description: `Only ideas of the product with this external key; ${SCAN_NOTE}` }),
  status: severalOf(text(15).regex(/^[1-9]\d*$/, 'Must be the id of a status'))
    .optional()
    .meta({ description: `Only ideas of these statuses, by id, separated by commas; several ${SCAN_NOTE}` }),
  category: integer({ min: 1 })
    .optional()
    .meta({ description: `Only ideas of the category with this id; ${SCAN_NOTE}` }),
})

export const ListSimilarPortalIdeas = z.object({
  q: text(500).min(1).meta({ description: 'Title or text of a new idea.', example: 'dark theme' }),
  limit: integer({ min: 1, max: 20 }).default(5).meta({ description: 'Maximum number of ideas.' }),
})

export const ListPortalComments = z.object({ limit: pageLimit(), after: pageStart() })

export const Portal = z
  .object({
    slug: z.string(),
    name: z.string(),
    visibility: z.enum(VISIBILITIES),
    signUp: z.enum(SIGN_UPS),
    moderation: z.boolean().meta({ description: 'Whether new ideas wait for an approval.' }),
    accent: z.string(),
    mode: z.enum(THEME_MODES),
    logo: z.int().nullable().meta({ description: 'Id of the file with the logo.' }),
    darkLogo: z.int().nullable(),
    locale: z.enum(LOCALES),
    roadmap: z.boolean(),
    changelog: z.boolean(),
    products: z.array(z.object({ key: z.string(), name: z.string(), color: z.string().nullable() })),
    statuses: z.array(z.object({ id: z.int(), name: z.string(), slug: z.string(), color: z.string().nullable() })),
    categories: z.array(z.object({ id: z.int(), name: z.string(), slug: z.string() })),
  })
  .meta({ id: 'PublicPortal', description: 'A portal, with the products, statuses and categories that it shows.' })

const summaryShape = {
  key: z.string(),
  slug: z.string(),
  title: z.string(),
  excerpt: z.string().meta({ description: 'Beginning of the text, without HTML.' }),
  type: z.string(),
  product: z.string().meta({ description: 'External key of the product.' }),
  statusId: z.int().nullable(),
  categoryId: z.int().nullable(),
  votes: z.int(),
  comments: z.int(),
  voted: z.boolean().meta({ description: 'Whether the caller has voted.' }),
  pinned: z.boolean(),
  author: z.string().nullable().meta({ description: 'Name of the author; null without a name, and if anonymous.' }),
  createdAt: Timestamp,
}

export const PortalIdeaSummary = z.object(summaryShape).meta({ id: 'PortalIdeaSummary' })

export const PortalIdea = z
  .object({
    ...summaryShape,
    text: z.string().meta({ description: 'HTML.' }),
    targetAudience: z.string(),
    valueProposition: z.string(),
    pending: z
      .boolean()
      .meta({ description: 'Whether the idea waits for an approval. Only its author sees the idea.' }),
    rejected: z.boolean(),
    own: z.boolean().meta({ description: 'Whether the caller is the author.' }),
    votingOpen: z.boolean(),
    subscribed: z.boolean().meta({ description: 'Whether the caller gets mail about changes of the status.' }),
    files: z.array(z.object({ id: z.int(), name: z.string(), type: z.string(), size: z.int() })),
    updates: z
      .array(z.object({ status: z.string(), message: z.string(), createdAt: Timestamp }))
      .meta({ description: 'Updates of the team, newest first. An update without a message has an empty text.' }),
    history: z
      .array(z.object({ statusId: z.int().nullable(), status: z.string().nullable(), createdAt: Timestamp }))
      .meta({ description: 'Changes of the status, newest first.' }),
    merged: z.array(z.object({ key: z.string(), title: z.string() })).meta({
      description: 'Ideas that were merged into this idea. Their keys lead to this idea.',
    }),
  })
  .meta({ id: 'PortalIdea', description: 'An idea as readers of the portal see it.' })

const nextCursor = z.string().nullable().meta({ description: '`after` of the next page, or null.' })

export const PortalIdeas = z
  .object({ ideas: z.array(PortalIdeaSummary), next: nextCursor })
  .meta({ id: 'PortalIdeas', description: 'A page of ideas.' })

export const PortalComment = z
  .object({
    id: z.int(),
    parentId: z.int().nullable(),
    text: z.string().meta({ description: 'HTML; empty for a removed comment.' }),
    author: z.string().nullable().meta({ description: 'Name of the author, or null.' }),
    isTeam: z.boolean().meta({ description: 'Whether the author belongs to the team.' }),
    own: z.boolean().meta({ description: 'Whether the caller is the author.' }),
    deleted: z.boolean().meta({ description: 'True for a removed comment that has replies.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'PortalComment' })

export const PortalComments = z
  .object({ comments: z.array(PortalComment), next: nextCursor })
  .meta({ id: 'PortalComments', description: 'A page of public comments, oldest first.' })

export const PortalRoadmap = z
  .object({
    lanes: z.array(
      z.object({
        status: z.object({ id: z.int(), name: z.string(), slug: z.string(), color: z.string().nullable() }),
        ideas: z.array(PortalIdeaSummary),
      }),
    ),
  })
  .meta({ id: 'PortalRoadmap', description: 'The ideas with the most votes of each status.' })

export const PortalVersions = z
  .object({
    versions: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        product: z.string().meta({ description: 'External key of the product.' }),
        releasedAt: Timestamp.nullable(),
      }),
    ),
  })
  .meta({ id: 'PortalVersions', description: 'The newest 50 released versions of the products, newest first.' })

export const PortalPerson = z
  .object({
    person: z
      .object({ name: z.string().nullable(), isTeam: z.boolean() })
      .nullable()
      .meta({ description: 'The caller; null for an unknown visitor.' }),
    ideas: z.array(z.object({ ...summaryShape, pending: z.boolean(), rejected: z.boolean() })),
    votes: z.array(PortalIdeaSummary).meta({ description: 'The newest 50 ideas that the caller has voted for.' }),
  })
  .meta({ id: 'PortalPerson', description: 'The caller, with the newest 50 ideas and votes.' })

export const SimilarPortalIdeas = z
  .object({ ideas: z.array(PortalIdeaSummary) })
  .meta({ id: 'SimilarPortalIdeas', description: 'Similar ideas, best match first.' })

export const PortalFileQuery = z.object({
  idea: text(30).optional().meta({ description: 'Key of the idea that shows the file.' }),
})
