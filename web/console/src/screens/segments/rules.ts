import type { Operations } from 'groundwork-client'
import { formatDay } from '../../texts/formats'
import type { Segment } from './requests'
import { texts } from './texts/texts'

export type Rules = Operations['previewSegment']['input']['body']['rules']
export type Condition = Rules['conditions'][number]
export type Operator = Condition['operator']
export type Scalar = string | number | boolean
export type Value = Scalar | readonly Scalar[]

/** A custom attribute has values of any type. */
export type Kind = 'text' | 'number' | 'moment' | 'own'
export type BuiltIn = keyof typeof texts.builtIns

/** The service refuses more. */
export const MAX_CONDITIONS = 30
const PREFIX = 'attributes.'

const KINDS: Readonly<Record<BuiltIn, Exclude<Kind, 'own'>>> = {
  email: 'text',
  firstName: 'text',
  lastName: 'text',
  role: 'text',
  createdAt: 'moment',
  'invitation.status': 'text',
  voteCount: 'number',
  commentCount: 'number',
  lastActivityAt: 'moment',
}
export const BUILT_INS = Object.keys(KINDS) as BuiltIn[]

const OPERATORS: Readonly<Record<Kind, readonly Operator[]>> = {
  text: ['eq', 'ne', 'in', 'not_in', 'contains', 'not_contains', 'starts_with', 'is_set', 'is_not_set'],
  number: ['gte', 'lte', 'gt', 'lt', 'eq', 'ne', 'in', 'not_in', 'is_set', 'is_not_set'],
  moment: ['within_days', 'gte', 'lte', 'gt', 'lt', 'eq', 'ne', 'is_set', 'is_not_set'],
  own: [
    ...(['eq', 'ne', 'in', 'not_in', 'contains', 'not_contains', 'starts_with'] as const),
    ...(['gte', 'lte', 'gt', 'lt', 'within_days', 'is_set', 'is_not_set'] as const),
  ],
}

const CHOICES: Readonly<Partial<Record<BuiltIn, Readonly<Record<string, string>>>>> = {
  role: texts.roles,
  'invitation.status': texts.invitations,
}

export const isBuiltIn = (attribute: string): attribute is BuiltIn => attribute in KINDS
export const kindOf = (attribute: string): Kind => (isBuiltIn(attribute) ? KINDS[attribute] : 'own')
export const operatorsOf = (attribute: string): readonly Operator[] => OPERATORS[kindOf(attribute)]
export const choicesOf = (attribute: string) => (isBuiltIn(attribute) ? CHOICES[attribute] : undefined)

export const toAttribute = (name: string): string => PREFIX + name
export const nameOfCustom = (attribute: string): string => attribute.slice(PREFIX.length)
export const labelOf = (attribute: string): string =>
  isBuiltIn(attribute) ? texts.builtIns[attribute] : nameOfCustom(attribute)

export const isList = (operator: Operator): boolean => operator === 'in' || operator === 'not_in'
export const hasValue = (operator: Operator): boolean => operator !== 'is_set' && operator !== 'is_not_set'
const isComparison = (operator: Operator): boolean => ['gt', 'gte', 'lt', 'lte'].includes(operator)

export const nameOfOperator = (attribute: string, operator: Operator): string =>
  (kindOf(attribute) === 'moment' && texts.momentOperators[operator]) || texts.operators[operator]

/** How the value of a condition is typed. */
export type Entry = 'none' | 'list' | 'choice' | 'number' | 'date' | 'text'

export function entryOf(attribute: string, operator: Operator): Entry {
  if (!hasValue(operator)) return 'none'
  if (isList(operator)) return 'list'
  if (operator === 'within_days' || kindOf(attribute) === 'number') return 'number'
  if (kindOf(attribute) === 'moment') return 'date'
  return choicesOf(attribute) && (operator === 'eq' || operator === 'ne') ? 'choice' : 'text'
}

