import type { Actor } from '../../db/actor'
import { PEOPLE, reads } from '../../http/auth'
import type { Area } from '../../http/token'

export interface Named {
  id: number
  user: { id: number; firstName: string; lastName: string }
}

/** A comment with the name of who wrote it as the key may know that: of its own user, or where it reads the area or people. */
export function withName<C extends Named>(comment: C, actor: Actor, area: Area): C {
  if (comment.user.id === actor.userId || reads(actor, area, ...PEOPLE)) return comment
  return { ...comment, user: { ...comment.user, firstName: '', lastName: '' } }
}
