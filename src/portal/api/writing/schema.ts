import * as z from 'zod'
import { html, integer, line } from '../../../http/schemas'
import { ProductExternalKey } from '../../../workspace/products/schema'
import { PortalIdeaParams } from '../schema'

export const PortalCommentParams = PortalIdeaParams.extend({
  commentId: integer({ min: 1 }).meta({ description: 'Id of the comment.', example: 1 }),
})

const categoryId = () => z.int().positive().nullable().meta({ description: 'Id of a category of the portal.' })

export const SubmitPortalIdea = z
  .object({
    product: ProductExternalKey.meta({ description: 'External key of a product of the portal.' }),
    title: line(500),
    text: html().optional().meta({ description: 'HTML.' }),
    categoryId: categoryId().optional(),
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
