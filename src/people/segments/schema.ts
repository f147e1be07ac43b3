import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { integer, line, severalOf, storedValue, Timestamp, text } from '../../http/schemas'
import { Rules, SegmentRules } from './rules/schema'

export const SegmentParams = z.object({
  segmentId: integer({ min: 1 }).meta({ description: 'Id of the segment.', example: 1 }),
})

export const MAX_SEGMENT_NAME_CHARACTERS = 200

const DOUBLE_OPT_IN_DESCRIPTION =
  'Whether people who join get the mail of the segment only after confirming by a link in a mail.'

const SegmentType = z.enum(['manual', 'dynamic'], { error: 'Must be "manual" or "dynamic"' })

export const CreateSegment = z
  .object({
    name: line(MAX_SEGMENT_NAME_CHARACTERS).meta({ description: 'Unique among the segments of the workspace.' }),
    description: text(10_000).optional(),
    color: text(50).optional(),
    type: SegmentType.default('manual'),
    rules: Rules.nullable()
      .optional()
      .meta({ description: 'Rules that select the members; required for a dynamic segment.' }),
    doubleOptIn: z
      .boolean()
      .optional()
      .meta({ description: `${DOUBLE_OPT_IN_DESCRIPTION} Only for manual segments. By default false.` }),
  })
  .refine(({ type, rules }) => type === 'manual' || rules, {
    path: ['rules'],
    error: 'A dynamic segment needs rules. Send `rules`, or create a manual segment.',
  })
  .refine(({ type, doubleOptIn }) => type === 'manual' || !doubleOptIn, {
    path: ['doubleOptIn'],
    error: 'Rules select the members of a dynamic segment, so nobody joins. Use a manual segment.',
  })
  .meta({
    id: 'CreateSegment',
    examples: [{ name: 'Beta testers', description: 'They see it first.', color: '#2f80ed' }],
  })

export const ModifySegment = z
  .object({
    name: line(MAX_SEGMENT_NAME_CHARACTERS)
      .optional()
      .meta({ description: 'Unique among the segments of the workspace.' }),
    description: text(10_000).nullable().optional(),
    color: text(50).nullable().optional(),
    type: SegmentType.optional().meta({ description: 'Present type of the segment; another type is a 409.' }),
    rules: Rules.nullable()
      .optional()
      .meta({ description: 'Rules of a dynamic segment; a change counts the members again.' }),
    doubleOptIn: z
      .boolean()
      .optional()
      .meta({ description: `${DOUBLE_OPT_IN_DESCRIPTION} People who are members already need no confirmation.` }),
  })
  .meta({ id: 'ModifySegment', examples: [{ description: 'They see it second.' }] })

export const ListSegments = createRestorableQuery(['-createdAt', 'createdAt', 'name', '-name']).extend({
  type: severalOf(SegmentType).optional().meta({
    description: 'Only segments of this type. With both types, separated by commas, a page looks at 10,000 segments.',
  }),
})

export const Segment = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    type: storedValue(SegmentType.options).meta({
      description: '`manual`: you add and remove the members; `dynamic`: rules select the members.',
    }),
    rules: SegmentRules.nullable(),
    doubleOptIn: z.boolean().meta({ description: DOUBLE_OPT_IN_DESCRIPTION }),
    userCount: z.int().meta({
      description: 'Number of members: exact for a manual segment, the last count for a dynamic segment.',
    }),
    countedAt: Timestamp.nullable().meta({
      description:
        'Time when the count of a dynamic segment last changed. Each create, retrieval, mailing and change of the rules counts the members.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Segment', description: 'A segment of idea-manager members.' })
