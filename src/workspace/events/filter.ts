import { EVENT_TYPES, type ResourceName } from '../../resources'

/** Conditions on events, alike in the log and in the archive. */
export interface EventConditions {
  /** Types, without patterns. */
  types?: readonly string[] | undefined
  key?: string | undefined
  /** External key. */
  product?: string | undefined
  /** Id of a user. */
  actor?: number | undefined
  /** Id of an API key. */
  apiKey?: number | undefined
  /** `import`, or `import:17`. */
  origin?: string | undefined
  from?: number | undefined
  /** Exclusive. */
  to?: number | undefined
}

export interface EventFilter extends EventConditions {
  limit: number
  /** Id of the last event that the reader has seen; 0 for none. */
  after: number
  order: 'oldest' | 'newest'
  readable: readonly ResourceName[]
}

/** Undefined for all types: the log can have types of a later release. */
export function typesOfPatterns(patterns: readonly string[] | undefined): readonly string[] | undefined {
  if (!patterns || patterns.includes('*')) return undefined
  return EVENT_TYPES.filter((type) =>
    patterns.some((pattern) => pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))),
  )
}
