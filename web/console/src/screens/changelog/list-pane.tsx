import { useEffect, useRef, useState } from 'preact/hooks'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { focusDetail } from '../../parts/list-keys'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatDay, formatMoment } from '../../texts/formats'
import { texts as shellTexts } from '../../texts/texts'
import { DETAIL_TITLE, filterBy, pathOf, type View } from './place'
import { type EntryList, type ListedEntry, STATUSES, type Status } from './requests'
import { StatusBadge } from './status-badge'
import { texts } from './texts/texts'

interface ListPaneProps {
  view: View
  list: EntryList | undefined
  may: boolean
  error: unknown
  onRetry: () => void
  onMore: () => void
  onCreate: () => void
}

export const ListPane = ({ view, list, may, error, onRetry, onMore, onCreate }: ListPaneProps) => (
  <section class="list" aria-label={texts.list}>
    <Tools {...{ view, may, onCreate }} />
    <p class="sr" role="status">
      {list && texts.found(list.entries.length)}
    </p>
    {error && !list && (
      <div class="pad">
        <Failure title={texts.listFailed} error={error} onRetry={onRetry} />
      </div>
    )}
    {!list && !error && (
      <div class="pad">
        <Skeleton lines={6} />
      </div>
    )}
    {list?.entries.length === 0 && <NoEntries {...{ view, may, onCreate }} />}
    <ul>
      {list?.entries.map((entry) => (
        <Row key={entry.externalKey} entry={entry} view={view} />
      ))}
    </ul>
    {list?.hasMore && (
      <div class="list-end">
        <button class="btn small" type="button" onClick={onMore}>
          {shellTexts.showMore}
        </button>
      </div>
    )}
  </section>
)

const NoEntries = ({ view, may, onCreate }: Pick<ListPaneProps, 'view' | 'may' | 'onCreate'>) =>
  view.q || view.status ? (
    <Empty icon="news" title={texts.emptyFiltered} hint={texts.emptyFilteredHint}>
      <button class="btn" type="button" onClick={() => filterBy({ q: '', status: '' })}>
        {texts.clear}
      </button>
    </Empty>
  ) : (
    <Empty icon="news" title={texts.empty} hint={may ? texts.emptyHint : texts.emptyReadOnly}>
      {may && (
        <NextSteps
          steps={[
            { text: shellTexts.next.entry, act: onCreate },
            { text: shellTexts.next.release, path: '/versions' },
          ]}
        />
      )}
    </Empty>
  )

const PAUSE_MS = 250

const Tools = ({ view, may, onCreate }: Pick<ListPaneProps, 'view' | 'may' | 'onCreate'>) => (
  <div class="tools">
    <select
      class="select small auto"
      aria-label={texts.status}
      value={view.status}
      onChange={({ currentTarget }) => filterBy({ status: currentTarget.value as Status | '' })}
    >
      <option value="">{texts.all}</option>
      {STATUSES.map((status) => (
        <option key={status} value={status}>
          {texts.statuses[status]}
        </option>
      ))}
    </select>
    {may && (
      <button class={view.entry ? 'btn small push' : 'btn small primary push'} type="button" onClick={onCreate}>
        <Icon name="plus" />
        {texts.create}
      </button>
    )}
    <SearchField q={view.q} />
  </div>
)

function SearchField({ q }: { q: string }) {
  const [text, setText] = useState(q)
  const timer = useRef<number>(undefined)
  useEffect(() => setText(q), [q])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <span class="with-icon find-rows">
      <Icon name="search" />
      <input
        class="input"
        type="search"
        maxLength={200}
        aria-label={texts.search}
        placeholder={texts.search}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value)
          clearTimeout(timer.current)
          timer.current = window.setTimeout(() => filterBy({ q: value.trim() }), PAUSE_MS)
        }}
      />
    </span>
  )
}

const describeDate = ({ publishAt, publishedAt, createdAt }: ListedEntry): string =>
  publishAt ? texts.scheduledFor(formatMoment(publishAt)) : formatDay(publishedAt ?? createdAt)

function Row({ entry, view }: { entry: ListedEntry; view: View }) {
  const { externalKey: key, title, status, labels } = entry
  const isCurrent = view.entry === key
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <h2 class="truncate">
          <a
            class="stretch"
            href={BASE + pathOf({ ...view, entry: key })}
            data-row={key}
            aria-current={isCurrent ? 'true' : undefined}
            onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
          >
            {title}
          </a>
        </h2>
        <p class="row sm muted facts">
          <StatusBadge status={status} />
          {labels[0] && <span class="tag truncate">{labels[0]}</span>}
          <span class="push">{describeDate(entry)}</span>
        </p>
      </div>
    </li>
  )
}
