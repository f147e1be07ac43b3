import type { Actor } from '../../db/sql/actor'
import { canRead } from '../../http/auth'
import { SCOPE_AREAS, type Scope } from '../../http/token'
import { IMPORTS } from '../../imports'
import { EVENT_PATTERNS, EVENT_TYPES, RESOURCES, type ResourceName } from '../../resources'

const EVENT_TYPE_NAMES: readonly string[] = EVENT_TYPES
const EVENT_RESOURCES = [...new Set(EVENT_TYPE_NAMES.map((type) => type.slice(0, type.indexOf('.'))))] as ResourceName[]

const AREAS_OF_IMPORTS = Object.values(IMPORTS).map(({ area }) => area)

/** An import run belongs to the area of the imported records. */
export function areasOfPattern(pattern: string) {
  if (pattern === '*') return SCOPE_AREAS
  const resource = pattern.slice(0, pattern.indexOf('.')) as ResourceName
  return resource === 'import' ? AREAS_OF_IMPORTS : [RESOURCES[resource].area]
}

export const scopesOfPatterns = (patterns: readonly string[]): Scope[] =>
  patterns.flatMap((pattern) => areasOfPattern(pattern).map((area) => `${area}:read` as const))

export const findMissingScopeOfPattern = (actor: Actor, pattern: string): string | undefined => {
  const area = areasOfPattern(pattern).find((area) => !canRead(actor, area))
  return area && `${area}:read`
}

export const listReadablePatterns = (actor: Actor): string[] =>
  EVENT_PATTERNS.filter((pattern) => !findMissingScopeOfPattern(actor, pattern))

export const AREA_BY_RESOURCE_JSON = JSON.stringify(
  Object.fromEntries(EVENT_RESOURCES.map((name) => [name, RESOURCES[name].area])),
)
export const AREA_BY_IMPORT_JSON = JSON.stringify(
  Object.fromEntries(Object.entries(IMPORTS).map(([name, { area }]) => [name, area])),
)
