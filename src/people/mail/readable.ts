import type { Actor } from '../../db/actor'
import { reads } from '../../http/auth'
import type { Area } from '../../http/token'
import type { MailKind } from './fields'

/** Which areas the variables that a room gives its recipients tell of. */
const OF: Partial<Record<MailKind, readonly Area[]>> = {
  feedback: ['feedback'],
  release: ['feedback', 'backlog'],
}

/** The variables of a recipient, where the key may read what they tell of; otherwise none, and the text shows their names. */
export function readable({ kind, variables }: { kind: string; variables: string | null }, actor: Actor): string | null {
  const areas = OF[kind as MailKind]
  if (!areas || variables === null) return variables
  const { productId } = JSON.parse(variables) as { productId?: number }
  const covered = !actor.products || (productId !== undefined && actor.products.includes(productId))
  return covered && areas.every((area) => reads(actor, area)) ? variables : null
}
