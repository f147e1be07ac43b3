import type * as z from 'zod'
import type { Actor } from '../../db/sql/actor'
import { canRead, PEOPLE_AREAS } from '../../http/auth'
import type { CreateFeedbackItem, FeedbackItem } from './schema'

type ShownFeedbackItem = z.input<typeof FeedbackItem>

/** Other keys see only the name and address that they sent. */
export function hideUnreadableAuthor(
  data: ShownFeedbackItem,
  actor: Actor,
  named?: z.output<typeof CreateFeedbackItem>['user'],
): ShownFeedbackItem {
  const isOwn = data.user_id === actor.userId
  if (data.is_anonymous || isOwn || canRead(actor, 'feedback', ...PEOPLE_AREAS)) return data
  return { ...data, user: { firstName: named?.name ?? '', lastName: '', email: named?.email ?? '' } }
}
