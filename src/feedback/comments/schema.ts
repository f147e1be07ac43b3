import * as z from 'zod'
import { commentId, commentMembers } from '../../workspace/comments/schema'

export const CommentParams = z.object({ commentId: commentId() })

export const FeedbackComment = z
  .object({ id: z.int(), feedbackKey: z.string().meta({ examples: ['IDEA-1'] }), ...commentMembers })
  .meta({ id: 'FeedbackComment', description: 'A comment on a feedback item.' })
