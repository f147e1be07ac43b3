import * as z from 'zod'
import { ATTRIBUTES, shownAttributes } from '../../http/attributes'
import { listQuery } from '../../http/pagination'
import { EmailAddress, integer, line, Timestamp, text } from '../../http/schemas'
import { weighs } from '../../http/weight'
import { ROLES } from '../../roles'
import { AttributeSet } from '../../text/attributes'
import { Invitation, InviteResults } from '../invitations/schema'
import type { Rules } from '../segments/rules/schema'
import { TOO_MANY } from './attributes'
import { MAX_NAME, MAX_SEGMENTS } from './read'

/** Roles for new members; the role owner is assigned through the users. */
export const MADE_ROLES = ['idm_member', 'member', 'admin'] as const

export const MemberParams = z.object({
  memberId: integer({ min: 1 }).meta({ description: 'Id of the member, which is that of the user.', example: 1 }),
})

export const ListMembers = listQuery(['-createdAt', 'createdAt', 'email', '-email']).extend({
  q: weighs(
    'walk',
    text(500).optional().meta({
      description:
        'Members of whose names or address a word begins with each of these. Walks the newest 10,000 that match.',
    }),
  ),
  email: EmailAddress.optional().meta({ description: 'The one member who has this address.' }),
  role: weighs(
    'walk',
    z.enum(ROLES, { error: 'Must be "owner", "admin", "member" or "idm_member"' }).optional().meta({
      description:
        'Only members of this role. Walks 10,000 people a page, which may hold fewer than were asked for, or none, and have a next.',
    }),
  ),
  segmentId: weighs(
    'bulk',
    integer({ min: 1 }).optional().meta({
      description:
        'Only members of the segment with this id. Walks the members of the segment; of a dynamic one the people of the workspace.',
    }),
  ),
})

/** Filters by the rules of a dynamic segment, which the first round trip has read. */
export const ListMembersByRules = ListMembers.extend({ rules: z.custom<Rules>().optional() })

const Attributes = shownAttributes('What else is known of the person, by name.', { plan: 'pro', seats: 12 })

export const Member = z
  .object({
    id: z.int(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    role: z.string().meta({ description: '`owner`, `admin`, `member` or `idm_member`.' }),
    attributes: Attributes,
    segmentIds: z
      .array(z.int())
      .meta({ description: 'Ids of the segments that the person was added to. Dynamic ones are not among them.' }),
    invitation: Invitation.nullable().meta({ description: 'null: never invited.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Member', description: 'A person of the workspace, as the idea manager sees them.' })

/** Limit per request: a batch of a second or two. */
export const MAX_USERS = 10_000

const name = { type: 'string', maxLength: MAX_NAME }
const PERSON = {
  name: { ...name, description: 'The first name, where `firstName` is not sent.' },
  firstName: name,
  lastName: name,
  email: { type: 'string', maxLength: 254 },
  attributes: {
    type: 'object',
    ...ATTRIBUTES,
    description: 'Merged into those that a known person has; null clears one.',
  },
}

const SEGMENT_IDS = {
  type: 'array',
  maxItems: MAX_SEGMENTS,
  items: { type: 'integer', minimum: 1 },
  description: 'Segments that the person is added to.',
}

const personName = line(MAX_NAME).or(z.literal(''))

const given = (description: string) =>
  z
    .unknown()
    .meta({ ...PERSON.attributes, type: ['object', 'null'], description })
    .transform((attributes, context): AttributeSet => {
      const set = new AttributeSet(TOO_MANY)
      const problem = set.add(attributes ?? undefined)
      if (problem) context.addIssue({ code: 'custom', message: problem.replace(/^attributes: /, '') })
      return set
    })

export const CreateMember = z
  .object({
    email: EmailAddress.meta({ description: 'Unique among the people of the workspace.' }),
    name: personName.optional().meta({ description: 'The first name, where `firstName` is not sent.' }),
    firstName: personName.optional(),
    lastName: personName.optional(),
    role: z
      .enum(MADE_ROLES, { error: 'Must be "idm_member", "member" or "admin"' })
      .default('idm_member')
      .meta({ description: 'An owner is made by hand, among the users.' }),
    attributes: given('What else is known of the person, by name.').optional(),
    segmentIds: z
      .array(z.int().min(1))
      .max(MAX_SEGMENTS)
      .optional()
      .meta({ description: 'Manual segments that the person is added to.' }),
  })
  .meta({
    id: 'CreateMember',
    examples: [
      { email: 'dorothy@example.com', firstName: 'Dorothy', lastName: 'Vaughan', attributes: { plan: 'pro' } },
    ],
  })

export const ModifyMember = z
  .object({
    firstName: personName.optional(),
    lastName: personName.optional(),
    attributes: given('Merged into those that the member has; null clears one.').optional(),
  })
  .meta({ id: 'ModifyMember', examples: [{ lastName: 'Johnson Vaughan', attributes: { plan: 'free', seats: null } }] })

/**
 * An array of unvalidated users: users are validated individually, because an invalid user must not reject the rest.
 */
export const usersOf = (required: string[], properties: object) =>
  z
    .array(z.unknown().meta({ type: 'object', required, properties }), {
      error: `Must be an array of users, each with ${required.join(' and ')}`,
    })
    .min(1, 'Must hold at least one user')
    .max(MAX_USERS, `Must hold at most ${MAX_USERS} users. Send the rest in another request.`)

export const BulkCreateMembers = usersOf(['email'], { ...PERSON, segmentIds: SEGMENT_IDS }).meta({
  id: 'BulkCreateMembers',
  examples: [
    [{ firstName: 'Katherine', lastName: 'Johnson', email: 'katherine@example.com', attributes: { plan: 'pro' } }],
  ],
})

export const BulkCreateUsers = usersOf(['email'], PERSON).meta({
  id: 'BulkCreateUsers',
  examples: [[{ name: 'Mary Jackson', email: 'mary@example.com', attributes: { plan: 'pro', seats: 12 } }]],
})

export const MembersCreated = z.object({ inviteResults: InviteResults }).meta({ id: 'MembersCreated' })
