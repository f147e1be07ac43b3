import { Avatar } from '../../parts/avatar'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import { pathOf, readFilters } from './filters'
import { authorOf, type Idea, useStatuses } from './requests'
import { StatusBadge, toneOf } from './status-badge'
import { texts } from './texts/texts'
import { DETAIL_TITLE } from './use-list-keys'

export function Head({ idea }: { idea: Idea }) {
  const statuses = useStatuses()
  return (
    <header class="stack tight">
      <div class="row wrap">
        <a class="btn ghost icon small back" href={BASE + pathOf(readFilters())} aria-label={texts.backToList}>
          <Icon name="back" />
        </a>
        <span class="key">{idea.external_key}</span>
        <StatusBadge id={idea.status_id} statuses={statuses} />
        {idea.visibility_level === 'pending' && <span class="tag">{texts.pending}</span>}
        {idea.visibility_level === 'rejected' && <span class="tag">{texts.levels.rejected}</span>}
        {idea.is_pinned && <span class="tag">{texts.pinned}</span>}
      </div>
      <h2 id={DETAIL_TITLE} tabIndex={-1}>
        {idea.title}
      </h2>
      <Facts idea={idea} />
    </header>
  )
}

const Facts = ({ idea }: { idea: Idea }) => (
  <div class="row wrap sm muted facts">
    <Avatar name={authorOf(idea)} />
    <span>{authorOf(idea)}</span>
    <time class="faint" dateTime={idea.created_at} title={formatMoment(idea.created_at)}>
      {formatAge(idea.created_at)}
    </time>
    <span class="num">{texts.votes(idea.vote)}</span>
    {idea.work_item_external_id && (
      <span>
        {texts.workItem}: <span class="key">{idea.work_item_external_id}</span>
      </span>
    )}
    {idea.tags.map(({ id, key }) => (
      <span key={id} class="tag" data-tone={toneOf(null)}>
        {key}
      </span>
    ))}
  </div>
)
