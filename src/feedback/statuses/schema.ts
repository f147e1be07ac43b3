import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, line, Timestamp, text } from '../../http/schemas'

export const StatusParams = z.object({
  statusId: integer({ min: 1 }).meta({ description: 'Id of the status.', example: 1 }),
})

const name = line(100).meta({
  description: 'Its slug is made from it, and is unique among the statuses of the workspace.',
})
const order = z.int().min(0).max(1_000_000)
const progress = z.enum(['to-do', 'in-progress', 'done']).nullable().meta({
  description:
    'An item that was promoted gets the first status, in their order, that names the progress which its work item comes to have.',
})
const endsVoting = z.boolean().meta({ description: 'Nobody votes on what has it.' })

export const CreateFeedbackStatus = z
  .object({
    name,
    color: text(50).optional(),
    order: order.optional().meta({ description: 'Behind all others without it.' }),
    endsVoting: endsVoting.optional(),
    progress: progress.optional(),
  })
  .meta({
    id: 'CreateFeedbackStatus',
    examples: [{ name: 'in beta', color: '#a855f7', order: 4, endsVoting: false, progress: null }],
  })

export const ModifyFeedbackStatus = z
  .object({
    name: name.optional(),
    color: text(50).nullable().optional(),
    order: order.optional(),
    endsVoting: endsVoting.optional(),
    progress: progress.optional(),
  })
  .meta({ id: 'ModifyFeedbackStatus', examples: [{ color: '#7c3aed', endsVoting: true }] })

export const RemoveFeedbackStatus = z.object({
  moveTo: integer({ min: 1 }).optional().meta({ description: 'Id of another status, which its items get.' }),
})

export const ListFeedbackStatuses = listQuery(['order', '-order'])

export const FeedbackStatus = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    color: z.string().nullable(),
    order: z.int(),
    endsVoting: z.boolean(),
    progress: z.string().nullable().meta({ description: 'The progress of a work item that sets it.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'FeedbackStatus', description: 'A status of feedback items, of the whole workspace.' })
