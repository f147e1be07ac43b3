import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Carrying } from '../../parts/drag'
import { useKeys } from '../../state/keys'
import type { Backlog } from '../backlog/backlog-state'
import { labelOfProgress } from '../backlog/progress-badge'
import type { Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { listWriteKeys } from '../backlog/write-keys'
import type { Column } from './columns'

interface BoardKeyOptions {
  backlog: Backlog
  selection: Selection
  carrying: Carrying<string>
  columns: readonly Column[]
  mayChange: boolean
}

/** The keys of the board. Answers the listener for the keys of the card with the focus. */
export function useBoardKeys(options: BoardKeyOptions): (event: KeyboardEvent) => void {
  const { backlog, selection, carrying, mayChange } = options
  const latest = useRef(options)
  latest.current = options
  useKeys(
    useMemo(() => {
      const board = createBoardActions(() => latest.current)
      return [
        { keys: 'ArrowDown', label: texts.keys.next, run: () => board.step(1) },
        { keys: 'j', label: texts.keys.next, run: () => board.step(1) },
        { keys: 'ArrowUp', label: texts.keys.previous, run: () => board.step(-1) },
        { keys: 'k', label: texts.keys.previous, run: () => board.step(-1) },
        { keys: 'ArrowRight', label: texts.keys.nextColumn, run: () => board.turn(1) },
        { keys: 'ArrowLeft', label: texts.keys.previousColumn, run: () => board.turn(-1) },
        { keys: 'Escape', label: texts.keys.clear, run: board.takeBack },
        ...(mayChange ? listWriteKeys(backlog, selection, board.listColumnKeys) : []).map((binding) =>
          // A card changes its column instead of its parent.
          binding.keys === 'm' ? { ...binding, run: board.choose } : binding,
        ),
      ]
    }, [backlog, selection, carrying, mayChange]),
  )
  const asked = selection.focusAsked.value
  useLayoutEffect(() => {
    if (asked) document.getElementById(`card-${selection.current.value}`)?.focus()
  }, [asked, options.columns])
  return (event) => {
    const isOnCard = event.target instanceof HTMLAnchorElement && event.target.id.startsWith('card-')
    if (!mayChange || !isOnCard || event.defaultPrevented) return
    const isDrop = event.key === 'Enter' && carrying.carried.value !== undefined
    if (event.key !== ' ' && !isDrop) return
    event.preventDefault()
    const board = createBoardActions(() => latest.current)
    if (carrying.carried.value === undefined) board.lift()
    else board.drop()
  }
}

function createBoardActions(read: () => BoardKeyOptions) {
  const findColumn = () => {
    const { columns, selection } = read()
    return columns.findIndex(({ items }) => items.some(({ key }) => key === selection.current.value))
  }
  const listColumnKeys = (): string[] => {
    const { columns } = read()
    return (columns[findColumn()] ?? columns.find(({ items }) => items.length))?.items.map(({ key }) => key) ?? []
  }
  const currentItem = () => {
    const { backlog, selection } = read()
    return backlog.forest.value?.items.get(selection.current.value ?? '')
  }

  function turn(by: 1 | -1): void {
    const { columns, selection, carrying } = read()
    if (carrying.carried.value !== undefined) {
      const at = columns.findIndex(({ progress }) => progress === carrying.target.value)
      const next = columns[at + by]
      if (!next) return
      carrying.target.value = next.progress
      selection.spoken.value = texts.moving(carrying.carried.value, labelOfProgress(next.progress))
      return
    }
    const at = findColumn()
    const place = Math.max(0, listColumnKeys().indexOf(selection.current.value ?? ''))
    for (let n = at + by; n >= 0 && n < columns.length; n += by) {
      const items = columns[n]?.items ?? []
      const item = items[Math.min(place, items.length - 1)]
      if (!item) continue
      selection.focusOn(item.key)
      return
    }
  }

  function lift(): void {
    const { selection, carrying } = read()
    const item = currentItem()
    if (!item) return
    carrying.carried.value = item.key
    carrying.target.value = item.progress
    selection.spoken.value = texts.liftedCard(item.key, labelOfProgress(item.progress))
  }

  function drop(): void {
    const { backlog, selection, carrying } = read()
    const item = currentItem()
    const progress = carrying.target.value
    carrying.end()
    if (!item || progress === undefined) return
    selection.spoken.value = texts.movedTo(item.key, labelOfProgress(progress))
    if (progress !== item.progress) void backlog.edit(item, { progress })
    selection.focusOn(item.key)
  }

  return {
    ...{ listColumnKeys, turn, lift, drop },
    step: (by: 1 | -1) => {
      const { selection, carrying } = read()
      if (carrying.carried.value === undefined) selection.step(listColumnKeys(), by)
    },
    choose() {
      const { selection } = read()
      if (selection.targets().length) selection.chooser.value = 'progress'
    },
    takeBack() {
      const { selection, carrying } = read()
      const key = carrying.carried.value
      carrying.end()
      if (key === undefined) selection.clear()
      else selection.spoken.value = texts.takenBack(key)
    },
  }
}
