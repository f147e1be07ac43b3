import * as z from 'zod'
import { createChangesQuery } from '../../http/pagination'
import { html, integer, Timestamp } from '../../http/schemas'

const MAX_MENTIONS_PER_COMMENT = 50

const commentText = html().min(1, 'Must not be empty')
const commentMentions = z
  .array(z.int().positive())
  .max(MAX_MENTIONS_PER_COMMENT)
  .meta({ description: 'Ids of users of the workspace.' })

export const createCommentIdSchema = () => integer({ min: 1 }).meta({ description: 'Id of the comment.', example: 1 })

export const AddComment = z
  .object({
    text: commentText,
    isPrivate: z.boolean().optional().meta({
      description:
        'Private comment: only API keys with `products:read` and API keys of the author see the comment. The event log and webhooks omit the text.',
    }),
    mentions: commentMentions.optional(),
  })
  .meta({ id: 'AddComment', examples: [{ text: '<p>We need this too.</p>' }] })

export const ReplyToComment = z
  .object({ text: commentText, mentions: commentMentions.optional() })
  .meta({ id: 'ReplyToComment', examples: [{ text: '<p>Thank you.</p>' }] })

export const ModifyComment = z
  .object({ text: commentText.optional(), mentions: commentMentions.optional() })
  .meta({ id: 'ModifyComment', examples: [{ text: '<p>We need this very much.</p>' }] })

export const ListComments = createChangesQuery(['createdAt', '-createdAt'])

export const commentSchemaMembers = {
  parentId: z.int().nullable().meta({ description: 'Id of the comment that this comment replies to.' }),
  text: z.string().meta({ description: 'HTML; empty for a removed comment.' }),
  isPrivate: z.boolean(),
  mentions: z.array(z.int()),
  user: z.object({ id: z.int(), firstName: z.string(), lastName: z.string() }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deleted: z.boolean().meta({ description: 'True for a removed comment. Replies stay.' }),
}

export interface ExportedComment {
  id: number
  parentId: number | null
  email: string
  text: string
  isPrivate: boolean
  createdAt: string
  deleted: boolean
}
