import { useMemo } from 'preact/hooks'
import { mayFollowEvents } from '../../api/me'
import { Empty } from '../../parts/empty'
import { useListKeys } from '../../parts/list-keys'
import { Bar } from '../../shell/bar'
import type { ScreenProps } from '../screens'
import { DetailPane } from './detail-pane'
import { FilterBar } from './filter-bar'
import { ListPane } from './list-pane'
import { DETAIL_TITLE, readFilters, readSelected, select } from './place'
import { texts } from './texts/texts'
import { useEvents } from './use-events'

export default function EventScreen({ me, main }: ScreenProps) {
  const isAllowed = mayFollowEvents(me)
  return (
    <>
      <Bar title={texts.title} />
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        class={isAllowed ? (readSelected() ? 'panes detail' : 'panes') : 'padded'}
      >
        {isAllowed ? <Panes /> : <Empty icon="lock" title={texts.notAllowed} hint={texts.notAllowedHint} />}
      </main>
    </>
  )
}

function Panes() {
  const read = readFilters()
  const filters = useMemo(() => read, [JSON.stringify(read)])
  const log = useEvents(filters)
  const selected = readSelected()
  const events = log.page?.events ?? []
  const list = {
    keys: events.map(({ id }) => String(id)),
    selected: selected ? String(selected) : undefined,
    detail: DETAIL_TITLE,
    select: (key: string | undefined) => select(key === undefined ? undefined : Number(key)),
  }
  useListKeys(list, texts.keys)
  return (
    <>
      <section class="list" aria-label={texts.list}>
        <FilterBar />
        <ListPane {...log} />
      </section>
      <section class="pane" aria-label={texts.detail}>
        {selected ? (
          <DetailPane key={selected} id={selected} listed={events.find(({ id }) => id === selected)} />
        ) : (
          <Empty icon="history" title={texts.none} hint={texts.noneHint} />
        )}
      </section>
    </>
  )
}
