import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { integer, line, Timestamp, text } from '../../http/schemas'

export const StatusParams = z.object({
  statusId: integer({ min: 1 }).meta({ description: 'Id of the status.', example: 1 }),
})

const StatusName = line(100).meta({
  description: 'The slug is made from the name. No two statuses of the workspace have the same slug.',
})
const StatusOrder = z.int().min(0).max(1_000_000)
const StatusProgress = z.enum(['to-do', 'in-progress', 'done']).nullable().meta({
  description: 'An item with a work item gets the first status (by `order`) with the progress of its work item.',
})
const EndsVoting = z.boolean().meta({ description: 'Items with this status accept no votes.' })

export const CreateFeedbackStatus = z
  .object({
    name: StatusName,
    color: text(50).optional(),
    order: StatusOrder.optional().meta({ description: 'Default: after all other statuses.' }),
    endsVoting: EndsVoting.optional(),
    progress: StatusProgress.optional(),
  })
  .meta({
    id: 'CreateFeedbackStatus',
    examples: [{ name: 'in beta', color: '#a855f7', order: 4, endsVoting: false, progress: null }],
  })

export const ModifyFeedbackStatus = z
  .object({
    name: StatusName.optional(),
    color: text(50).nullable().optional(),
    order: StatusOrder.optional(),
    endsVoting: EndsVoting.optional(),
    progress: StatusProgress.optional(),
  })
  .meta({ id: 'ModifyFeedbackStatus', examples: [{ color: '#7c3aed', endsVoting: true }] })

export const RemoveFeedbackStatus = z.object({
  moveTo: integer({ min: 1 }).optional().meta({ description: 'Id of another status for the items.' }),
})

export const ListFeedbackStatuses = createRestorableQuery(['order', '-order'])

export const FeedbackStatus = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    color: z.string().nullable(),
    order: z.int(),
    endsVoting: z.boolean(),
    progress: z.string().nullable().meta({ description: 'Progress of a work item that sets this status.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'FeedbackStatus', description: 'A status of feedback items in the workspace.' })
