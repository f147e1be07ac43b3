import type { ComponentChildren } from 'preact'
import { Avatar } from '../../parts/avatar'
import { Icon } from '../../parts/icon'
import { Waiting } from '../../parts/waiting'
import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import { pathOf, readFilters } from './filters'
import { authorOf, type Idea, useStatuses } from './requests'
import { StatusBadge } from './status-badge'
import { TagField } from './tag-field'
import { texts } from './texts/texts'
import { TitleField } from './title-field'

interface HeadProps {
  idea: Idea
  isSaving: boolean
  mayChange: boolean
  onChange: (change: Partial<Idea>, base?: Idea) => void
  actions: ComponentChildren
}

export function Head({ idea, isSaving, mayChange, onChange, actions }: HeadProps) {
  const statuses = useStatuses()
  return (
    <header class="stack tight">
      <div class="row wrap">
        <a class="btn ghost icon small back" href={BASE + pathOf(readFilters())} aria-label={texts.backToList}>
          <Icon name="back" />
        </a>
        <span class="key">{idea.external_key}</span>
        <StatusBadge id={idea.status_id} statuses={statuses} />
        <Waiting isSaving={isSaving} />
        {idea.is_pinned && <span class="tag">{texts.pinned}</span>}
        {actions}
      </div>
      <TitleField idea={idea} mayChange={mayChange} onChange={(title, base) => onChange({ title }, base)} />
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
        <TagField idea={idea} mayChange={mayChange} onChange={(tags) => onChange({ tags })} />
      </div>
    </header>
  )
}
