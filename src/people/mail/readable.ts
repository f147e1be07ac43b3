import type { Actor } from '../../db/actor'
import { reads } from '../../http/auth'
import type { Area } from '../../http/token'
import type { MailKind } from './fields'

/** Which areas the variables that a room gives its recipients tell of. */
const OF: Partial<Record<MailKind, readonly Area[]>> = {
  feedback: ['feedback'],
  release: ['feedback', 'backlog'],
}

interface Said {
  kind: string
  /** JSON: what its room says to everyone, and to one recipient alone. */
  variables: string | null
  own: string | null
}

/** A mailing's content with what its room says, where the key may read that; otherwise without, and the text shows the names. */
export function readable<T extends Said>(content: T, actor: Actor): T {
  const { kind, variables, own } = content
  const areas = OF[kind as MailKind]
  if (!areas) return content
  const { productId } = JSON.parse(variables ?? own ?? '{}') as { productId?: number }
  const covered = !actor.products || (productId !== undefined && actor.products.includes(productId))
  return covered && areas.every((area) => reads(actor, area)) ? content : { ...content, variables: null, own: null }
}
