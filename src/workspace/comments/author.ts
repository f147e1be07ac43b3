import type { Actor } from '../../db/sql/actor'
import { canRead, PEOPLE_AREAS } from '../../http/auth'
import type { Area } from '../../http/token'

export interface AuthoredComment {
  id: number
  user: { id: number; firstName: string; lastName: string }
}

export function hideAuthorUnlessPermitted<C extends AuthoredComment>(comment: C, actor: Actor, area: Area): C {
  if (comment.user.id === actor.userId || canRead(actor, area, ...PEOPLE_AREAS)) return comment
  return { ...comment, user: { ...comment.user, firstName: '', lastName: '' } }
}
