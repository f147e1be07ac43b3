import { useEffect, useState } from 'preact/hooks'
import { listenToChanges } from '../../api/live'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { formatNumber } from '../../texts/formats'
import { pathOfItem } from '../backlog/paths'
import { ProgressBadge } from '../backlog/progress-badge'
import { TypeMark } from '../backlog/type-mark'
import { AddItemsDialog } from './add-items-dialog'
import { readAgain, type Version, type VersionItem, type VersionPlace } from './requests'
import { texts } from './texts/texts'
import { useItemChange } from './use-item-change'

interface ItemsProps {
  version: Version
  etag: string
  place: VersionPlace
  may: boolean
}

/** The items of a version with what they are, and the ways to put items in and out. */
export function Items({ version, etag, place, may }: ItemsProps) {
  const { itemDetails: items = [] } = version
  const [isAdding, setAdding] = useState(false)
  const { add, remove, failure } = useItemChange({ place, version, etag })
  useReadingItems(version.items)
  return (
    <section class="stack tight" aria-labelledby="version-items">
      <div class="row wrap">
        <h3 id="version-items">{texts.items(items.length)}</h3>
        {may && (
          <button class="btn ghost small push" type="button" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {texts.addItems}
          </button>
        )}
      </div>
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      {items.length === 0 && <p class="muted">{may ? texts.noItems : texts.noItemsReadOnly}</p>}
      <ul class="item-list">
        {items.map((item) => (
          <Item key={item.externalKey} {...{ item, may }} product={place.product} onRemove={() => remove(item)} />
        ))}
      </ul>
      <p>
        <a href={pathOfTree(place.product, items.length ? version.externalKey : undefined)}>
          {items.length ? texts.inBacklog : texts.openBacklog}
        </a>
      </p>
      {isAdding && <AddItemsDialog {...{ place, version }} onAdd={add} onClose={() => setAdding(false)} />}
    </section>
  )
}

const pathOfTree = (product: string, version: string | undefined): string =>
  `${BASE}/backlog?${new URLSearchParams({ product, ...(version && { version }) })}`

interface ItemProps {
  item: VersionItem
  product: string
  may: boolean
  onRemove: () => void
}

const Item = ({ item: { externalKey: key, type, summary, progress, points }, product, may, onRemove }: ItemProps) => (
  <li class="row">
    <TypeMark type={type} />
    <span class="key">{key}</span>
    <a class="quiet truncate grow" href={BASE + pathOfItem(product, { key })} title={summary}>
      {summary}
    </a>
    {points > 0 && <span class="sm muted num">{texts.itemPoints(formatNumber(points))}</span>}
    <ProgressBadge progress={progress} />
    {may && (
      <button class="btn ghost icon small push" type="button" aria-label={texts.takeOut(key)} onClick={onRemove}>
        <Icon name="x" />
      </button>
    )}
  </li>
)

/** An item has another title or progress: the version itself did not change. */
function useReadingItems(keys: readonly string[]): void {
  const shown = keys.join()
  useEffect(() => listenToChanges(({ key }) => shown.split(',').includes(key) && void readAgain()), [shown])
}
