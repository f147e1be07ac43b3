import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import type { Backlog } from './backlog-state'
import { readBranches, setBranch } from './filters'
import { type Forest, type Item, type ItemType, ROOT, TYPES } from './forest'
import { listParents, mayHold } from './places'
import type { Selection } from './selection'
import { texts } from './texts/texts'

interface CreateDialogProps {
  backlog: Backlog
  selection: Selection
  items: readonly Item[]
  close: () => void
}

/** A new item goes below the current row if the row can hold it, or beside the row. */
function findParent(forest: Forest | undefined, item: Item | undefined, type: ItemType): string {
  for (let key = item?.key ?? ROOT; key !== ROOT; key = forest?.items.get(key)?.parent ?? ROOT)
    if (mayHold(forest?.items.get(key)?.type, type)) return key
  return ROOT
}

const typeBelow = (item: Item | undefined): ItemType =>
  item === undefined ? 'epic' : item.type === 'epic' ? 'feature' : 'userstory'

export function CreateDialog({ backlog, selection, items, close }: CreateDialogProps) {
  const forest = backlog.forest.value
  const origin = forest?.items.get(selection.parent.value ?? '') ?? items[0]
  const [type, setType] = useState<ItemType>(typeBelow(origin))
  const [parent, setParent] = useState(findParent(forest, origin, type))
  const [summary, setSummary] = useState('')
  const parentItem = forest?.items.get(parent)
  /** The row has the focus at once, and keeps the focus when the service has named the item. */
  function create(): void {
    const { shownAs, stored } = backlog.create({ type, summary: summary.trim(), parent: parentItem })
    if (parent !== ROOT) setBranch(readBranches(backlog.forest.value), parent, true)
    selection.current.value = shownAs
    void stored.then((key) => key && selection.current.value === shownAs && selection.focusOn(key))
  }
  return (
    <AskDialog
      title={texts.create}
      action={texts.createType[type]}
      failed={texts.failed.create}
      isReady={summary.trim() !== ''}
      reason={texts.typeSummary}
      onAct={create}
      onClose={close}
      onDone={() => selection.focusOn(selection.current.value)}
    >
      <div class="field">
        <label for="new-summary">{texts.summary}</label>
        <input
          class="input"
          id="new-summary"
          required
          maxLength={500}
          autofocus
          value={summary}
          onInput={({ currentTarget: { value } }) => setSummary(value)}
        />
      </div>
      <fieldset>
        <legend class="label">{texts.type}</legend>
        <div class="row wrap">
          {TYPES.map((one) => (
            <label key={one} class="check">
              <input
                type="radio"
                name="type"
                checked={type === one}
                onChange={() => {
                  setType(one)
                  setParent(findParent(forest, origin, one))
                }}
              />
              <span>{texts.types[one]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {type !== 'epic' && forest && (
        <div class="field">
          <label for="new-parent">{texts.parent}</label>
          <select
            class="select"
            id="new-parent"
            value={parent}
            onChange={({ currentTarget: { value } }) => setParent(value)}
          >
            {listParents(forest, type).map((key) => (
              <option key={key} value={key}>
                {key === ROOT ? texts.noParent : `${key} ${forest.items.get(key)?.summary}`}
              </option>
            ))}
          </select>
        </div>
      )}
    </AskDialog>
  )
}
