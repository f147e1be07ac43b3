import type { Backlog } from './backlog-state'
import { listBelow } from './forest'
import type { AskedRemoval, Selection } from './selection'
import { texts } from './texts/texts'

/** Keys of the items below the items. */
export const listOnlyBelow = ({ keys, whole }: Pick<AskedRemoval, 'keys' | 'whole'>): string[] => {
  const own = new Set(keys)
  return [...new Set(listBelow(whole, keys))].filter((key) => !own.has(key))
}

export function sendAskedRemoval(
  backlog: Backlog,
  selection: Selection,
  { keys, whole }: AskedRemoval,
  keepsBelow: boolean,
): void {
  void backlog.remove(keys, { keepsBelow, whole })
  selection.clear()
}

/** Gives the focus to the next row that is still there. */
export function focusNext(backlog: Backlog, selection: Selection, { others }: AskedRemoval): void {
  const next = others.find((key) => backlog.forest.value?.items.has(key))
  if (next !== undefined) selection.focusOn(next)
}

/** Removes the selected rows, or the current row, at once. Items below are counted first. */
export async function startRemoval(
  backlog: Backlog,
  selection: Selection,
  shownKeys: readonly string[],
): Promise<void> {
  const keys = selection.targets()
  const at = shownKeys.indexOf(selection.current.value ?? '')
  const others = [...shownKeys.slice(at + 1), ...shownKeys.slice(0, Math.max(0, at)).reverse()]
  try {
    const whole = await backlog.readWhole()
    if (!keys.length || !whole) return
    const asked = { keys, whole, others }
    if (listOnlyBelow(asked).length) {
      selection.removal.value = asked
      return
    }
    sendAskedRemoval(backlog, selection, asked, false)
    focusNext(backlog, selection, asked)
  } catch (error) {
    const retry = () => void startRemoval(backlog, selection, shownKeys)
    backlog.failure.value = { title: texts.failed.changes(keys.length), error, retry }
  }
}
