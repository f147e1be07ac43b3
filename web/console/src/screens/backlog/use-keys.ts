import { useMemo } from 'preact/hooks'
import { useKeys } from '../../state/keys'
import { goTo } from '../../state/place'
import type { Backlog } from './backlog-state'
import { isBranchOpen, readBranches, setBranch } from './filters'
import { listRows, ROOT, type Row } from './forest'
import { dropLifted, liftItem, stepLift } from './lifting'
import { pathOfListed } from './paths'
import { indentPlace, outdentPlace, type Place, stepPlace } from './places'
import type { Selection } from './selection'
import { texts } from './texts/texts'
import { listWriteKeys } from './write-keys'

interface KeyOptions {
  backlog: Backlog
  selection: Selection
  mayChange: boolean
}

/** The listener of the rows acts on these. */
const ROW_KEYS = [
  { keys: 'Space', label: texts.keys.lift },
  { keys: 'alt+ArrowUp', label: texts.keys.reorder },
  { keys: 'alt+ArrowDown', label: texts.keys.reorder },
  { keys: 'alt+ArrowRight', label: texts.keys.indent },
  { keys: 'alt+ArrowLeft', label: texts.keys.outdent },
]

/** The keys of the tree. Rows come from the signals, so that the bindings stay the same. */
export function useBacklogKeys({ backlog, selection, mayChange }: KeyOptions): (event: KeyboardEvent) => void {
  useKeys(
    useMemo(
      () => [
        ...listReadKeys(backlog, selection),
        ...(mayChange ? ROW_KEYS : []),
        ...(mayChange ? listWriteKeys(backlog, selection, () => keysOf(backlog)) : []),
      ],
      [backlog, selection, mayChange],
    ),
  )
  return (event) => mayChange && !event.defaultPrevented && reactInGrid(event, backlog, selection)
}

function rowsOf({ forest }: Backlog): Row[] {
  if (!forest.value) return []
  const branches = readBranches(forest.value)
  return listRows(forest.value, (key) => isBranchOpen(branches, key))
}

const keysOf = (backlog: Backlog): string[] => rowsOf(backlog).map(({ item }) => item.key)

function listReadKeys(backlog: Backlog, selection: Selection) {
  const { current, lift } = selection
  const step = (by: 1 | -1) => () =>
    lift.value ? stepLift(backlog, selection, by) : selection.step(keysOf(backlog), by)
  const open = () => {
    if (lift.value) return stepLift(backlog, selection, 'right')
    const row = rowsOf(backlog).find(({ item }) => item.key === current.value)
    if (row?.hasChildren && !row.isOpen) setBranch(readBranches(backlog.forest.value), row.item.key, true)
    else if (row?.hasChildren) selection.step(keysOf(backlog), 1)
  }
  const close = () => {
    if (lift.value) return stepLift(backlog, selection, 'left')
    const row = rowsOf(backlog).find(({ item }) => item.key === current.value)
    if (row?.isOpen) setBranch(readBranches(backlog.forest.value), row.item.key, false)
    else if (row && row.item.parent !== ROOT) selection.focusOn(row.item.parent)
  }
  const enter = () => {
    if (lift.value) return dropLifted(backlog, selection)
    const item = backlog.forest.value?.items.get(current.value ?? '')
    if (item && !item.isNew) goTo(pathOfListed(backlog.product, item))
  }
  const takeBack = () => {
    if (lift.value) return dropLifted(backlog, selection, { takesBack: true })
    selection.clear()
  }
  return [
    { keys: 'ArrowDown', label: texts.keys.next, run: step(1) },
    { keys: 'j', label: texts.keys.next, run: step(1) },
    { keys: 'ArrowUp', label: texts.keys.previous, run: step(-1) },
    { keys: 'k', label: texts.keys.previous, run: step(-1) },
    { keys: 'ArrowRight', label: texts.keys.open, run: open },
    { keys: 'ArrowLeft', label: texts.keys.close, run: close },
    { keys: 'Enter', label: texts.keys.show, run: enter },
    { keys: 'Escape', label: texts.keys.clear, run: takeBack },
  ]
}

/** Keys with Alt and the space bar act on the row with the focus. */
function reactInGrid(event: KeyboardEvent, backlog: Backlog, selection: Selection): void {
  const { target, altKey, key } = event
  const forest = backlog.forest.value
  const item = forest?.items.get(selection.current.value ?? '')
  if (!(target instanceof HTMLTableRowElement) || !forest || !item) return
  if (key === ' ') {
    event.preventDefault()
    if (selection.lift.value) dropLifted(backlog, selection)
    else liftItem(backlog, selection)
    return
  }
  const place: Record<string, () => Place | undefined> = {
    ArrowUp: () => stepPlace(forest, item, -1),
    ArrowDown: () => stepPlace(forest, item, 1),
    ArrowRight: () => indentPlace(forest, item),
    ArrowLeft: () => outdentPlace(forest, item),
  }
  const next = altKey ? place[key]?.() : undefined
  if (!altKey || !place[key]) return
  event.preventDefault()
  if (!next) return
  if (next.parent !== ROOT) setBranch(readBranches(forest), next.parent, true)
  void backlog.move(item, next)
  selection.spoken.value = texts.movedTo(item.key, describePlaceOf(backlog, next))
  selection.focusOn(item.key)
}

const describePlaceOf = ({ forest }: Backlog, { parent, index }: Place): string =>
  texts.place(parent === ROOT ? '' : (forest.value?.items.get(parent)?.summary ?? parent), index + 1)
