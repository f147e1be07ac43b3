import type { Actor } from '../../db/actor'
import { PEOPLE, reads } from '../../http/auth'
import type { Area } from '../../http/token'

export interface Named {
  id: number
  user: { id: number; firstName: string; lastName: string }
}

/** Shows the author's name only to a key of the author and to a key with access to the area or to people. */
export function withName<C extends Named>(comment: C, actor: Actor, area: Area): C {
  if (comment.user.id === actor.userId || reads(actor, area, ...PEOPLE)) return comment
  return { ...comment, user: { ...comment.user, firstName: '', lastName: '' } }
}
