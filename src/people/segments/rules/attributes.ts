import { USER_ROLES } from '../../../roles'
import { INVITATION_STATUSES } from '../../invitations/schema'

/** Type of an attribute's values. Values of custom attributes (`own`) have individual types. */
export type AttributeType = 'text' | 'number' | 'moment' | 'own'

export const BUILT_IN_ATTRIBUTES: Readonly<Record<string, { kind: AttributeType; among?: readonly string[] }>> = {
  email: { kind: 'text' },
  firstName: { kind: 'text' },
  lastName: { kind: 'text' },
  role: { kind: 'text', among: USER_ROLES },
  createdAt: { kind: 'moment' },
  'invitation.status': { kind: 'text', among: INVITATION_STATUSES },
  voteCount: { kind: 'number' },
  commentCount: { kind: 'number' },
  lastActivityAt: { kind: 'moment' },
}

const CUSTOM_ATTRIBUTE_PREFIX = 'attributes.'

export const parseCustomAttributeName = (attribute: string): string | undefined =>
  attribute.startsWith(CUSTOM_ATTRIBUTE_PREFIX) ? attribute.slice(CUSTOM_ATTRIBUTE_PREFIX.length) : undefined

export const RULE_OPERATORS = [
  'eq',
  'ne',
  'contains',
  'not_contains',
  'starts_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'is_set',
  'is_not_set',
  'within_days',
] as const

export type RuleOperator = (typeof RULE_OPERATORS)[number]

const EQUALITY_OPERATORS = ['eq', 'ne'] as const
const PRESENCE_OPERATORS = ['is_set', 'is_not_set'] as const
const MEMBERSHIP_OPERATORS = ['in', 'not_in'] as const
const SUBSTRING_OPERATORS = ['contains', 'not_contains', 'starts_with'] as const
const COMPARISON_OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const

export const OPERATORS_BY_TYPE: Readonly<Record<AttributeType, readonly RuleOperator[]>> = {
  text: [...EQUALITY_OPERATORS, ...SUBSTRING_OPERATORS, ...MEMBERSHIP_OPERATORS, ...PRESENCE_OPERATORS],
  number: [...EQUALITY_OPERATORS, ...COMPARISON_OPERATORS, ...MEMBERSHIP_OPERATORS, ...PRESENCE_OPERATORS],
  moment: [...EQUALITY_OPERATORS, ...COMPARISON_OPERATORS, 'within_days', ...PRESENCE_OPERATORS],
  own: RULE_OPERATORS,
}
