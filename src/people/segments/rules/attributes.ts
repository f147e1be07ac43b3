import { ROLES } from '../../../roles'
import { INVITATION_STATUSES } from '../../invitations/schema'

/** What a value of an attribute is. Of a member's own attributes each value says so itself. */
export type Kind = 'text' | 'number' | 'moment' | 'own'

/** What rules can ask of a member besides their own attributes. `among`: values that it can have. */
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

/** The name of one of a member's own attributes, or undefined for one that is built in. */
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

/** What can be asked of values of each kind. */
export const ASKED: Readonly<Record<Kind, readonly Operator[]>> = {
  text: [...SAME, ...PART, ...LIST, ...SET],
  number: [...SAME, ...ORDER, ...LIST, ...SET],
  moment: [...SAME, ...ORDER, 'within_days', ...SET],
  own: OPERATORS,
}
