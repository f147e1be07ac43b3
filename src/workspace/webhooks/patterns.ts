import type { Actor } from '../../db/sql/actor'
import { canRead } from '../../http/auth'
import { AREAS } from '../../http/token'
import { IMPORTS } from '../../imports'
import { EVENT_TYPES, RESOURCES, type ResourceName } from '../../resources'

const TYPES: readonly string[] = EVENT_TYPES
const EVENT_RESOURCES = [...new Set(TYPES.map((type) => type.slice(0, type.indexOf('.'))))] as ResourceName[]

export const PATTERNS: readonly string[] = ['*', ...EVENT_RESOURCES.map((name) => `${name}.*`), ...TYPES]

const IMPORT_AREAS = Object.values(IMPORTS).map(({ area }) => area)

/** An import run belongs to the area of the imported records. */
function areasOf(pattern: string) {
  if (pattern === '*') return AREAS
  const resource = pattern.slice(0, pattern.indexOf('.')) as ResourceName
  return resource === 'import' ? IMPORT_AREAS : [RESOURCES[resource].area]
}

export const findMissingScope = (actor: Actor, pattern: string): string | undefined => {
  const area = areasOf(pattern).find((area) => !canRead(actor, area))
  return area && `${area}:read`
}

export const readablePatterns = (actor: Actor): string[] =>
  PATTERNS.filter((pattern) => !findMissingScope(actor, pattern))

export const AREA_OF = JSON.stringify(Object.fromEntries(EVENT_RESOURCES.map((name) => [name, RESOURCES[name].area])))
export const AREA_OF_IMPORT = JSON.stringify(
  Object.fromEntries(Object.entries(IMPORTS).map(([name, { area }]) => [name, area])),
)
