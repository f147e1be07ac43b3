import * as z from 'zod'
import { commentSchemaMembers, createCommentIdSchema } from '../../workspace/comments/schema'

export const CommentParams = z.object({ commentId: createCommentIdSchema() })

export const FeedbackComment = z
  .object({ id: z.int(), feedbackKey: z.string().meta({ examples: ['IDEA-1'] }), ...commentSchemaMembers })
  .meta({ id: 'FeedbackComment', description: 'A comment on a feedback item.' })
