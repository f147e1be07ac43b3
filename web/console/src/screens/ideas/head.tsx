import type { ComponentChildren } from 'preact'
import { useProducts } from '../../api/products'
import { Avatar } from '../../parts/avatar'
import { Icon } from '../../parts/icon'
import { Waiting } from '../../parts/waiting'
import { BASE } from '../../state/place'
import { pathOfRecord } from '../../state/record-path'
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

function WorkItem({ idea: { work_item_external_id: key, work_item_type: type, product_id } }: { idea: Idea }) {
  const product = useProducts().find(({ id }) => id === product_id)?.externalKey
  if (!key) return null
  const path = type === null ? undefined : pathOfRecord({ type, externalKey: key, product })
  return (
    <span>
      {texts.workItem}: {path ? <a href={BASE + path}>{key}</a> : <span class="key">{key}</span>}
    </span>
  )
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
        <WorkItem idea={idea} />
        <TagField idea={idea} mayChange={mayChange} onChange={(tags) => onChange({ tags })} />
      </div>
    </header>
  )
}
