import { ASCII_PATTERN, toAsciiAddress, toAsciiDomain } from '../../../text/addresses'
import { parseIsoMoment } from '../../../text/moments'
import { type AttributeType, BUILT_IN_ATTRIBUTES, parseCustomAttributeName, type RuleOperator } from './attributes'
import type { Rules } from './schema'
import { countRuleSteps, findLetterPairs, foldCase } from './work'

export interface RuleTerm {
  source: string
  comparedAs: 'text' | 'number' | 'moment'
  operator: RuleOperator
  letterPairCount: number
}

export interface RulesPlan {
  match: Rules['match']
  terms: readonly RuleTerm[]
  /** For each term: the JSON path of a custom attribute, the value to compare with, and the letters to fold. */
  values: readonly (readonly [path: string | null, value: unknown, letters: readonly string[]])[]
  /** For each term: the index of its condition. */
  positions: readonly number[]
  steps: number
  name: string
}

export const CUSTOM_ATTRIBUTE_SOURCE = 'attributes'

/** Terms are sorted by cost, because SQLite stops evaluating as soon as the result is known. */
const SOURCES_BY_COST = [
  'createdAt',
  'role',
  'email',
  'firstName',
  'lastName',
  CUSTOM_ATTRIBUTE_SOURCE,
  'invitation.status',
]
const getSourceCost = (source: string) => {
  const at = SOURCES_BY_COST.indexOf(source)
  return at < 0 ? SOURCES_BY_COST.length : at
}

type RuleCondition = Rules['conditions'][number]

const foldValue = (value: unknown) => foldCase(String(value))

/** Addresses are stored with an encoded domain. A part of an address, after `contains`, is a domain or a name. */
const toStoredAddress = (text: string) =>
  ASCII_PATTERN.test(text) ? text : /[@＠]/.test(text) ? toAsciiAddress(text) : toAsciiDomain(text)

function toStoredValue(attribute: string, value: RuleCondition['value']): RuleCondition['value'] {
  if (attribute !== 'email') return value
  if (typeof value === 'string') return toStoredAddress(value)
  return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? toStoredAddress(one) : one)) : value
}

const DAY_MS = 86_400_000
const DATE_PATTERN = /^\d{4}-\d\d-\d\d$/

/** Converts a timestamp or a date to a span of milliseconds; a date spans its whole day. */
function toMomentSpan(text: string): [from: number, until: number] {
  const from = parseIsoMoment(text) ?? 0
  return [from, from + (DATE_PATTERN.test(text) ? DAY_MS : 1)]
}

function chooseComparison(operator: RuleOperator, value: RuleCondition['value']): RuleTerm['comparedAs'] {
  switch (operator) {
    case 'within_days':
      return 'moment'
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return typeof value === 'number' ? 'number' : 'moment'
    case 'eq':
    case 'ne':
      return typeof value === 'number' ? 'number' : 'text'
    case 'in':
    case 'not_in':
      return (value as unknown[]).every((one) => typeof one === 'number') ? 'number' : 'text'
    default:
      return 'text'
  }
}

function toBoundValue(as: RuleTerm['comparedAs'], operator: RuleOperator, value: RuleCondition['value']): unknown {
  if (operator === 'is_set' || operator === 'is_not_set') return null
  if (operator === 'within_days') return (value as number) * DAY_MS
  if (as === 'moment')
    return operator === 'eq' || operator === 'ne' ? toMomentSpan(value as string) : toMomentSpan(value as string)[0]
  if (as === 'number') return value
  return Array.isArray(value) ? value.map(foldValue) : foldValue(value)
}

const COMPARISON_BY_TYPE: Readonly<Record<Exclude<AttributeType, 'own'>, RuleTerm['comparedAs']>> = {
  text: 'text',
  number: 'number',
  moment: 'moment',
}

export function planRules({ match, conditions }: Rules): RulesPlan {
  const planned = conditions.map(({ attribute, operator, value }, position) => {
    const own = parseCustomAttributeName(attribute)
    const kind = BUILT_IN_ATTRIBUTES[attribute]?.kind ?? 'own'
    const as = kind === 'own' ? chooseComparison(operator, value) : COMPARISON_BY_TYPE[kind]
    const source = own === undefined ? attribute : CUSTOM_ATTRIBUTE_SOURCE
    const given = toBoundValue(as, operator, toStoredValue(attribute, value))
    const letters = as === 'text' ? findLetterPairs(given) : []
    const term: RuleTerm = { source, comparedAs: as, operator, letterPairCount: letters.length / 2 }
    // The path quotes every name, because names may contain quotes and brackets.
    const path = own === undefined ? null : `$.${JSON.stringify(own)}`
    return {
      position,
      term,
      name: `${source} ${as} ${operator} ${term.letterPairCount}`,
      value: [path, given, letters] as const,
    }
  })
  planned.sort(
    (a, b) =>
      getSourceCost(a.term.source) - getSourceCost(b.term.source) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  )
  return {
    match,
    terms: planned.map(({ term }) => term),
    values: planned.map(({ value }) => value),
    positions: planned.map(({ position }) => position),
    steps: countRuleSteps(conditions),
    name: [match, ...planned.map(({ name }) => name)].join('|'),
  }
}
