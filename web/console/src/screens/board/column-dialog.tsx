import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import type { Backlog } from '../backlog/backlog-state'
import type { Item } from '../backlog/forest'
import { labelOfProgress } from '../backlog/progress-badge'
import type { Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { type Lane, listSiblings, placeBeside } from './columns'
import { moveCards } from './move-cards'

interface ColumnDialogProps {
  backlog: Backlog
  selection: Selection
  lanes: readonly Lane[]
}

/** The same choice as a drag of a card, as a form. */
export function ColumnDialog({ backlog, selection, lanes }: ColumnDialogProps) {
  const items = selection.targets().flatMap((key) => backlog.forest.value?.items.get(key) ?? [])
  const [first] = items
  if (selection.chooser.value !== 'column' || !first) return null
  return <OpenDialog {...{ backlog, selection, lanes, items, first }} />
}

/** Stands for the place that the card has. */
const HERE = 'here'
const TOP = 'top'

function OpenDialog({ backlog, selection, lanes, items, first }: ColumnDialogProps & { items: Item[]; first: Item }) {
  const columns = lanes.find((lane) => lane.columns.some((column) => column.items.includes(first)))?.columns ?? []
  const [progress, setProgress] = useState(first.progress)
  const [after, setAfter] = useState(HERE)
  const column = columns.find((one) => one.progress === progress)
  const siblings = column && items.length === 1 ? listSiblings(column, first) : []
  const move = () => {
    const [next] = siblings
    const forest = backlog.forest.value
    const place =
      !forest || after === HERE || !next
        ? undefined
        : after === TOP
          ? placeBeside(forest, first, next.key, 'before')
          : placeBeside(forest, first, after, 'after')
    moveCards(backlog, items, { progress, place })
  }
  return (
    <AskDialog
      title={items.length === 1 ? texts.moveOne(first.key) : texts.moveMany(items.length)}
      action={texts.moveHere}
      failed={texts.failed.move(first.key)}
      onAct={move}
      onClose={() => {
        selection.chooser.value = undefined
      }}
      onDone={() => selection.focusOn(first.key)}
    >
      <div class="field">
        <label for="move-column">{texts.column}</label>
        <select
          class="select"
          id="move-column"
          value={progress}
          onChange={({ currentTarget: { value } }) => {
            setProgress(value)
            setAfter(HERE)
          }}
        >
          {columns.map((one) => (
            <option key={one.id} value={one.progress}>
              {labelOfProgress(one.progress)}
            </option>
          ))}
        </select>
      </div>
      {siblings.length > 0 && (
        <div class="field">
          <label for="move-after">{texts.position}</label>
          <select
            class="select"
            id="move-after"
            value={after}
            aria-describedby="move-after-hint"
            onChange={({ currentTarget: { value } }) => setAfter(value)}
          >
            <option value={HERE}>{texts.samePlace}</option>
            <option value={TOP}>{texts.first}</option>
            {siblings.map(({ key, summary }) => (
              <option key={key} value={key}>
                {texts.after(`${key} ${summary}`)}
              </option>
            ))}
          </select>
          <p class="hint" id="move-after-hint">
            {texts.orderHint}
          </p>
        </div>
      )}
    </AskDialog>
  )
}
