import { GroundworkError } from 'groundwork-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { listenToChanges } from '../../api/live'
import { mayChange } from '../../api/me'
import { queries, showStored, useQuery } from '../../api/queries'
import { Empty } from '../../parts/empty'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { Bar } from '../../shell/bar'
import { place as address } from '../../state/place'
import { texts as shellTexts } from '../../texts/texts'
import type { Forest } from '../backlog/forest'
import { pathOfBacklog, pathOfListed } from '../backlog/paths'
import type { ScreenProps } from '../screens'
import { Children } from './children'
import { parentOf } from './conversion'
import { Description } from './description'
import { Discussion } from './discussion'
import { Files } from './files'
import { Heading } from './heading'
import { ItemActions } from './item-actions'
import { type ItemDialog, ItemDialogs } from './item-dialogs'
import { Links } from './links'
import { ItemNotices } from './notices'
import { useParenting } from './parenting'
import { Properties } from './properties'
import { type ItemPlace, readItem, sendItem, type WorkItem } from './requests'
import { texts } from './texts/texts'
import { TraceGraph } from './trace-graph'

const TREE = 'work_item_tree'
const OF_ITEM = ['work_item', 'work_item_comment', 'work_item_link', TREE, 'trace', 'history']

/** Each item has drafts and conflicts of its own. */
export default function ItemScreen(props: ScreenProps) {
  const product = address.value.query.get('product') ?? ''
  const [key = ''] = props.params
  return <ItemPage key={`${product} ${key}`} {...props} place={{ product, key }} />
}

function ItemPage({ me, main, place }: ScreenProps & { place: ItemPlace }) {
  const { product, key } = place
  const queryKey = ['work_item', product, key]
  const { data, error, refetch } = useQuery<Versioned<WorkItem>>({ queryKey, queryFn: () => readItem(place) })
  const { shown, save, conflict, failure, isSaving } = useChange<WorkItem>({
    current: data,
    read: () => readItem(place),
    send: (change, etag) => sendItem(place, data?.record.type ?? 'userstory', change, etag),
    accept: (stored) => showStored(queryKey, stored),
  })
  const [opened, open] = useState<ItemDialog>()
  const parenting = useParenting(product, key)
  useReadingAgain(key, parenting.forest)
  const parent = parenting.forest && shown && parentOf(parenting.forest, shown.externalKey)
  const may = mayChange(me, 'backlog')
  const isMissing = error instanceof GroundworkError && error.status === 404
  return (
    <>
      <Bar
        title={key}
        crumb={{ path: pathOfBacklog(product), title: texts.backlog }}
        {...(parent && {
          parent: { path: pathOfListed(product, parent), title: `${parent.key} ${parent.summary}` },
        })}
      >
        {shown && <ItemActions {...{ place, may, open }} item={shown} forest={parenting.forest} />}
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
              <ItemNotices {...{ place, conflict, failure, parenting }} />
              <Description {...{ place, may, save }} item={shown} />
              <Children {...{ product, may }} itemKey={shown.externalKey} forest={parenting.forest} />
              <Files item={shown} place={place} may={may} save={save} />
              <TraceGraph place={place} />
              <Discussion me={me} place={place} may={may} />
            </div>
            <aside class="stack" aria-label={texts.properties}>
              <Properties {...{ place, parenting, may, save }} item={shown} onMove={() => open('move')} />
              <Links place={place} may={may} />
            </aside>
            <ItemDialogs {...{ opened, place, parenting }} item={shown} onClose={() => open(undefined)} />
          </div>
        )}
      </main>
    </>
  )
}

/** Somebody else changed this item, an item of it, a comment, a link or a file. */
function useReadingAgain(key: string, forest: Forest | undefined): void {
  const latest = useRef(forest)
  latest.current = forest
  useEffect(
    () =>
      listenToChanges((change) => {
        if (latest.current?.items.get(change.key)?.parent === key) void queries.invalidateQueries({ queryKey: [TREE] })
        if (change.key !== key) return
        for (const name of OF_ITEM) void queries.invalidateQueries({ queryKey: [name] })
      }),
    [key],
  )
}
