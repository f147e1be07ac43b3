import * as z from 'zod'
import { html, integer, line, text } from '../../../http/schemas'
import { ProductExternalKey } from '../../../workspace/products/schema'
import { PortalIdeaParams } from '../schema'
import { MAX_IDEA_FILE_BYTES, MAX_IDEA_FILES } from './store-files'

export const PortalCommentParams = PortalIdeaParams.extend({
  commentId: integer({ min: 1 }).meta({ description: 'Id of the comment.', example: 1 }),
})

const categoryId = () => z.int().positive().nullable().meta({ description: 'Id of a category of the portal.' })

/** Base64 has four characters for three bytes. */
const MAX_CONTENT_CHARACTERS = Math.ceil(MAX_IDEA_FILE_BYTES / 3) * 4

const NewPortalFile = z
  .object({
    name: line(255),
    type: line(100).optional().meta({
      description: 'Media type of a text. The service detects the types of other files.',
      example: 'text/csv',
    }),
    content: text(MAX_CONTENT_CHARACTERS)
      .min(1, 'Must not be empty')
      .meta({ description: 'The bytes as base64; a file has at most 5 MiB.', contentEncoding: 'base64' }),
  })
  .meta({ id: 'NewPortalFile', examples: [{ name: 'note.txt', type: 'text/plain', content: 'SGVsbG8=' }] })

export const SubmitPortalIdea = z
  .object({
    product: ProductExternalKey.meta({ description: 'External key of a product of the portal.' }),
    title: line(500),
    text: html().optional().meta({ description: 'HTML.' }),
    categoryId: categoryId().optional(),
    files: z
      .array(NewPortalFile)
      .max(MAX_IDEA_FILES)
      .optional()
      .meta({ description: 'Files of the idea. Everybody who sees the idea sees its files.' }),
  })
  .meta({
    id: 'SubmitPortalIdea',
    examples: [{ product: 'GW-DEMO', title: 'Dark theme', text: '<p>Easier to read at night.</p>' }],
  })

export const ModifyPortalIdea = z
  .object({ title: line(500).optional(), text: html().optional(), categoryId: categoryId().optional() })
  .meta({ id: 'ModifyPortalIdea', examples: [{ title: 'A dark theme' }] })

export const SavedPortalIdea = z
  .object({
    key: z.string(),
    title: z.string(),
    pending: z.boolean().meta({ description: 'Whether the idea waits for an approval.' }),
  })
  .meta({ id: 'SavedPortalIdea' })

export const PortalVote = z
  .object({ key: z.string(), votes: z.int(), voted: z.boolean() })
  .meta({ id: 'PortalVote', description: 'The votes for an idea, and whether the caller has voted.' })

export const PortalSubscription = z
  .object({ key: z.string(), subscribed: z.boolean() })
  .meta({ id: 'PortalSubscription', description: 'Whether the caller gets mail about the idea.' })

const commentText = () => html().min(1, 'Must not be empty').meta({ description: 'HTML.' })

export const AddPortalComment = z
  .object({
    text: commentText(),
    parentId: z.int().positive().optional().meta({ description: 'Id of the comment that this comment replies to.' }),
  })
  .meta({ id: 'AddPortalComment', examples: [{ text: '<p>We need this too.</p>' }] })

export const ModifyPortalComment = z
  .object({ text: commentText() })
  .meta({ id: 'ModifyPortalComment', examples: [{ text: '<p>We need this every day.</p>' }] })

export const SavedPortalComment = z
  .object({ id: z.int(), parentId: z.int().nullable(), text: z.string() })
  .meta({ id: 'SavedPortalComment' })
