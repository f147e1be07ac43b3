import { Icon } from '../../parts/icon'
import { Waiting } from '../../parts/waiting'
import { BASE } from '../../state/place'
import { formatAge, formatMoment, formatNumber } from '../../texts/formats'
import { pathOf, readFilters, readSelected } from './filters'
import type { Gone } from './idea-list'
import { picked, togglePicked } from './picked'
import { authorOf, type ListedIdea, type Status } from './requests'
import { isUnread } from './seen'
import { StatusBadge } from './status-badge'
import { texts } from './texts/texts'
import { focusDetail } from './use-list-keys'

interface ListRowProps {
  idea: ListedIdea
  statuses: readonly Status[]
  gone: Gone | undefined
  /** A change of the idea is on its way. */
  isSending: boolean
  mayPick: boolean
}

export function ListRow({ idea, statuses, gone, isSending, mayPick }: ListRowProps) {
  const { external_key: key, title, vote, created_at } = idea
  const isCurrent = readSelected() === key
  const unread = isUnread(idea)
  const isPicked = picked.value.has(key)
  const states = [unread && 'unread', isCurrent && 'current', gone && 'gone', isPicked && 'picked']
    .filter(Boolean)
    .join(' ')
  return (
    <li class={`list-row ${states}`}>
      <span class="votes">
        <Icon name="up" />
        <span class="sr">{texts.votesLabel}: </span>
        {formatNumber(vote)}
      </span>
      {mayPick && (
        <label class="tick">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={texts.pickRow(title)}
            checked={isPicked}
            onChange={() => togglePicked(key)}
          />
        </label>
      )}
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf(readFilters(), key)}
            data-idea={key}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail()}
          >
            {unread && <span class="sr">{texts.unread}: </span>}
            {title}
          </a>
        </h2>
        <div class="row sm muted facts">
          {gone ? (
            <span class="badge" data-tone="gray" data-state="off">
              {texts.gone[gone]}
            </span>
          ) : (
            <StatusBadge id={idea.status_id} statuses={statuses} />
          )}
          {idea.visibility_level === 'pending' && <span class="tag">{texts.pending}</span>}
          <Waiting isSaving={isSending} />
          <span class="truncate">{authorOf(idea)}</span>
          <time class="faint push" dateTime={created_at} title={formatMoment(created_at)}>
            {formatAge(created_at)}
          </time>
        </div>
      </div>
    </li>
  )
}
