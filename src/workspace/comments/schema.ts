import * as z from 'zod'
import { ExternalId, ShownExternalId, ShownSource } from '../../http/external-id'
import { createChangesQuery } from '../../http/pagination'
import { EmailAddress, html, integer, line, moment, Timestamp } from '../../http/schemas'

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
  .object({
    text: commentText,
    isPrivate: z.boolean().optional().meta({
      description:
        'Private reply, as in a new comment. By default the reply is private if the other comment is. False below a private comment is a 400.',
    }),
    mentions: commentMentions.optional(),
  })
  .meta({ id: 'ReplyToComment', examples: [{ text: '<p>Thank you.</p>' }] })

export const ModifyComment = z
  .object({
    text: commentText.optional(),
    isPrivate: z.boolean().optional().meta({
      description:
        'True makes the comment and the replies below it private, and takes back mail about them that waits. False makes this comment public, and mails nobody; below a private comment it is a 400.',
    }),
    mentions: commentMentions.optional(),
  })
  .meta({ id: 'ModifyComment', examples: [{ text: '<p>We need this very much.</p>' }] })

export const UpsertComment = z
  .object({
    text: commentText,
    isPrivate: z.boolean().optional().meta({
      description:
        'Private comment, as in a new comment. A later request can change this, and without `isPrivate` changes nothing. A comment below a private comment is private.',
    }),
    author: z
      .object({
        email: EmailAddress.optional(),
        name: line(200).optional(),
      })
      .optional()
      .meta({
        description:
          'Author of a new comment: the user with the address; an unknown address becomes an idea-manager member. Without an address the name stands before the text, and the author is the user of the key.',
      }),
    parentExternalId: ExternalId.optional().meta({
      description: 'Id in `source` of the comment that a new comment replies to. An unknown id is ignored.',
    }),
    createdAt: moment().optional().meta({ description: 'Time of a new comment; now by default, and at most now.' }),
  })
  .meta({
    id: 'UpsertComment',
    examples: [{ text: '<p>We need this too.</p>', author: { name: 'Ada Lovelace' } }],
  })

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
  source: ShownSource,
  externalId: ShownExternalId,
}

export interface ExportedComment {
  id: number
  parentId: number | null
  email: string
  text: string
  isPrivate: boolean
  createdAt: string
  deleted: boolean
  source: string | null
  externalId: string | null
}
