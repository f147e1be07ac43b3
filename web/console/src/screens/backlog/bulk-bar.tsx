import { Icon } from '../../parts/icon'
import type { Backlog } from './backlog-state'
import { startRemoval } from './removal'
import type { Chooser, Selection } from './selection'
import { texts } from './texts/texts'

const ACTIONS: readonly Chooser[] = ['progress', 'owner', 'tag', 'version', 'parent']

/** What can be done with the selected rows. */
export function BulkBar({ backlog, selection }: { backlog: Backlog; selection: Selection }) {
  const { size } = selection.selected.value
  if (!size) return null
  return (
    <div class="bulk" role="toolbar" aria-label={texts.selected(size)}>
      <span class="sm">{texts.selected(size)}</span>
      {ACTIONS.map((chooser) => (
        <button
          key={chooser}
          class="btn ghost small"
          type="button"
          onClick={() => {
            selection.chooser.value = chooser
          }}
        >
          {texts.actions[chooser]}
        </button>
      ))}
      <button class="btn ghost small danger" type="button" onClick={() => void startRemoval(backlog, selection, [])}>
        {texts.remove}
      </button>
      <button class="btn ghost icon small" type="button" aria-label={texts.clearSelection} onClick={selection.clear}>
        <Icon name="x" />
      </button>
    </div>
  )
}
