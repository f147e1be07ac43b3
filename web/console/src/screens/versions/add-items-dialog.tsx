import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { Modal } from '../../parts/modal'
import { texts as shellTexts } from '../../texts/texts'
import { NO_FILTERS } from '../backlog/filters'
import type { Item } from '../backlog/forest'
import { TypeMark } from '../backlog/type-mark'
import { useForest } from '../item/requests'
import type { Version, VersionItem, VersionPlace } from './requests'
import { texts } from './texts/texts'

interface AddItemsDialogProps {
  place: VersionPlace
  version: Version
  onAdd: (item: VersionItem) => void
  onClose: () => void
}

const PAUSE_MS = 250
const MAX_SHOWN = 20

/** Finds items by words or keys. A click adds the item, and the form stays for the next. */
export function AddItemsDialog({ place, version, onAdd, onClose }: AddItemsDialogProps) {
  const [text, setText] = useState('')
  const [q, ask] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => ask(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data: forest } = useForest(place.product, { ...NO_FILTERS, q })
  const others = [...(forest?.items.values() ?? [])].filter(({ key }) => !version.items.includes(key))
  const items = sortByText(others, q.toLowerCase())
  const matches = items.slice(0, MAX_SHOWN)
  return (
    <Modal label={texts.addItemsTo(version.name)} onClose={onClose}>
      <header>
        <h2 class="h3">{texts.addItemsTo(version.name)}</h2>
        <button class="btn ghost icon small push" type="button" aria-label={shellTexts.close} onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      <div class="body stack">
        <div class="field">
          <label for="find-items">{texts.findItems}</label>
          <input
            class="input"
            id="find-items"
            type="search"
            maxLength={500}
            autofocus
            value={text}
            onInput={({ currentTarget: { value } }) => setText(value)}
          />
        </div>
        <p class="sm muted" role="status">
          {forest && texts.foundItems(matches.length, items.length)}
        </p>
        <div class="pick-list">
          {matches.map((item) => (
            <button key={item.key} class="btn ghost" type="button" onClick={() => onAdd(toVersionItem(item))}>
              <TypeMark type={item.type} />
              <span class="key">{item.key}</span>
              <span class="truncate">{item.summary}</span>
            </button>
          ))}
        </div>
      </div>
    </Modal>
  )
}

/** The tree holds the parents of a match too: they come last. */
function sortByText(items: readonly Item[], text: string): Item[] {
  const matches = ({ key, summary }: Item) => `${key} ${summary}`.toLowerCase().includes(text)
  return [...items.filter(matches), ...items.filter((item) => !matches(item))]
}

const toVersionItem = ({ key, type, summary, progress, points }: Item): VersionItem => ({
  ...{ externalKey: key, type, summary, progress, points: points.total },
})
