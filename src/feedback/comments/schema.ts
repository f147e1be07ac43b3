import * as z from 'zod'
import { commentIdSchema, commentSchemaMembers } from '../../workspace/comments/schema'

export const CommentParams = z.object({ commentId: commentIdSchema() })

export const FeedbackComment = z
  .object({ id: z.int(), feedbackKey: z.string().meta({ examples: ['IDEA-1'] }), ...commentSchemaMembers })
  .meta({ id: 'FeedbackComment', description: 'A comment on a feedback item.' })
