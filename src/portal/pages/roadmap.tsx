import { EmptyState } from '../components/empty'
import { type Frame, nameOfCategory, type PortalStatus, pathOf, withQuery } from '../components/frame'
import { Layout } from '../components/layout'
import { StatusBadge } from '../components/status-badge'
import { VoteForm, type VoteState } from '../components/vote'

export interface RoadmapIdea extends VoteState {
  categoryId: number | null
}

export interface RoadmapLane {
  status: PortalStatus
  ideas: readonly RoadmapIdea[]
  /** True if the status has more ideas than the lane shows. */
  hasMore: boolean
}

export interface RoadmapProps {
  lanes: readonly RoadmapLane[]
  category: number | null
}

export const roadmapPath = (category: number | null): string => withQuery('/roadmap', { category })

function Card({ frame, idea, returnTo }: { frame: Frame; idea: RoadmapIdea; returnTo: string }) {
  const category = nameOfCategory(frame, idea.categoryId)
  return (
    <li class="card road">
      <VoteForm frame={frame} idea={idea} returnTo={returnTo} />
      <div class="grow">
        <h3>
          <a class="stretch" href={pathOf(frame, `/ideas/${encodeURIComponent(idea.key)}`)}>
            {idea.title}
          </a>
        </h3>
        {category ? <p class="meta">{category}</p> : ''}
      </div>
    </li>
  )
}

function Lane({ frame, lane, returnTo }: { frame: Frame; lane: RoadmapLane; returnTo: string }) {
  const { texts, portal } = frame
  const id = `lane-${lane.status.id}`
  return (
    <section class="lane" aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <StatusBadge status={lane.status} statuses={portal.statuses} />
        </h2>
        <span class="count push">
          <span class="sr">{texts.roadmapPage.ideas}</span>
          {frame.formats.number(lane.ideas.length)}
          {lane.hasMore ? '+' : ''}
        </span>
      </header>
      {lane.ideas.length ? (
        <ul>
          {lane.ideas.map((idea) => (
            <Card frame={frame} idea={idea} returnTo={returnTo} />
          ))}
        </ul>
      ) : (
        <p class="hint">{texts.roadmapPage.emptyLane}</p>
      )}
      {lane.hasMore ? (
        <p>
          <a class="btn ghost small" href={pathOf(frame, withQuery('', { status: lane.status.id, sort: 'top' }))}>
            {texts.board.more}
          </a>
        </p>
      ) : (
        ''
      )}
    </section>
  )
}

function CategoryFilter({ frame, category }: { frame: Frame; category: number | null }) {
  const { texts, portal } = frame
  return (
    <form class="row" method="get" action={pathOf(frame, '/roadmap')}>
      <label class="sm muted" for="category">
        {texts.roadmapPage.category}
      </label>
      <select class="select auto" id="category" name="category" data-submit>
        <option value="">{texts.roadmapPage.allCategories}</option>
        {portal.categories.map(({ id, name }) => (
          <option value={String(id)} selected={id === category}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" class="btn">
        {texts.roadmapPage.show}
      </button>
    </form>
  )
}

export function RoadmapPage({ frame, roadmap }: { frame: Frame; roadmap: RoadmapProps }) {
  const { texts, portal } = frame
  const returnTo = pathOf(frame, roadmapPath(roadmap.category))
  return (
    <Layout
      frame={frame}
      title={texts.roadmap}
      tab="roadmap"
      description={roadmap.category ? undefined : texts.roadmapPage.lede}
    >
      <div class="row wrap heading">
        <div class="grow">
          <h1>{texts.roadmap}</h1>
          <p class="lede">{texts.roadmapPage.lede}</p>
        </div>
        {portal.categories.length ? <CategoryFilter frame={frame} category={roadmap.category} /> : ''}
      </div>
      {roadmap.lanes.length ? (
        <div class="lanes">
          {roadmap.lanes.map((lane) => (
            <Lane frame={frame} lane={lane} returnTo={returnTo} />
          ))}
        </div>
      ) : (
        <EmptyState icon="inbox" title={texts.roadmapPage.empty} hint={texts.roadmapPage.emptyHint} />
      )}
      {portal.hasChangelog ? (
        <p class="pager muted sm">
          <span>
            {texts.roadmapPage.done} <a href={pathOf(frame, '/changelog')}>{texts.roadmapPage.readChangelog}</a>
          </span>
        </p>
      ) : (
        ''
      )}
    </Layout>
  )
}
