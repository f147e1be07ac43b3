import { GroundworkError } from 'groundwork-client'
import { useEffect } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { listenToChanges } from '../../api/live'
import { mayChange } from '../../api/me'
import { queries, useQuery } from '../../api/queries'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { place as address, goTo } from '../../state/place'
import { showToast } from '../../state/toast'
import { texts as shellTexts } from '../../texts/texts'
import { sendRemoval, sendRestore } from '../backlog/requests'
import type { ScreenProps } from '../screens'
import { Description } from './description'
import { Discussion } from './discussion'
import { Files } from './files'
import { Heading } from './heading'
import { Links } from './links'
import { ItemNotices } from './notices'
import { Properties } from './properties'
import { type ItemPlace, readItem, sendItem, type WorkItem } from './requests'
import { texts } from './texts/texts'
import { TraceGraph } from './trace-graph'

const OF_ITEM = ['work_item', 'work_item_comment', 'work_item_link', 'trace', 'history']

export default function ItemScreen({ me, params: [key = ''], main }: ScreenProps) {
  const place: ItemPlace = { product: address.value.query.get('product') ?? '', key }
  const queryKey = ['work_item', place.product, key]
  const { data, error, refetch } = useQuery<Versioned<WorkItem>>({ queryKey, queryFn: () => readItem(place) })
  const { shown, save, conflict, failure, isSaving } = useChange<WorkItem>({
    current: data,
    read: () => readItem(place),
    send: (change, etag) => sendItem(place, data?.record.type ?? 'userstory', change, etag),
    accept: (stored) => queries.setQueryData(queryKey, stored),
  })
  useReadingAgain(key)
  const may = mayChange(me, 'backlog')
  const isMissing = error instanceof GroundworkError && error.status === 404
  return (
    <>
      <Bar
        title={key}
        crumb={{ path: `/backlog?${new URLSearchParams({ product: place.product })}`, title: texts.backlog }}
      >
        {may && shown && (
          <button class="btn ghost small danger" type="button" onClick={() => void remove(place, shown)}>
            {texts.remove}
          </button>
        )}
      </Bar>
      <main id="main" ref={main} tabIndex={-1}>
        {isMissing && <Empty icon="info" title={shellTexts.notFound} hint={shellTexts.notFoundHint} />}
        {error && !data && !isMissing && (
          <Failure title={shellTexts.records.loadFailed} error={error} onRetry={() => refetch()} />
        )}
        {!shown && !error && (
          <div class="pad">
            <Skeleton lines={8} />
          </div>
        )}
        {shown && (
          <div class="item">
            <div class="narrow stack loose">
              <Heading item={shown} isSaving={isSaving} may={may} save={save} />
              <ItemNotices conflict={conflict} failure={failure} />
              <Description item={shown} may={may} save={save} />
              <Files item={shown} place={place} may={may} save={save} />
              <TraceGraph place={place} />
              <Discussion me={me} place={place} may={may} />
            </div>
            <aside class="stack" aria-label={texts.properties}>
              <Properties item={shown} may={may} save={save} />
              <Links place={place} may={may} />
            </aside>
          </div>
        )}
      </main>
    </>
  )
}

/** Somebody else changed this item, a comment, a link or a file of it. */
function useReadingAgain(key: string): void {
  useEffect(
    () =>
      listenToChanges((change) => {
        if (change.key !== key) return
        for (const name of OF_ITEM) void queries.invalidateQueries({ queryKey: [name] })
      }),
    [key],
  )
}

async function remove({ product }: ItemPlace, item: WorkItem): Promise<void> {
  const removed = { key: item.externalKey, type: item.type }
  await sendRemoval(product, removed)
  goTo(`/backlog?${new URLSearchParams({ product })}`)
  showToast(texts.removed(item.externalKey), () => void sendRestore(product, removed))
}
