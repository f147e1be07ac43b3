import * as z from 'zod'
import { ExternalIdParams } from '../../http/external-id'
import { createChangesQuery } from '../../http/pagination'
import { integer } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { commentSchemaMembers, createCommentIdSchema } from '../../workspace/comments/schema'
import { FeedbackParams, feedbackKeyParameter } from '../ideas/schema'

export const CommentParams = z.object({ commentId: createCommentIdSchema() })

export const ExternalFeedbackCommentParams = z.object({ ...FeedbackParams.shape, ...ExternalIdParams.shape })

export const ListAllComments = createChangesQuery(['-createdAt', 'createdAt']).extend({
  feedback: feedbackKeyParameter('comments'),
  userId: declareWeight(
    'walk',
    integer({ min: 1 }).optional().meta({
      description:
        'Only comments of the user with this id. Looks at 10,000 comments per page: a page can be short or empty and still have a next page.',
    }),
  ),
})

export const FeedbackComment = z
  .object({ id: z.int(), feedbackKey: z.string().meta({ examples: ['IDEA-1'] }), ...commentSchemaMembers })
  .meta({ id: 'FeedbackComment', description: 'A comment on a feedback item.' })