/** A condition that a person edits. */
export interface DraftCondition {
  id: number
  attribute: string
  /** The person types the name of the attribute. */
  isNamed: boolean
  operator: Operator
  value: Value | undefined
}

export interface DraftRules {
  match: Rules['match']
  conditions: readonly DraftCondition[]
}

let conditionCount = 0

export function newCondition(attribute: string): DraftCondition {
  const [operator = 'eq'] = operatorsOf(attribute)
  return { id: ++conditionCount, attribute, isNamed: false, operator, value: undefined }
}

export const toDraft = (rules: Segment['rules']): DraftRules => ({
  match: rules?.match === 'any' ? 'any' : 'all',
  conditions: (rules?.conditions ?? []).map(({ attribute, operator, value }) => ({
    ...newCondition(attribute),
    operator: operator as Operator,
    value: value ?? undefined,
  })),
})

/** Keeps what fits: the operator for the attribute, and the value for the operator. */
export function withAttribute(condition: DraftCondition, attribute: string, isNamed = false): DraftCondition {
  const operators = operatorsOf(attribute)
  const isFitting = operators.includes(condition.operator) && kindOf(attribute) === kindOf(condition.attribute)
  const operator = isFitting ? condition.operator : (operators[0] ?? 'eq')
  const value = isFitting && !choicesOf(attribute) && !choicesOf(condition.attribute) ? condition.value : undefined
  return { ...condition, attribute, isNamed, operator, value }
}

export function withOperator(condition: DraftCondition, operator: Operator): DraftCondition {
  const { attribute, value } = condition
  const [before, after] = [entryOf(attribute, condition.operator), entryOf(attribute, operator)]
  const first = Array.isArray(value) ? value[0] : (value as Scalar | undefined)
  if (after === 'list') return { ...condition, operator, value: first === undefined ? undefined : [first] }
  const isFitting = before === after || (before === 'list' && after !== 'date')
  return { ...condition, operator, value: isFitting ? first : undefined }
}

const isNumeric = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))

function toScalar(attribute: string, operator: Operator, value: Scalar): Scalar {
  const isNumber = kindOf(attribute) === 'number' || operator === 'within_days' || isComparison(operator)
  return isNumber && typeof value === 'string' && isNumeric(value) ? Number(value) : value
}

function isComplete({ attribute, operator, value }: DraftCondition): boolean {
  if (attribute === PREFIX) return false
  if (!hasValue(operator)) return true
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ''
}

export const areComplete = ({ conditions }: DraftRules): boolean =>
  conditions.length > 0 && conditions.every(isComplete)

export const toRules = ({ match, conditions }: DraftRules): Rules => ({
  match,
  conditions: conditions.map(({ attribute, operator, value }) => ({
    ...{ attribute, operator },
    ...(hasValue(operator) &&
      value !== undefined && {
        value: Array.isArray(value)
          ? value.map((one) => toScalar(attribute, operator, one))
          : toScalar(attribute, operator, value as Scalar),
      }),
  })),
})

const DATE = /^\d{4}-\d\d-\d\d/

export function showValue(attribute: string, value: Scalar): string {
  const text = String(value)
  const choice = choicesOf(attribute)?.[text]
  return choice ?? (kindOf(attribute) === 'moment' && DATE.test(text) ? formatDay(text) : text)
}

function describeCondition({ attribute, operator, value }: DraftCondition): string {
  const values = value === undefined ? [] : [value].flat()
  const shown = values.map((one) => showValue(attribute, one as Scalar)).join(', ')
  return `${labelOf(attribute)} ${nameOfOperator(attribute, operator)} ${shown}`.trim()
}

/** The rules as a sentence, for people who only read and for a comparison. */
export function describeRules(rules: Segment['rules']): string {
  const { match, conditions } = toDraft(rules)
  return texts.describeRules(match, conditions.map(describeCondition))
}
