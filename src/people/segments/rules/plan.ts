import { parseIsoMoment } from '../../../text/moments'
import { type AttributeType, BUILT_IN, customNameOf, type Operator } from './attributes'
import type { Rules } from './schema'
import { countSteps, findLetterPairs, foldCase } from './work'

export interface Term {
  source: string
  comparedAs: 'text' | 'number' | 'moment'
  operator: Operator
  letters: number
}

export interface Plan {
  match: Rules['match']
  terms: readonly Term[]
  /** For each term: the JSON path of a custom attribute, the value to compare with, and the letters to fold. */
  values: readonly (readonly [path: string | null, value: unknown, letters: readonly string[]])[]
  steps: number
  name: string
}

export const CUSTOM = 'attributes'

/** Terms are sorted by cost, because SQLite stops evaluating as soon as the result is known. */
const SOURCES_BY_COST = ['createdAt', 'role', 'email', 'firstName', 'lastName', CUSTOM, 'invitation.status']
const costOf = (source: string) => {
  const at = SOURCES_BY_COST.indexOf(source)
  return at < 0 ? SOURCES_BY_COST.length : at
}

type Condition = Rules['conditions'][number]

const foldValue = (value: unknown) => foldCase(String(value))

const DAY = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/

/** Converts a timestamp or a date to a span of milliseconds; a date spans its whole day. */
function toSpan(text: string): [from: number, until: number] {
  const from = parseIsoMoment(text) ?? 0
  return [from, from + (DATE.test(text) ? DAY : 1)]
}

function chooseComparison(operator: Operator, value: Condition['value']): Term['comparedAs'] {
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

function boundValue(as: Term['comparedAs'], operator: Operator, value: Condition['value']): unknown {
  if (operator === 'is_set' || operator === 'is_not_set') return null
  if (operator === 'within_days') return (value as number) * DAY
  if (as === 'moment')
    return operator === 'eq' || operator === 'ne' ? toSpan(value as string) : toSpan(value as string)[0]
  if (as === 'number') return value
  return Array.isArray(value) ? value.map(foldValue) : foldValue(value)
}

const COMPARED_AS: Readonly<Record<Exclude<AttributeType, 'own'>, Term['comparedAs']>> = {
  text: 'text',
  number: 'number',
  moment: 'moment',
}

export function planRules({ match, conditions }: Rules): Plan {
  const planned = conditions.map(({ attribute, operator, value }) => {
    const own = customNameOf(attribute)
    const kind = BUILT_IN[attribute]?.kind ?? 'own'
    const as = kind === 'own' ? chooseComparison(operator, value) : COMPARED_AS[kind]
    const source = own === undefined ? attribute : CUSTOM
    const given = boundValue(as, operator, value)
    const letters = as === 'text' ? findLetterPairs(given) : []
    const term: Term = { source, comparedAs: as, operator, letters: letters.length / 2 }
    // The path quotes every name, because names may contain quotes and brackets.
    const path = own === undefined ? null : `$.${JSON.stringify(own)}`
    return { term, name: `${source} ${as} ${operator} ${term.letters}`, value: [path, given, letters] as const }
  })
  planned.sort(
    (a, b) => costOf(a.term.source) - costOf(b.term.source) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  )
  return {
    match,
    terms: planned.map(({ term }) => term),
    values: planned.map(({ value }) => value),
    steps: countSteps(conditions),
    name: [match, ...planned.map(({ name }) => name)].join('|'),
  }
}
