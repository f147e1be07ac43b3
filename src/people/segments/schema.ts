import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, line, Timestamp, text } from '../../http/schemas'
import { Rules, SegmentRules } from './rules/schema'

export const SegmentParams = z.object({
  segmentId: integer({ min: 1 }).meta({ description: 'The id of the segment.', example: 1 }),
})

const Type = z.enum(['manual', 'dynamic'], { error: 'Must be "manual" or "dynamic"' })

export const CreateSegment = z
  .object({
    name: line(200).meta({ description: 'Unique among the segments of the workspace.' }),
    description: text(10_000).optional(),
    color: text(50).optional(),
    type: Type.default('manual'),
    rules: Rules.nullable().optional().meta({ description: 'Who is in it: of a dynamic segment, which needs them.' }),
  })
  .refine(({ type, rules }) => type === 'manual' || rules, {
    path: ['rules'],
    error: 'A dynamic segment needs rules. Say who is in it, or make a manual one.',
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
    type: Type.optional().meta({ description: 'As it is: another one is a 409.' }),
    rules: Rules.nullable().optional().meta({ description: 'Of a dynamic segment, which is counted anew with them.' }),
  })
  .meta({ id: 'ModifySegment', examples: [{ description: 'They see it second.' }] })

export const ListSegments = listQuery(['-createdAt', 'createdAt', 'name', '-name']).extend({
  type: Type.optional().meta({ description: 'Only segments of this type.' }),
})

export const Segment = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    type: z.string().meta({
      description: '`manual`: its members are added and removed by name; `dynamic`: they are whom its rules mean.',
    }),
    rules: SegmentRules.nullable(),
    userCount: z.int().meta({
      description: 'Members: of a manual segment kept exact, of a dynamic one as they were counted last.',
    }),
    countedAt: Timestamp.nullable().meta({
      description:
        'When the count of a dynamic segment last changed. Each create, retrieval and mailing counts, and so does a change of the rules.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Segment', description: 'A segment of idea-manager members.' })
