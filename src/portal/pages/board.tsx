import { EmptyState } from '../components/empty'
import { acceptsIdeas, type Frame, findStatus, nameOfCategory, pathOf, withQuery } from '../components/frame'
import { Icon } from '../components/icon'
import { Layout } from '../components/layout'
import { StatusBadge } from '../components/status-badge'
import { Time } from '../components/time'
import { VoteForm, type VoteState } from '../components/vote'

export const BOARD_SORTS = ['trending', 'top', 'new'] as const
export type BoardSort = (typeof BOARD_SORTS)[number]

export interface BoardIdea extends VoteState {
  /** Plain text; empty for none. */
  summary: string
  statusId: number | null
  categoryId: number | null
  comments: number
  isPinned: boolean
  author: string | null
  createdAt: string
}

export interface BoardProps {
  ideas: readonly BoardIdea[]
  sort: BoardSort
  query: string
  status: number | null
  category: number | null
  cursor: string
  next: string | null
}

type BoardState = Pick<BoardProps, 'sort' | 'query' | 'status' | 'category'>

/** Path of the board below the portal. */
export const boardPath = (state: BoardState, cursor = ''): string =>
  withQuery('', {
    q: state.query,
    sort: state.sort === 'trending' ? '' : state.sort,
    status: state.status,
    category: state.category,
    cursor,
  })

function StatusFilter({ frame, board }: { frame: Frame; board: BoardProps }) {
  const { texts, portal } = frame
  const chosen = findStatus(frame, board.status)
  return (
    <>
      <button class="btn" type="button" popovertarget="statuses">
        <Icon name="list-filter" />
        {chosen ? chosen.name : texts.board.status}
      </button>
      <nav class="menu end" id="statuses" popover="auto" aria-label={texts.board.statuses}>
        <a href={pathOf(frame, boardPath({ ...board, status: null }))} aria-current={chosen ? undefined : 'true'}>
          {texts.board.allStatuses}
        </a>
        {portal.statuses.map((status) => (
          <a
            href={pathOf(frame, boardPath({ ...board, status: status.id }))}
            aria-current={status.id === board.status ? 'true' : undefined}
          >
            <StatusBadge status={status} statuses={portal.statuses} />
          </a>
        ))}
      </nav>
    </>
  )
}

function Toolbar({ frame, board }: { frame: Frame; board: BoardProps }) {
  const { texts } = frame
  return (
    <form class="toolbar" role="search" method="get" action={pathOf(frame, '')}>
      <label class="with-icon search">
        <span class="sr">{texts.board.search}</span>
        <Icon name="search" />
        <input
          class="input"
          type="search"
          name="q"
          value={board.query}
          placeholder={texts.board.search}
          maxlength={200}
        />
      </label>
      {board.sort === 'trending' ? '' : <input type="hidden" name="sort" value={board.sort} />}
      {board.category ? <input type="hidden" name="category" value={String(board.category)} /> : ''}
      {board.status ? <input type="hidden" name="status" value={String(board.status)} /> : ''}
      <div class="segmented" role="group" aria-label={texts.board.sort}>
        {BOARD_SORTS.map((sort) => (
          <a
            href={pathOf(frame, boardPath({ ...board, sort }))}
            aria-current={sort === board.sort ? 'true' : undefined}
          >
            {texts.board.sorts[sort]}
          </a>
        ))}
      </div>
      {frame.portal.statuses.length > 1 ? <StatusFilter frame={frame} board={board} /> : ''}
      <button class="sr-until-focus btn" type="submit">
        {texts.board.searchButton}
      </button>
    </form>
  )
}

