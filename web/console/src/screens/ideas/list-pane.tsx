import { useEffect, useRef } from 'preact/hooks'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { NextSteps } from '../../parts/next-steps'
import { Skeleton } from '../../parts/skeleton'
import { texts as shellTexts } from '../../texts/texts'
import { BulkBar } from './bulk-bar'
import { FilterBar } from './filter-bar'
import { clearFilters, isFiltered, readFilters } from './filters'
import type { IdeaList } from './idea-list'
import { ListRow } from './list-row'
import { picked } from './picked'
import { useStatuses } from './requests'
import { texts } from './texts/texts'

export function ListPane({ list, mayPick }: { list: IdeaList; mayPick: boolean }) {
  const { ideas, total, error, isReading, arrived } = list
  const statuses = useStatuses()
  return (
    <section id="list" class="list" aria-label={texts.list} aria-busy={isReading.value}>
      <FilterBar statuses={statuses} />
      <p class="sr" role="status">
        {total.value !== undefined && texts.found(total.value)}
      </p>
      {arrived.value > 0 && (
        <button class="btn small arrived" type="button" onClick={() => list.readFirst()}>
          <Icon name="up" />
          {texts.arrived(arrived.value)}
        </button>
      )}
      {list.failure.value && (
        <div class="pad">
          <Failure title={texts.notDone} error={list.failure.value.error} onRetry={list.failure.value.retry} />
        </div>
      )}
      {error.value !== undefined && !ideas.value && (
        <div class="pad">
          <Failure title={texts.listFailed} error={error.value} onRetry={() => list.readFirst()} />
        </div>
      )}
      {!ideas.value && error.value === undefined && (
        <div class="pad">
          <Skeleton lines={9} />
        </div>
      )}
      {ideas.value?.length === 0 && !list.cursor.value && <NoIdeas may={mayPick} />}
      <ul class={picked.value.size ? 'inbox picking' : 'inbox'}>
        {ideas.value?.map((idea) => (
          <ListRow
            key={idea.external_key}
            idea={idea}
            statuses={statuses}
            mayPick={mayPick}
            isSending={list.sending.value.includes(idea.external_key)}
            gone={list.removed.value.get(idea.external_key)}
          />
        ))}
      </ul>
      <EndOfList list={list} />
      {picked.value.size > 0 && <BulkBar list={list} />}
    </section>
  )
}

const NoIdeas = ({ may }: { may: boolean }) =>
  isFiltered(readFilters()) ? (
    <Empty icon="inbox" title={texts.emptyFiltered} hint={texts.emptyFilteredHint}>
      <button class="btn" type="button" onClick={clearFilters}>
        {texts.clear}
      </button>
    </Empty>
  ) : (
    <Empty icon="inbox" title={texts.emptyFirst} hint={texts.emptyFirstHint}>
      {may && (
        <NextSteps
          steps={[
            { text: shellTexts.next.importIdeas, path: '/imports/new?kind=feedback' },
            { text: shellTexts.next.portal, path: '/settings/portal' },
          ]}
        />
      )}
    </Empty>
  )

/** Reads the next page when the end comes into view. */
function EndOfList({ list }: { list: IdeaList }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && void list.readMore(),
      { rootMargin: '400px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [list, list.ideas.value?.length])
  return (
    <div ref={end} class="list-end">
      {list.error.value !== undefined && list.ideas.value && (
        <Failure
          title={texts.moreFailed}
          error={list.error.value}
          onRetry={() => {
            list.error.value = undefined
            void list.readMore()
          }}
        />
      )}
      {list.isReading.value && list.ideas.value && list.cursor.value && <Skeleton lines={3} />}
    </div>
  )
}
