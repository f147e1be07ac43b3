import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { listPortalComments } from '../api/queries/comments'
import { getPortalIdea } from '../api/queries/ideas'
import type { Language } from '../texts/language'
import { buildCommentTree } from './comment-tree'
import { IdeaPage } from './idea'
import { fileAddressOf, openPortal, readFrame } from './open-portal'
import { respondWithPage } from './respond'
import { findMissing, showMissing } from './show-problem'

const COMMENTS_PER_PAGE = 50

export async function showIdea(c: Context<AppEnv>, language: Language | null): Promise<Response> {
  const opened = await openPortal(c, language)
  const key = c.req.param('key') ?? ''
  const ideaKey = { feedback_external_key: key }
  const cursor = c.req.query('cursor') || undefined
  const [frame, idea, found] = await Promise.all([
    readFrame(c, opened),
    getPortalIdea(opened.db, ideaKey).catch(findMissing),
    listPortalComments(opened.db, ideaKey, { limit: COMMENTS_PER_PAGE, cursor }).catch(findMissing),
  ])
  if (!idea || !found) return showMissing(c, frame)
  if (idea.key !== key) return c.redirect(`${opened.base}/ideas/${encodeURIComponent(idea.key)}`, 301)
  const page = {
    ...{ key, title: idea.title, votes: idea.votes, hasVoted: idea.voted, isVotingOpen: idea.votingOpen },
    ...{ html: idea.text, summary: idea.excerpt, statusId: idea.statusId, categoryId: idea.categoryId },
    ...{ author: idea.author, createdAt: idea.createdAt, isPending: idea.pending, isFollowed: idea.subscribed },
    ...{ updates: idea.updates, history: idea.history, merged: idea.merged, commentCount: idea.comments },
    comments: buildCommentTree(found.comments, frame.texts.idea.anonymous),
    nextComments: found.next,
    files: idea.files.map(({ id, name, size }) => ({ name, bytes: size, url: fileAddressOf(opened.slug, id, key) })),
  }
  return respondWithPage(c, <IdeaPage frame={frame} idea={page} />, { isShared: opened.isVisitor })
}
