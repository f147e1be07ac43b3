import { useState } from 'preact/hooks'
import { Modal } from '../../parts/modal'
import { texts as shellTexts } from '../../texts/texts'
import type { Backlog } from './backlog-state'
import { type Forest, type Item, ROOT } from './forest'
import { listParents, listPeers, mayHold, placeOf } from './places'
import type { Selection } from './selection'
import { texts } from './texts/texts'

interface MoveDialogProps {
  backlog: Backlog
  selection: Selection
  items: readonly Item[]
  close: () => void
}

/** The same choice as a drag, as a form. */
export function MoveDialog({ backlog, selection, items, close }: MoveDialogProps) {
  const forest = backlog.forest.value as Forest
  const [first] = items
  const [parent, setParent] = useState(first?.parent ?? ROOT)
  const own = first && placeOf(forest, first)
  const [index, setIndex] = useState(own?.index ?? 0)
  if (!first) return null
  const parents = listParents(forest, first.type).filter((key) =>
    items.every(({ type }) => mayHold(forest.items.get(key)?.type, type)),
  )
  const peers = listPeers(forest, parent, first)
  const move = () => {
    if (items.length > 1) void backlog.moveMany(items, forest.items.get(parent))
    else void backlog.move(first, { parent, index: Math.min(index, peers.length) })
    close()
    selection.focusOn(first.key)
  }
  const title = items.length > 1 ? texts.moveMany(items.length) : texts.moveOne(first.key)
  return (
    <Modal label={title} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          move()
        }}
      >
        <header>
          <h2 class="h3">{title}</h2>
        </header>
        <div class="body stack">
          <div class="field">
            <label for="move-parent">{texts.below}</label>
            <select
              class="select"
              id="move-parent"
              value={parent}
              onChange={({ currentTarget: { value } }) => {
                setParent(value)
                setIndex(value === own?.parent ? own.index : listPeers(forest, value, first).length)
              }}
            >
              {parents.map((key) => (
                <option key={key} value={key}>
                  {key === ROOT ? texts.noParent : `${key} ${forest.items.get(key)?.summary}`}
                </option>
              ))}
            </select>
          </div>
          {items.length === 1 && (
            <div class="field">
              <label for="move-place">{texts.position}</label>
              <select
                class="select"
                id="move-place"
                value={index}
                onChange={({ currentTarget: { value } }) => setIndex(Number(value))}
              >
                <option value={0}>{texts.first}</option>
                {peers.map((key, n) => (
                  <option key={key} value={n + 1}>
                    {texts.after(`${key} ${forest.items.get(key)?.summary}`)}
                  </option>
                ))}
              </select>
            </div>
          )}
        </div>
        <footer>
          <button class="btn" type="button" onClick={close}>
            {shellTexts.cancel}
          </button>
          <button class="btn primary" type="submit">
            {texts.moveHere}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
