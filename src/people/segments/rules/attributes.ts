import { ROLES } from '../../../roles'
import { INVITATION_STATUSES } from '../../invitations/schema'

/** Type of an attribute's values. Values of custom attributes (`own`) have individual types. */
export type Kind = 'text' | 'number' | 'moment' | 'own'

/** Attributes of members besides custom attributes. `among` lists the possible values. */
export const BUILT_IN: Readonly<Record<string, { kind: Kind; among?: readonly string[] }>> = {
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

const OWN = 'attributes.'

export const ownName = (attribute: string): string | undefined =>
  attribute.startsWith(OWN) ? attribute.slice(OWN.length) : undefined

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

const SAME = ['eq', 'ne'] as const
const SET = ['is_set', 'is_not_set'] as const
const LIST = ['in', 'not_in'] as const
const PART = ['contains', 'not_contains', 'starts_with'] as const
const ORDER = ['gt', 'gte', 'lt', 'lte'] as const

export const ASKED: Readonly<Record<Kind, readonly Operator[]>> = {
  text: [...SAME, ...PART, ...LIST, ...SET],
  number: [...SAME, ...ORDER, ...LIST, ...SET],
  moment: [...SAME, ...ORDER, 'within_days', ...SET],
  own: OPERATORS,
}
