import type { LoggedEvent } from '../../api/events'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { focusDetail } from '../../parts/list-keys'
import { Skeleton } from '../../parts/skeleton'
import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import { DETAIL_TITLE, filterBy, isFiltered, NO_FILTERS, pathOf, readFilters, readSelected } from './place'
import { type EventPage, usePeople } from './requests'
import { texts } from './texts/texts'
import { nameOfActor, nameOfType } from './types'

interface ListPaneProps {
  page: EventPage | undefined
  error: unknown
  isReading: boolean
  newCount: number
  read: (before?: number) => Promise<void>
}

export function ListPane({ page, error, isReading, newCount, read }: ListPaneProps) {
  const people = usePeople()
  const filters = readFilters()
  return (
    <>
      {newCount > 0 && (
        <div class="pad">
          <button class="btn small" type="button" onClick={() => void read()}>
            {texts.newEvents(newCount)}
          </button>
        </div>
      )}
      {error !== undefined && (
        <div class="pad">
          <Failure title={texts.listFailed} error={error} onRetry={() => void read(page?.next)} />
        </div>
      )}
      {page?.events.length === 0 && !page.next && (
        <Empty icon="history" title={isFiltered(filters) ? texts.noMatch : texts.empty} hint={texts.emptyHint}>
          {isFiltered(filters) && (
            <button class="btn" type="button" onClick={() => filterBy(NO_FILTERS)}>
              {texts.clear}
            </button>
          )}
        </Empty>
      )}
      <ul>
        {page?.events.map((event) => (
          <Row key={event.id} event={event} actor={nameOfActor(event, people)} />
        ))}
      </ul>
      <div class="pad">
        {isReading && <Skeleton lines={page ? 1 : 6} />}
        {page?.next && !isReading && (
          <button class="btn small" type="button" onClick={() => void read(page.next)}>
            {page.events.length ? shared.showMore : texts.searchFurther}
          </button>
        )}
      </div>
    </>
  )
}

function Row({ event, actor }: { event: LoggedEvent; actor: string }) {
  const isCurrent = readSelected() === event.id
  return (
    <li class={isCurrent ? 'list-row current' : 'list-row'}>
      <div class="grow">
        <div class="row">
          <h2 class="truncate">
            <a
              class="stretch"
              href={BASE + pathOf(readFilters(), event.id)}
              data-row={event.id}
              aria-current={isCurrent ? 'true' : undefined}
              onClick={() => isCurrent && focusDetail(DETAIL_TITLE)}
            >
              {nameOfType(event.type)} <span class="key">{event.resourceKey}</span>
            </a>
          </h2>
          <time class="push sm muted num" dateTime={event.createdAt} title={formatMoment(event.createdAt)}>
            {formatAge(event.createdAt)}
          </time>
        </div>
        <p class="sm muted truncate">
          {actor} · <code>{event.type}</code>
        </p>
      </div>
    </li>
  )
}
