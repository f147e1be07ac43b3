import type { Actor } from '../../db/sql/actor'
import { canRead } from '../../http/auth'
import { RESOURCES, type ResourceName } from '../../resources'

export type Cascade = Record<string, number>

/** The counts of resources in areas that the reader can read; null without a count. */
export function parseCascade(cascade: string | null, reader: Pick<Actor, 'scopes'>): Cascade | null {
  if (cascade === null) return null
  const counts = Object.entries(JSON.parse(cascade) as Cascade).filter(([resource]) =>
    canRead(reader, RESOURCES[resource as ResourceName].area),
  )
  return counts.length ? Object.fromEntries(counts) : null
}
