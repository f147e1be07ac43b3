import * as z from 'zod'
import { ATTRIBUTES_JSON_SCHEMA, attributesParameter, createShownAttributesSchema } from '../../http/attributes'
import {
  createExternalIdField,
  createSourceField,
  pairIsWhole,
  ShownExternalId,
  ShownSource,
} from '../../http/external-id'
import { createRestorableQuery } from '../../http/pagination'
import { EmailAddress, integer, line, severalOf, storedValue, Timestamp, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { USER_ROLE_MESSAGE, USER_ROLES } from '../../roles'
import { AttributeSet } from '../../text/attributes'
import { Invitation, InviteResults } from '../invitations/schema'
import type { Rules } from '../segments/rules/schema'
import { TOO_MANY_ATTRIBUTES_MESSAGE } from './attributes'

export const MAX_NAME_CHARACTERS = 200
export const MAX_SEGMENTS_PER_MEMBER = 100

export const ASSIGNABLE_ROLES = ['idm_member', 'viewer', 'member', 'admin'] as const

export const MemberParams = z.object({
  memberId: integer({ min: 1 }).meta({ description: 'Id of the member, equal to the id of the user.', example: 1 }),
})

export const ListMembers = createRestorableQuery(['-createdAt', 'createdAt', 'email', '-email']).extend({
  q: declareWeight(
    'walk',
    text(500).optional().meta({
      description: 'Words to find: each begins a word of the names or the address. Looks at the newest 10,000 matches.',
    }),
  ),
  email: EmailAddress.optional().meta({ description: 'Only the member with this address.' }),
  attributes: attributesParameter(),
  role: declareWeight(
    'walk',
    severalOf(z.enum(USER_ROLES, { error: USER_ROLE_MESSAGE }))
      .optional()
      .meta({
        description:
          'Only members with this role, or with any of several separated by commas. Looks at 10,000 people per page: a page can be short or empty and still have a next page.',
      }),
  ),
  segmentId: declareWeight(
    'bulk',
    integer({ min: 1 }).optional().meta({
      description:
        'Only members of the segment with this id. Looks at the members of a manual segment, or at all people of the workspace for a dynamic segment.',
    }),
  ),
})

/** Filters by the rules of a dynamic segment, which the first round trip has read. */
export const ListMembersByRules = ListMembers.extend({ rules: z.custom<Rules>().optional() })

const MemberAttributes = createShownAttributesSchema('Attributes of the person, by name.', { plan: 'pro', seats: 12 })

export const Member = z
  .object({
    id: z.int(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    role: storedValue(USER_ROLES),
    attributes: MemberAttributes,
    segmentIds: z.array(z.int()).meta({ description: 'Ids of the manual segments of the person.' }),
    invitation: Invitation.nullable().meta({
      description: 'Invitation of the person; null for a person who was never invited.',
    }),
    source: ShownSource,
    externalId: ShownExternalId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Member', description: 'A person of the workspace, in the idea manager.' })

/** Limit per request: a batch of a second or two. */
export const MAX_USERS_PER_REQUEST = 10_000

const NAME_JSON_SCHEMA = { type: 'string', maxLength: MAX_NAME_CHARACTERS }
const PERSON_JSON_PROPERTIES = {
  name: { ...NAME_JSON_SCHEMA, description: 'First name, unless you send `firstName`.' },
  firstName: NAME_JSON_SCHEMA,
  lastName: NAME_JSON_SCHEMA,
  email: { type: 'string', maxLength: 254 },
  attributes: {
    type: 'object',
    ...ATTRIBUTES_JSON_SCHEMA,
    description: 'Attributes to merge with the present attributes; null clears an attribute.',
  },
}

const SEGMENT_IDS_JSON_SCHEMA = {
  type: 'array',
  maxItems: MAX_SEGMENTS_PER_MEMBER,
  items: { type: 'integer', minimum: 1 },
  description: 'Ids of manual segments to join.',
}

const PersonName = line(MAX_NAME_CHARACTERS).or(z.literal(''))

const createAttributesInput = (description: string) =>
  z
    .unknown()
    .meta({ ...PERSON_JSON_PROPERTIES.attributes, type: ['object', 'null'], description })
    .transform((attributes, context): AttributeSet => {
      const set = new AttributeSet(TOO_MANY_ATTRIBUTES_MESSAGE)
      const problem = set.add(attributes ?? undefined)
      if (problem) context.addIssue({ code: 'custom', message: problem.replace(/^attributes: /, '') })
      return set
    })

const memberExternalIdFields = {
  source: createSourceField(),
  externalId: createExternalIdField('Id of the person in `source`, unique in the workspace.'),
}

export const CreateMember = z
  .object({
    email: EmailAddress.meta({ description: 'Unique among the people of the workspace.' }),
    name: PersonName.optional().meta({ description: 'First name, unless you send `firstName`.' }),
    firstName: PersonName.optional(),
    lastName: PersonName.optional(),
    role: z
      .enum(ASSIGNABLE_ROLES, { error: 'Must be "idm_member", "viewer", "member" or "admin"' })
      .default('idm_member')
      .meta({ description: 'Role of the member. Assign the role `owner` under users.' }),
    attributes: createAttributesInput('Attributes of the person, by name.').optional(),
    segmentIds: z
      .array(z.int().min(1))
      .max(MAX_SEGMENTS_PER_MEMBER)
      .optional()
      .meta({ description: 'Ids of manual segments to join.' }),
    ...memberExternalIdFields,
  })
  .refine(...pairIsWhole('externalId'))
  .meta({
    id: 'CreateMember',
    examples: [
      { email: 'dorothy@example.com', firstName: 'Dorothy', lastName: 'Vaughan', attributes: { plan: 'pro' } },
    ],
  })

export const ModifyMember = z
  .object({
    email: EmailAddress.optional().meta({
      description: 'New address. Suppressions of the present address apply to the new one, too.',
    }),
    firstName: PersonName.optional(),
    lastName: PersonName.optional(),
    attributes: createAttributesInput(
      'Attributes to merge with the present attributes; null clears an attribute.',
    ).optional(),
    ...memberExternalIdFields,
  })
  .refine(...pairIsWhole('externalId'))
  .meta({ id: 'ModifyMember', examples: [{ lastName: 'Johnson Vaughan', attributes: { plan: 'free', seats: null } }] })

export const UpsertMember = z
  .object({
    email: EmailAddress.meta({ description: 'Address of the person. Another address replaces the present address.' }),
    firstName: PersonName.optional(),
    lastName: PersonName.optional(),
    role: z
      .enum(ASSIGNABLE_ROLES, { error: 'Must be "idm_member", "viewer", "member" or "admin"' })
      .optional()
      .meta({ description: 'Role of a new member; default: `idm_member`. A known member keeps the role.' }),
    attributes: createAttributesInput(
      'Attributes to merge with the present attributes; null clears an attribute.',
    ).optional(),
  })
  .meta({
    id: 'UpsertMember',
    examples: [{ email: 'annie@example.com', firstName: 'Annie', lastName: 'Easley', attributes: { plan: 'pro' } }],
  })

/** Items are validated individually later, because an invalid user must not reject the rest. */
export const createUsersSchema = (required: string[], properties: object) =>
  z
    .array(z.unknown().meta({ type: 'object', required, properties }), {
      error: `Must be an array of users, each with ${required.join(' and ')}`,
    })
    .min(1, 'Must hold at least one user')
    .max(MAX_USERS_PER_REQUEST, `Must hold at most ${MAX_USERS_PER_REQUEST} users. Send the rest in another request.`)

export const BulkCreateMembers = createUsersSchema(['email'], {
  ...PERSON_JSON_PROPERTIES,
  segmentIds: SEGMENT_IDS_JSON_SCHEMA,
  source: {
    type: ['string', 'null'],
    maxLength: 50,
    description: 'Name of another system, in lowercase. Belongs to the id.',
  },
  externalId: {
    type: ['string', 'null'],
    maxLength: 200,
    description: 'Id of the person in `source`, unique in the workspace.',
  },
}).meta({
  id: 'BulkCreateMembers',
  examples: [
    [{ firstName: 'Katherine', lastName: 'Johnson', email: 'katherine@example.com', attributes: { plan: 'pro' } }],
  ],
})

export const BulkCreateUsers = createUsersSchema(['email'], PERSON_JSON_PROPERTIES).meta({
  id: 'BulkCreateUsers',
  examples: [[{ name: 'Mary Jackson', email: 'mary@example.com', attributes: { plan: 'pro', seats: 12 } }]],
})

export const MembersCreated = z.object({ inviteResults: InviteResults }).meta({ id: 'MembersCreated' })
