import * as z from 'zod'
import { createListQuery, updatedSinceParameter } from '../../http/pagination'
import { InviteResults } from '../invitations/schema'
import { createUsersSchema, MAX_NAME_CHARACTERS, Member } from '../members/schema'
import { Rules } from '../segments/rules/schema'
import { Segment } from '../segments/schema'

export const CreateUsers = createUsersSchema(['name', 'email'], {
  name: { type: 'string', maxLength: MAX_NAME_CHARACTERS },
  email: { type: 'string', maxLength: 254 },
}).meta({ id: 'CreateUsers', examples: [[{ name: 'Ada Lovelace', email: 'ada@example.com' }]] })

export const CreatedUsers = z.array(z.object({ name: z.unknown(), email: z.unknown() }))

export const UsersAdded = z
  .object({
    inviteResults: InviteResults,
    segmentCount: z.int().meta({ description: 'Number of members of the segment afterwards.' }),
  })
  .meta({ id: 'UsersAdded' })

export const ListSegmentUsers = createListQuery(['-createdAt', 'createdAt']).extend(updatedSinceParameter())

/** Filters by the rules of a dynamic segment, which the first round trip has read. */
export const ListUsersByRules = ListSegmentUsers.extend({ rules: z.custom<Rules>() })

export const MAX_MANAGED_USERS = 10_000

const RecordId = z.int().min(1)

export const ManageSegmentUsers = z
  .object({
    action: z.enum(['move', 'remove'], { error: 'Must be "move" or "remove"' }),
    userIds: z
      .array(RecordId)
      .min(1, 'Must hold at least one id')
      .max(MAX_MANAGED_USERS, `Must hold at most ${MAX_MANAGED_USERS} ids. Send the rest in another request.`),
    fromSegmentId: RecordId,
    toSegmentId: RecordId.nullable().optional().meta({ description: 'Id of the target segment for `move`.' }),
  })
  .superRefine(({ action, fromSegmentId, toSegmentId }, context) => {
    const message = findTargetProblem(action, fromSegmentId, toSegmentId ?? undefined)
    if (message) context.addIssue({ code: 'custom', path: ['toSegmentId'], message })
  })
  .meta({
    id: 'ManageSegmentUsers',
    examples: [{ action: 'remove', userIds: [1], fromSegmentId: 1 }],
  })

function findTargetProblem(action: 'move' | 'remove', from: number, to: number | undefined): string | undefined {
  if (action === 'remove')
    return to === undefined
      ? undefined
      : 'A removal has no target segment. Leave `toSegmentId` out, or send the action `move`.'
  if (to === undefined) return 'Must be the id of the target segment.'
  return to === from ? 'Must differ from `fromSegmentId`.' : undefined
}

export const UsersManaged = z
  .object({
    changed: z.int().meta({ description: 'Number of users who left the segment.' }),
    fromSegmentCount: z.int().meta({ description: 'Number of members of the first segment afterwards.' }),
    toSegmentCount: z
      .int()
      .nullable()
      .meta({ description: 'Number of members of the target segment afterwards; null without a target.' }),
  })
  .meta({ id: 'UsersManaged' })

const NewestMembers = z.array(Member).meta({
  description: 'Members of the segment, newest first: at most 100, and fewer if their attributes are long.',
})

export const GetSegment = z.object({
  include: z
    .enum(['users'], { error: 'Must be "users"' })
    .optional()
    .meta({ description: '`users` adds the newest members.' }),
})

export const FoundSegment = Segment.extend({ users: NewestMembers.optional() }).meta({ id: 'FoundSegment' })

export const SegmentWithUsers = Segment.extend({ users: NewestMembers }).meta({ id: 'SegmentWithUsers' })

const EXAMPLE_RULES = {
  match: 'all',
  conditions: [
    { attribute: 'attributes.plan', operator: 'eq', value: 'pro' },
    { attribute: 'voteCount', operator: 'gte', value: 3 },
  ],
}

export const PreviewSegment = z
  .object({ rules: Rules })
  .meta({ id: 'PreviewSegment', examples: [{ rules: EXAMPLE_RULES }] })

export const SegmentPreview = z
  .object({
    userCount: z.int().meta({ description: 'Number of members that the rules select now.' }),
    unsetCounts: z.array(z.int().nullable()).meta({
      description:
        'Number of people without the attribute of each condition, in the order of the request: for them `ne`, `not_contains` and `not_in` hold. Null for any other operator.',
    }),
    users: NewestMembers,
  })
  .meta({ id: 'SegmentPreview' })
