import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, line, Timestamp, text } from '../../http/schemas'

export const SegmentParams = z.object({
  segmentId: integer({ min: 1 }).meta({ description: 'The id of the segment.', example: 1 }),
})

export const CreateSegment = z
  .object({
    name: line(200).meta({ description: 'Unique among the segments of the workspace.' }),
    description: text(10_000).optional(),
    color: text(50).optional(),
    type: z.enum(['manual'], { error: 'Must be "manual"' }).default('manual'),
  })
  .meta({
    id: 'CreateSegment',
    examples: [{ name: 'Beta testers', description: 'They see it first.', color: '#2f80ed' }],
  })

export const ModifySegment = z
  .object({
    name: line(200).optional().meta({ description: 'Unique among the segments of the workspace.' }),
    description: text(10_000).nullable().optional(),
    color: text(50).nullable().optional(),
  })
  .meta({ id: 'ModifySegment', examples: [{ description: 'They see it second.' }] })

export const ListSegments = listQuery(['-createdAt', 'createdAt', 'name', '-name']).extend({
  type: z.enum(['manual']).optional().meta({ description: 'Only segments of this type.' }),
})

export const Segment = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    type: z.string().meta({ description: '`manual`: its members are added and removed by name.' }),
    userCount: z.int().meta({ description: 'Members, kept exact.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Segment', description: 'A segment of idea-manager members.' })
