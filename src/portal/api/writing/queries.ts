import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { type Guard, guard } from '../../../db/client/refuse'
import { feedbackCategories, feedbackComments, feedbackItems } from '../../../db/schema/feedback'
import { products } from '../../../db/schema/tenancy'
import type { Returning } from '../../../db/sql/returning'
import { caller, param, type Statement, type Values } from '../../../db/sql/statement'
import { commentQueries } from '../../../feedback/comments/writing'
import { createFeedbackItem, modifyFeedbackItem } from '../../../feedback/ideas/writing'
import { subscribePerson, unsubscribeCaller } from '../../../feedback/subscriptions/following'
import { castVote } from '../../../feedback/votes/cast'
import { sanitizeRichText } from '../../../text/html/rich-text'
import { slugify } from '../../../text/slug'
import type { StoredFile } from '../../../workspace/assets/fields'
import { sanitizeComment } from '../../../workspace/comments/sanitize'
import { saveEndUser } from '../end-users/statements'
import { type PortalIdeaKey, shownIdea } from '../queries/ideas'
import { isPublicCategory, publicProductIds } from '../statements'
import type { AddPortalComment, ModifyPortalComment, ModifyPortalIdea, SubmitPortalIdea } from './schema'
import { listFileStatements } from './statements'

interface Additions {
  further?: readonly Statement<never>[]
  shows?: Returning<unknown>
}

/**
 * The writes of other rooms, refused unless the portal allows them too. An unknown end user becomes a member, and
 * `further` statements follow.
 */
const withGuards = (db: Database, guards: readonly Guard[], { further = [], shows }: Additions = {}): Database => ({
  ...db,
  write: (write) =>
    db.write({
      ...write,
      shows,
      saveEndUser,
      guards: [...guards, ...(write.guards ?? [])],
      statements: [...write.statements, ...further] as never,
    }),
})

const toKey = ({ feedback_external_key }: PortalIdeaKey) => ({ feedback_external_key })

const ofShownIdea = (db: Database, key: PortalIdeaKey, further: readonly Guard[] = []) =>
  withGuards(db, [shownIdea.notFound(toKey(key)), ...further])

/** Votes for the idea, or takes the vote back. */
export async function votePortalIdea(db: Database, key: PortalIdeaKey, isFor: boolean) {
  const { externalKey, vote, type } = await castVote(ofShownIdea(db, key), toKey(key), { type: isFor ? 'up' : 'none' })
  return { key: externalKey, votes: vote, voted: type === 'up' }
}

/** Starts or ends mail about the idea. */
export async function followPortalIdea(db: Database, key: PortalIdeaKey, follows: boolean) {
  const change = follows ? subscribePerson : unsubscribeCaller
  const { externalKey, subscribed } = await change(ofShownIdea(db, key), toKey(key))
  return { key: externalKey, subscribed }
}

const commentOfIdea = (id: string) => sql`SELECT 1 FROM ${feedbackComments} WHERE ${feedbackComments.id} = ${param(id)}
  AND ${feedbackComments.subscriptionId} = ${caller.subscription} AND ${feedbackComments.feedbackId} = ${shownIdea.id}
  AND ${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL`
const commentNotShown = guard<Values>('comment_not_found', sql`NOT EXISTS (${commentOfIdea('commentId')})`)
const parentNotShown = guard<Values>(
  'validation_failed:/parentId:The idea has no such comment. Use the id of a comment on this idea.',
  sql`NOT EXISTS (${commentOfIdea('commentId')})`,
)
const commentOfOthers = guard<Values>(
  'insufficient_scope:This comment belongs to somebody else. You can change your own comments.',
  sql`EXISTS (${commentOfIdea('commentId')} AND ${feedbackComments.userId} <> ${caller.user})`,
)

type SavedComment = Awaited<ReturnType<typeof commentQueries.add>>

const toSaved = ({ data: { id, parentId, text } }: SavedComment) => ({ data: { id, parentId, text } })

/** A public comment of the caller, or a reply. */
export async function addPortalComment(
  db: Database,
  key: PortalIdeaKey,
  { text, parentId }: z.output<typeof AddPortalComment>,
) {
  const comment = await sanitizeComment({ text })
  if (parentId === undefined) return toSaved(await commentQueries.add(ofShownIdea(db, key), toKey(key), comment))
  const ofParent = { ...toKey(key), commentId: parentId }
  return toSaved(await commentQueries.reply(ofShownIdea(db, key, [parentNotShown(ofParent)]), ofParent, comment))
}

