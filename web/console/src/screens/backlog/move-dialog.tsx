import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { type Forest, type Item, ROOT } from './forest'
import { listParents, listPeers, mayHold, type Place, placeOf } from './places'
import { texts } from './texts/texts'

interface MoveDialogProps {
  forest: Forest
  items: readonly [Item, ...Item[]]
  onMove: (place: Place) => void
  onClose: () => void
  onDone?: () => void
}

/** The same choice as a drag, as a form. */
export function MoveDialog({ forest, items, onMove, onClose, onDone }: MoveDialogProps) {
  const [first] = items
  const own = placeOf(forest, first)
  const [{ parent, index }, choose] = useState<Place>(own)
  const parents = listParents(forest, first.type).filter((key) =>
    items.every(({ type }) => mayHold(forest.items.get(key)?.type, type)),
  )
  const peers = listPeers(forest, parent, first)
  const isOne = items.length === 1
  return (
    <AskDialog
      title={isOne ? texts.moveOne(first.key) : texts.moveMany(items.length)}
      action={texts.moveHere}
      failed={texts.failed.move(first.key)}
      onAct={() => onMove({ parent, index: Math.min(index, peers.length) })}
      onClose={onClose}
      {...(onDone && { onDone })}
    >
      <div class="field">
        <label for="move-parent">{texts.parent}</label>
        <select
          class="select"
          id="move-parent"
          value={parent}
          onChange={({ currentTarget: { value } }) =>
            choose(value === own.parent ? own : { parent: value, index: listPeers(forest, value, first).length })
          }
        >
          {parents.map((key) => (
            <option key={key} value={key}>
              {key === ROOT ? texts.noParent : `${key} ${forest.items.get(key)?.summary}`}
            </option>
          ))}
        </select>
      </div>
      {isOne && (
        <div class="field">
          <label for="move-place">{texts.position}</label>
          <select
            class="select"
            id="move-place"
            value={index}
            onChange={({ currentTarget: { value } }) => choose({ parent, index: Number(value) })}
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
    </AskDialog>
  )
}
