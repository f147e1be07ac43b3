import { readMoment } from '../../../text/moments'
import { BUILT_IN, type Kind, type Operator, ownName } from './attributes'
import type { Rules } from './schema'

/** How a member's attribute is read, and what is asked of it: what decides the text of SQL. */
export interface Term {
  /** Of its own attributes one, or the name of one that is built in. */
  source: string
  /** As what it is compared. */
  as: 'text' | 'number' | 'moment'
  operator: Operator
}

/** What rules are compiled to before they are SQL: terms, and for each what it binds. */
export interface Plan {
  match: Rules['match']
  terms: readonly Term[]
  /** Of each term the name of an own attribute, and what to compare with. */
  values: readonly (readonly [name: string | null, value: unknown])[]
  /** The same for rules of one text, in whatever order their conditions stand. */
  name: string
}

/** An own attribute whose name can stand in a JSON path, and one whose name cannot. */
export const OWN = 'attributes'
export const OWN_ODD = 'odd attributes'

// The operator ->> reads these as a path, and a quote would end the name in one.
const ODD_NAME = /^[$[]|["\\]/

/** What is read for one member costs less on the left, and the database stops where the answer is known. */
const COST = ['createdAt', 'role', 'email', 'firstName', 'lastName', OWN, OWN_ODD, 'invitation.status']
const costOf = (source: string) => {
  const at = COST.indexOf(source)
  return at < 0 ? COST.length : at
}

type Condition = Rules['conditions'][number]

// SQLite knows no other letters: what is bound must be lowered as it lowers what is stored.
const lowered = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const asText = (value: unknown) => lowered(String(value))

const DAY = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/

/** From when until when a moment is: a date is its whole day. */
function spanOf(text: string): [from: number, until: number] {
  const from = readMoment(text) ?? 0
  return [from, from + (DATE.test(text) ? DAY : 1)]
}

/** As what an own attribute is compared: what the value of the condition is. */
function ownAs(operator: Operator, value: Condition['value']): Term['as'] {
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

function bound(as: Term['as'], operator: Operator, value: Condition['value']): unknown {
  if (operator === 'is_set' || operator === 'is_not_set') return null
  if (operator === 'within_days') return (value as number) * DAY
  if (as === 'moment')
    return operator === 'eq' || operator === 'ne' ? spanOf(value as string) : spanOf(value as string)[0]
  if (as === 'number') return value
  return Array.isArray(value) ? value.map(asText) : asText(value)
}

const AS: Readonly<Record<Exclude<Kind, 'own'>, Term['as']>> = { text: 'text', number: 'number', moment: 'moment' }

/** The plan of rules that their schema has checked. */
export function planOf({ match, conditions }: Rules): Plan {
  const planned = conditions.map(({ attribute, operator, value }) => {
    const own = ownName(attribute)
    const kind = BUILT_IN[attribute]?.kind ?? 'own'
    const as = kind === 'own' ? ownAs(operator, value) : AS[kind]
    const source = own === undefined ? attribute : ODD_NAME.test(own) ? OWN_ODD : OWN
    const term: Term = { source, as, operator }
    return { term, name: `${source} ${as} ${operator}`, value: [own ?? null, bound(as, operator, value)] as const }
  })
  planned.sort(
    (a, b) => costOf(a.term.source) - costOf(b.term.source) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  )
  return {
    match,
    terms: planned.map(({ term }) => term),
    values: planned.map(({ value }) => value),
    name: [match, ...planned.map(({ name }) => name)].join('|'),
  }
}