function IdeaRow({ frame, idea, returnTo }: { frame: Frame; idea: BoardIdea; returnTo: string }) {
  const { texts, formats, portal } = frame
  const status = findStatus(frame, idea.statusId)
  const category = nameOfCategory(frame, idea.categoryId)
  return (
    <li class="list-row">
      <VoteForm frame={frame} idea={idea} returnTo={returnTo} />
      <div class="grow">
        <h3>
          <a class="stretch" href={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}`)}>
            {idea.title}
          </a>
        </h3>
        {idea.summary ? <p class="clamp">{idea.summary}</p> : ''}
        <div class="meta">
          {status ? <StatusBadge status={status} statuses={portal.statuses} /> : ''}
          {category ? <span>{category}</span> : ''}
          <span>
            <Icon name="message-circle" />
            <span class="sr">{texts.board.comments}</span>
            {formats.number(idea.comments)}
          </span>
          {idea.isPinned ? (
            <span>
              <Icon name="pin" />
              {texts.board.pinned}
            </span>
          ) : (
            ''
          )}
          <span class="faint">
            {idea.author ? `${idea.author} · ` : ''}
            <Time moment={idea.createdAt}>{formats.shortDate(idea.createdAt)}</Time>
          </span>
        </div>
      </div>
    </li>
  )
}

function NoIdeas({ frame, isFiltered }: { frame: Frame; isFiltered: boolean }) {
  const { board } = frame.texts
  if (isFiltered)
    return (
      <EmptyState icon="search" title={board.noMatch} hint={board.noMatchHint}>
        <a class="btn" href={pathOf(frame, '')}>
          {board.clear}
        </a>
      </EmptyState>
    )
  return (
    <EmptyState icon="inbox" title={board.empty} hint={board.emptyHint}>
      {acceptsIdeas(frame) ? (
        <a class="btn" href={pathOf(frame, '/submit')}>
          {board.submit}
        </a>
      ) : undefined}
    </EmptyState>
  )
}

function Categories({ frame, board }: { frame: Frame; board: BoardProps }) {
  const { texts, portal } = frame
  const entries = [{ id: null, name: texts.board.allIdeas }, ...portal.categories]
  return (
    <nav aria-labelledby="categories">
      <h2 class="label faint" id="categories">
        {texts.board.categories}
      </h2>
      <ul class="side-list">
        {entries.map(({ id, name }) => (
          <li>
            <a
              href={pathOf(frame, boardPath({ ...board, category: id }))}
              aria-current={id === board.category ? 'true' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SubmitCard({ frame }: { frame: Frame }) {
  const { board } = frame.texts
  return (
    <section class="card pad cta stack tight">
      <h2 class="h3">{board.missing}</h2>
      <p class="sm">{board.missingHint}</p>
      <a class="btn primary" href={pathOf(frame, '/submit')}>
        <Icon name="plus" />
        {board.submit}
      </a>
    </section>
  )
}

export function BoardPage({ frame, board }: { frame: Frame; board: BoardProps }) {
  const { texts, portal } = frame
  const isFiltered = Boolean(board.query || board.status || board.category || board.cursor)
  const returnTo = pathOf(frame, boardPath(board, board.cursor))
  return (
    <Layout
      frame={frame}
      title={texts.ideas}
      tab="ideas"
      description={isFiltered ? undefined : texts.board.description(portal.name)}
    >
      <div class="split">
        <div>
          <div class="title-row">
            <h1 class="grow">{acceptsIdeas(frame) ? texts.board.heading : texts.ideas}</h1>
            {acceptsIdeas(frame) ? (
              <a class="btn primary narrow-only" href={pathOf(frame, '/submit')}>
                <Icon name="plus" />
                {texts.board.submitShort}
              </a>
            ) : (
              ''
            )}
          </div>
          <p class="lede">{acceptsIdeas(frame) ? texts.board.lede : texts.board.readingLede}</p>
          <Toolbar frame={frame} board={board} />
          <h2 class="sr">{texts.ideas}</h2>
          <p class="sr" role="status">
            {texts.board.results(board.ideas.length, board.next !== null)}
          </p>
          {board.ideas.length ? (
            <ul class="card ideas">
              {board.ideas.map((idea) => (
                <IdeaRow frame={frame} idea={idea} returnTo={returnTo} />
              ))}
            </ul>
          ) : (
            <NoIdeas frame={frame} isFiltered={isFiltered} />
          )}
          {board.next || board.cursor ? (
            <p class="pager row">
              {board.cursor ? (
                <a class="btn ghost" href={pathOf(frame, boardPath(board))}>
                  {texts.board.first}
                </a>
              ) : (
                ''
              )}
              {board.next ? (
                <a class="btn" rel="next" href={pathOf(frame, boardPath(board, board.next))}>
                  {texts.board.more}
                </a>
              ) : (
                ''
              )}
            </p>
          ) : (
            ''
          )}
        </div>
        {acceptsIdeas(frame) || portal.categories.length ? (
          <aside class="rail stack loose" aria-label={texts.board.about}>
            {acceptsIdeas(frame) ? <SubmitCard frame={frame} /> : ''}
            {portal.categories.length ? <Categories frame={frame} board={board} /> : ''}
          </aside>
        ) : (
          ''
        )}
      </div>
    </Layout>
  )
}
