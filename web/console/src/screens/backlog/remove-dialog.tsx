import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { type Forest, type ItemType, TYPES } from './forest'
import { listOnlyBelow } from './removal'
import { texts } from './texts/texts'

interface RemoveDialogProps {
  keys: readonly string[]
  /** The tree without filters. */
  whole: Forest
  onRemove: (keepsBelow: boolean) => Promise<void> | void
  onClose: () => void
  onDone?: () => void
}

/** Counts the items below, and asks what becomes of them. */
export function RemoveDialog({ keys, whole, onRemove, ...on }: RemoveDialogProps) {
  const [keepsBelow, keep] = useState(false)
  const below = listOnlyBelow({ keys, whole })
  const [only] = keys
  const name = keys.length === 1 && only ? only : texts.items(keys.length)
  const ofType = (type: ItemType) => below.filter((key) => whole.items.get(key)?.type === type).length
  const parts = TYPES.map((type) => [type, ofType(type)] as const)
    .filter(([, n]) => n > 0)
    .map(([type, n]) => texts.typeCount[type](n))
  const choices = [
    [false, texts.removal.take(below.length), texts.removal.takeHint],
    [true, texts.removal.keep(below.length), texts.removal.keepHint],
  ] as const
  return (
    <AskDialog
      title={texts.removal.title(name)}
      action={texts.removal.action(keepsBelow ? keys.length : keys.length + below.length)}
      failed={texts.failed.changes(keys.length)}
      onAct={() => onRemove(keepsBelow)}
      {...on}
    >
      <p>{texts.removal.below(name, parts)}</p>
      <fieldset>
        <legend class="sr">{texts.removal.legend}</legend>
        <div class="stack tight">
          {choices.map(([value, text, hint]) => (
            <label key={text} class="check">
              <input
                type="radio"
                name="below"
                checked={keepsBelow === value}
                onChange={() => keep(value)}
                autofocus={!value}
              />
              <span>
                {text}
                <span class="sm muted block">{hint}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </AskDialog>
  )
}
