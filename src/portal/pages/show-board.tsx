import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { listPortalIdeas } from '../api/queries/ideas'
import { getRoadmap } from '../api/queries/portal'
import { type Frame, findStatus } from '../components/frame'
import { BOARD_SORTS, type BoardIdea, BoardPage } from './board'
import { readId } from './forms'
import { type OpenPortal, readFrame } from './open-portal'
import { respondWithPage } from './respond'
import { RoadmapPage } from './roadmap'
import { showMissing } from './show-problem'

const IDEAS_PER_PAGE = 20
/** As many as the query returns for a lane at most. */
const IDEAS_PER_LANE = 20
const MAX_QUERY_CHARACTERS = 200

type ListedIdea = Awaited<ReturnType<typeof listPortalIdeas>>['ideas'][number]

export const toBoardIdea = (frame: Frame, idea: ListedIdea): BoardIdea => ({
  ...{ key: idea.key, title: idea.title, votes: idea.votes, hasVoted: idea.voted, summary: idea.excerpt },
  ...{ statusId: idea.statusId, categoryId: idea.categoryId, comments: idea.comments, isPinned: idea.pinned },
  ...{ author: idea.author, createdAt: idea.createdAt, isVotingOpen: !findStatus(frame, idea.statusId)?.endsVoting },
})

export async function showBoard(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const query = c.req.query()
  const sort = BOARD_SORTS.find((one) => one === query.sort) ?? 'trending'
  const [q, status, category] = [
    (query.q ?? '').trim().slice(0, MAX_QUERY_CHARACTERS),
    readId(query.status),
    readId(query.category),
  ]
  const asked = { sort, limit: IDEAS_PER_PAGE, q: q || undefined, cursor: query.cursor || undefined }
  const [frame, { ideas, next }] = await Promise.all([
    readFrame(c, opened),
    listPortalIdeas(opened.db, {
      ...asked,
      statuses: status === null ? undefined : [status],
      category: category ?? undefined,
    }),
  ])
  const board = {
    ...{ ideas: ideas.map((idea) => toBoardIdea(frame, idea)), sort, query: q, status, category },
    ...{ cursor: query.cursor ?? '', next },
  }
  return respondWithPage(c, <BoardPage frame={frame} board={board} />, { isShared: opened.isVisitor })
}

export async function showRoadmap(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const category = readId(c.req.query('category'))
  const [frame, { lanes: found }] = await Promise.all([readFrame(c, opened), getRoadmap(opened.db)])
  if (!frame.portal.hasRoadmap) return showMissing(c, frame)
  // The first status is the state of every new idea, and finished ideas are in the changelog.
  const lanes = frame.portal.statuses.slice(1).flatMap((status) => {
    if (status.isDone || status.endsVoting) return []
    const all = found.find((lane) => lane.status.id === status.id)?.ideas ?? []
    const ideas = all.filter((idea) => category === null || idea.categoryId === category)
    return [{ status, ideas: ideas.map((idea) => toBoardIdea(frame, idea)), hasMore: all.length >= IDEAS_PER_LANE }]
  })
  return respondWithPage(c, <RoadmapPage frame={frame} roadmap={{ lanes, category }} />, {
    isShared: opened.isVisitor,
  })
}

export async function showMissingPage(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  return showMissing(c, await readFrame(c, opened))
}
