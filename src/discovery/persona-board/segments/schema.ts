import * as z from 'zod'
import { createRestorableQuery } from '../../../http/pagination'
import { integer, line, Timestamp, text } from '../../../http/schemas'

export const BoardSegmentParams = z.object({
  boardSegmentId: integer({ min: 1 }).meta({ description: 'The id of the segment of the persona board.', example: 1 }),
})

export const boardOrderSchema = z
  .int()
  .min(0)
  .max(1_000_000_000)
  .meta({ description: 'Position in the list, lowest first. New records come last by default.' })

const commonSegmentFields = { color: text(50).nullable().optional(), order: boardOrderSchema.optional() }

export const CreateBoardSegment = z
  .object({ name: line(200), ...commonSegmentFields })
  .meta({ id: 'CreateBoardSegment', examples: [{ name: 'Clinicians', color: '#2a9d8f' }] })

export const ModifyBoardSegment = z
  .object({ name: line(200).optional(), ...commonSegmentFields })
  .meta({ id: 'ModifyBoardSegment', examples: [{ name: 'Nurses', order: 1 }] })

export const ListBoardSegments = createRestorableQuery(['order', '-order'])

export const BoardSegment = z
  .object({
    id: z.int(),
    name: z.string(),
    color: z.string().nullable(),
    order: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'BoardSegment', description: 'Segment of the persona board.' })
