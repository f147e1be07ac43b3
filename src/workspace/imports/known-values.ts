import { foldColumnName } from './columns'
import type { CellProblem } from './kind'

const foldNames = (list: string): ReadonlySet<string> => new Set(list.split(',').map(foldColumnName))

const LEVELS =
  foldNames(`highest, high, medium, low, lowest, urgent, critical, blocker, major, minor, trivial, normal, none,
  no priority, not set, 0, 1, 2, 3, 4, 5, p0, p1, p2, p3, p4, p5, must have, should have, could have, won't have,
  1 critical, 2 high, 3 medium, 4 low`)

/** Attributes whose values other products choose from a list. */
const KNOWN_VALUES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['priority', LEVELS],
  ['severity', LEVELS],
])

const OWN_ATTRIBUTE_PREFIX = 'attributes.'

/** Attributes of own exports have no list of values. */
export function findUnknownAttributeValue(column: string, attribute: string, given: unknown): CellProblem | undefined {
  if (typeof given !== 'string' || column.startsWith(OWN_ATTRIBUTE_PREFIX)) return undefined
  const field = foldColumnName(attribute)
  const value = given.trim()
  const known = KNOWN_VALUES.get(field)
  if (known === undefined || value === '' || known.has(foldColumnName(value))) return undefined
  const became = `attributes.${attribute}`
  return { field, value, became, reason: `The ${field} is unknown, and stays as the attribute ${attribute}.` }
}