interface PortalCommentKey extends PortalIdeaKey {
  commentId: number
}

function ofOwnComment(db: Database, key: PortalCommentKey) {
  const values = { ...toKey(key), commentId: key.commentId }
  return { db: ofShownIdea(db, key, [commentNotShown(values), commentOfOthers(values)]), values }
}

export async function modifyPortalComment(
  db: Database,
  key: PortalCommentKey,
  { text }: z.output<typeof ModifyPortalComment>,
) {
  const own = ofOwnComment(db, key)
  return toSaved(await commentQueries.modify(own.db, own.values, await sanitizeComment({ text }), null))
}

export async function removePortalComment(db: Database, key: PortalCommentKey) {
  const own = ofOwnComment(db, key)
  await commentQueries.remove(own.db, own.values, null)
}

const refuseNothing = guard('portal_not_found', sql`false`)

/** Refuses callers who may not write in the portal, before their files are stored. */
export const authorizeWriting = (db: Database): Promise<void> => db.authorize([refuseNothing({})])

const productNotShown = guard<Values>(
  'unknown_reference:[["product","/product"]]',
  sql`NOT EXISTS (SELECT 1 FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
    AND ${products.externalKey} = ${param('product')} AND ${products.id} IN (${publicProductIds}))`,
)
const categoryNotShown = guard<Values>(
  'unknown_reference:[["category","/categoryId"]]',
  sql`${param('category')} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${feedbackCategories}
    WHERE ${feedbackCategories.id} = ${param('category')} AND ${feedbackCategories.subscriptionId} = ${caller.subscription}
      AND ${feedbackCategories.deletedAt} IS NULL AND ${isPublicCategory(feedbackCategories.id)})`,
)

interface SavedItem {
  data: { external_key: string; title: string; visibility_level?: unknown }
}

const toSavedIdea = ({ data: { external_key, title, visibility_level } }: SavedItem) => ({
  data: { key: external_key, title, pending: visibility_level === 'pending' },
})

type NewIdea = z.output<typeof SubmitPortalIdea>

/** Also checked before the files of an idea are stored. */
export const guardsOfNewIdea = ({ product, categoryId }: Pick<NewIdea, 'product' | 'categoryId'>): Guard[] => [
  productNotShown({ product }),
  categoryNotShown({ category: categoryId ?? null }),
]

/** A new idea of the caller, which waits for an approval if the workspace moderates ideas. */
export async function submitPortalIdea(db: Database, body: Omit<NewIdea, 'files'>, files: readonly StoredFile[] = []) {
  const { product, title, text, categoryId } = body
  const item = {
    ...{ product, title, type: 'idea' as const },
    ...(categoryId && { category_id: categoryId }),
    ...(text && { long_description: await sanitizeRichText(text, '/text') }),
  }
  const created = { body: item, slug: slugify(title), tags: [], references: [] }
  return toSavedIdea(
    await createFeedbackItem(withGuards(db, guardsOfNewIdea(body), { further: listFileStatements(files) }), created),
  )
}

const ideaOfOthers = shownIdea.refuseIf(
  'insufficient_scope:This idea belongs to somebody else. You can change your own ideas.',
  sql`${feedbackItems.userId} <> ${caller.user}`,
)
const ideaIsPublished = shownIdea.refuseIf(
  'conflict:This idea does not wait for an approval any more, and you cannot change it.',
  sql`${feedbackItems.visibilityLevel} IS NOT 'pending'`,
)

/** Changes an idea of the caller that waits for an approval. */
export async function modifyPortalIdea(
  db: Database,
  key: PortalIdeaKey,
  { title, text, categoryId }: z.output<typeof ModifyPortalIdea>,
) {
  const values = toKey(key)
  const guards = [ideaOfOthers(values), ideaIsPublished(values), categoryNotShown({ category: categoryId ?? null })]
  const body = {
    ...(title !== undefined && { title }),
    ...(categoryId !== undefined && { category_id: categoryId }),
    ...(text !== undefined && { long_description: await sanitizeRichText(text, '/text') }),
  }
  const change = { body, tags: undefined, references: [] }
  const shows = shownIdea.returningByKey(values)
  return toSavedIdea(
    await modifyFeedbackItem(withGuards(db, [shownIdea.notFound(values), ...guards], { shows }), values, change, null),
  )
}
