import { ROLES } from '../../../roles'
import { INVITATION_STATUSES } from '../../invitations/schema'

/** Type of an attribute's values. Values of custom attributes (`own`) have individual types. */
export type AttributeType = 'text' | 'number' | 'moment' | 'own'

export const BUILT_IN: Readonly<Record<string, { kind: AttributeType; among?: readonly string[] }>> = {
  email: { kind: 'text' },
  firstName: { kind: 'text' },
  lastName: { kind: 'text' },
  role: { kind: 'text', among: ROLES },
  createdAt: { kind: 'moment' },
  'invitation.status': { kind: 'text', among: INVITATION_STATUSES },
  voteCount: { kind: 'number' },
  commentCount: { kind: 'number' },
  lastActivityAt: { kind: 'moment' },
}

const CUSTOM_PREFIX = 'attributes.'

export const customNameOf = (attribute: string): string | undefined =>
  attribute.startsWith(CUSTOM_PREFIX) ? attribute.slice(CUSTOM_PREFIX.length) : undefined

export const OPERATORS = [
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

export type Operator = (typeof OPERATORS)[number]

const EQUALITY = ['eq', 'ne'] as const
const PRESENCE = ['is_set', 'is_not_set'] as const
const MEMBERSHIP = ['in', 'not_in'] as const
const SUBSTRING = ['contains', 'not_contains', 'starts_with'] as const
const COMPARISON = ['gt', 'gte', 'lt', 'lte'] as const

export const OPERATORS_BY_TYPE: Readonly<Record<AttributeType, readonly Operator[]>> = {
  text: [...EQUALITY, ...SUBSTRING, ...MEMBERSHIP, ...PRESENCE],
  number: [...EQUALITY, ...COMPARISON, ...MEMBERSHIP, ...PRESENCE],
  moment: [...EQUALITY, ...COMPARISON, 'within_days', ...PRESENCE],
  own: OPERATORS,
}
