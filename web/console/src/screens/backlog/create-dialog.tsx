import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Modal } from '../../parts/modal'
import { texts as shellTexts } from '../../texts/texts'
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
  const [type, setType] = useState<ItemType>(typeBelow(items[0]))
  const [parent, setParent] = useState(findParent(forest, items[0], type))
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  async function create(summary: string): Promise<void> {
    setSending(true)
    try {
      const key = await backlog.create({ type, summary, parent: forest?.items.get(parent) })
      if (parent !== ROOT) setBranch(readBranches(backlog.forest.value), parent, true)
      close()
      selection.focusOn(key)
    } catch (cause) {
      setError(cause)
      setSending(false)
    }
  }
  return (
    <Modal label={texts.create} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create(String(new FormData(event.currentTarget).get('summary')).trim())
        }}
      >
        <header>
          <h2 class="h3">{texts.create}</h2>
        </header>
        <div class="body stack">
          {error !== undefined && <Failure title={texts.failed.create} error={error} />}
          <div class="field">
            <label for="new-summary">{texts.summary}</label>
            <input class="input" id="new-summary" name="summary" required pattern=".*\S.*" maxLength={500} autofocus />
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
                      setParent(findParent(forest, items[0], one))
                    }}
                  />
                  <span>{texts.types[one]}</span>
                </label>
              ))}
            </div>
          </fieldset>
          {type !== 'epic' && forest && (
            <div class="field">
              <label for="new-parent">{texts.below}</label>
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
        </div>
        <footer>
          <button class="btn" type="button" onClick={close}>
            {shellTexts.cancel}
          </button>
          <button class="btn primary" type="submit" aria-busy={isSending} disabled={isSending}>
            {texts.createType[type]}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
