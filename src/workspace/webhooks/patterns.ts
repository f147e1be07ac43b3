import type { Actor } from '../../db/actor'
import { reads } from '../../http/auth'
import { AREAS } from '../../http/token'
import { IMPORTS } from '../../imports'
import { EVENT_TYPES, RESOURCES, type ResourceName } from '../../resources'

const TYPES: readonly string[] = EVENT_TYPES
const TELLING = [...new Set(TYPES.map((type) => type.slice(0, type.indexOf('.'))))] as ResourceName[]

/** What an endpoint may ask for: everything, all of a resource, or one type. */
export const PATTERNS: readonly string[] = ['*', ...TELLING.map((name) => `${name}.*`), ...TYPES]

const IMPORT_AREAS = Object.values(IMPORTS).map(({ area }) => area)

/** The areas of which a pattern has events: an import run is of the area of what it brings in. */
function areasOf(pattern: string) {
  if (pattern === '*') return AREAS
  const resource = pattern.slice(0, pattern.indexOf('.')) as ResourceName
  return resource === 'import' ? IMPORT_AREAS : [RESOURCES[resource].area]
}

/** The scope that a key lacks to read all that the pattern means. */
export const lackingFor = (actor: Actor, pattern: string): string | undefined => {
  const area = areasOf(pattern).find((area) => !reads(actor, area))
  return area && `${area}:read`
}

/** All patterns that mean nothing but what the key reads. */
export const patternsOf = (actor: Actor): string[] => PATTERNS.filter((pattern) => !lackingFor(actor, pattern))

/** The area of each resource, and of each kind of import, for the database: as JSON. */
export const AREA_OF = JSON.stringify(Object.fromEntries(TELLING.map((name) => [name, RESOURCES[name].area])))
export const AREA_OF_IMPORT = JSON.stringify(
  Object.fromEntries(Object.entries(IMPORTS).map(([name, { area }]) => [name, area])),
)
