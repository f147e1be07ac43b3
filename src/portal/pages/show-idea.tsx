import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { listPortalComments } from '../api/queries/comments'
import { getPortalIdea } from '../api/queries/ideas'
import type { CommentDraft } from '../components/comment-form'
import { ideaPathOf } from './change-idea'
import { buildCommentTree } from './comment-tree'
import { IdeaPage } from './idea'
import { fileAddressOf, type OpenPortal, readFrame } from './open-portal'
import { respondWithPage } from './respond'
import { findMissing, showMissing } from './show-problem'

const COMMENTS_PER_PAGE = 50

/** The text of a form whose comment is gone stands in the form for a new comment. */
function placeDraft(
  draft: CommentDraft | null,
  comments: readonly { id: number; text: string }[],
): CommentDraft | null {
  const isShown = (id: number | null) => comments.some((one) => one.id === id && one.text !== '')
  return draft && (isShown(draft.parent ?? draft.changed) ? draft : { ...draft, parent: null, changed: null })
}

const findDone = (c: Context<AppEnv>) =>
  (['submitted', 'saved'] as const).find((name) => c.req.query(name) !== undefined) ?? null

async function respondWithIdea(
  c: Context<AppEnv>,
  opened: OpenPortal,
  draft: CommentDraft | null = null,
): Promise<Response> {
  const key = c.req.param('key') ?? ''
  const ideaKey = { feedback_external_key: key }
  const cursor = c.req.query('cursor') || undefined
  const [frame, idea, found] = await Promise.all([
    readFrame(c, opened),
    getPortalIdea(opened.db, ideaKey).catch(findMissing),
    listPortalComments(opened.db, ideaKey, { limit: COMMENTS_PER_PAGE, cursor }).catch(findMissing),
  ])
  if (!idea || !found) return showMissing(c, frame)
  if (idea.key !== key) return c.redirect(ideaPathOf(opened.base, idea.key), 301)
  const page = {
    ...{ key, title: idea.title, votes: idea.votes, hasVoted: idea.voted, isVotingOpen: idea.votingOpen },
    ...{ html: idea.text, summary: idea.excerpt, statusId: idea.statusId, categoryId: idea.categoryId },
    ...{ author: idea.author, createdAt: idea.createdAt, isFollowed: idea.subscribed },
    ...{ isPending: idea.pending, isRejected: idea.rejected },
    ...{ updates: idea.updates, history: idea.history, merged: idea.merged, commentCount: idea.comments },
    comments: buildCommentTree(found.comments, frame.texts.idea.anonymous),
    nextComments: found.next,
    files: idea.files.map(({ id, name, size }) => ({ name, bytes: size, url: fileAddressOf(opened.slug, id, key) })),
    draft: placeDraft(draft, found.comments),
    done: idea.own ? findDone(c) : null,
  }
  const status = draft ? 400 : 200
  // The links to the other language lead to the idea, not to the form.
  const shown = draft ? { ...frame, path: ideaPathOf('', key) } : frame
  return respondWithPage(c, <IdeaPage frame={shown} idea={page} />, { status, isShared: opened.isVisitor })
}

export const showIdea = (c: Context<AppEnv>, opened: OpenPortal): Promise<Response> => respondWithIdea(c, opened)

/** The page with a text that was not saved, and its problem. */
export const showIdeaWithDraft = (c: Context<AppEnv>, opened: OpenPortal, draft: CommentDraft): Promise<Response> =>
  respondWithIdea(c, opened, draft)
