import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Carrying } from '../../parts/drag'
import { useKeys } from '../../state/keys'
import type { Backlog } from '../backlog/backlog-state'
import type { Item } from '../backlog/forest'
import { labelOfProgress } from '../backlog/progress-badge'
import type { Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { listWriteKeys } from '../backlog/write-keys'
import { type BoardPlace, describeLanding, type Lane, placeBeside } from './columns'
import { moveCards } from './move-cards'

/** The listener of the cards acts on these. */
const CARD_KEYS = [
  { keys: 'Space', label: texts.keys.liftCard },
  { keys: 'Enter', label: texts.keys.dropCard },
  { keys: 'alt+ArrowUp', label: texts.keys.reorderCard },
  { keys: 'alt+ArrowDown', label: texts.keys.reorderCard },
]

interface BoardKeyOptions {
  backlog: Backlog
  selection: Selection
  carrying: Carrying<BoardPlace>
  lanes: readonly Lane[]
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
        ...(mayChange ? CARD_KEYS : []),
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
  }, [asked, options.lanes])
  return (event) => {
    const isOnCard = event.target instanceof HTMLAnchorElement && event.target.id.startsWith('card-')
    if (!mayChange || !isOnCard || event.defaultPrevented) return
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (event.altKey && step) {
      event.preventDefault()
      return createBoardActions(() => latest.current).reorder(step)
    }
    const isDrop = event.key === 'Enter' && carrying.carried.value !== undefined
    if (event.key !== ' ' && !isDrop) return
    event.preventDefault()
    const board = createBoardActions(() => latest.current)
    if (carrying.carried.value === undefined) board.lift()
    else board.drop()
  }
}

function createBoardActions(read: () => BoardKeyOptions) {
  const holdsCurrent = (items: readonly Item[]) => items.some(({ key }) => key === read().selection.current.value)
  const findLane = (): Lane | undefined => {
    const { lanes } = read()
    return lanes.find(({ columns }) => columns.some(({ items }) => holdsCurrent(items))) ?? lanes[0]
  }
  /** The cards of one progress, through all lanes. */
  const listColumnKeys = (): string[] => {
    const { lanes } = read()
    const columns = findLane()?.columns ?? []
    const column = columns.find(({ items }) => holdsCurrent(items)) ?? columns.find(({ items }) => items.length)
    return lanes
      .flatMap((lane) => lane.columns.filter(({ progress }) => progress === column?.progress))
      .flatMap(({ items }) => items.map(({ key }) => key))
  }
  const currentItem = () => {
    const { backlog, selection } = read()
    return backlog.forest.value?.items.get(selection.current.value ?? '')
  }

  function turn(by: 1 | -1): void {
    const { selection, carrying } = read()
    const columns = findLane()?.columns ?? []
    if (carrying.carried.value !== undefined) {
      const next = columns[columns.findIndex(({ id }) => id === carrying.target.value?.column) + by]
      if (!next) return
      carrying.target.value = { column: next.id }
      const { forest } = read().backlog
      const item = forest.value?.items.get(carrying.carried.value)
      if (forest.value && item)
        selection.spoken.value = texts.moving(item.key, describeLanding(forest.value, item, next))
      return
    }
    const at = columns.findIndex(({ items }) => holdsCurrent(items))
    const place = Math.max(0, columns[at]?.items.findIndex(({ key }) => key === selection.current.value) ?? 0)
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
    const column = findLane()?.columns.find(({ items }) => holdsCurrent(items))
    carrying.target.value = column && { column: column.id }
    selection.spoken.value = texts.liftedCard(item.key, labelOfProgress(item.progress))
  }

  function drop(): void {
    const { backlog, selection, carrying } = read()
    const item = currentItem()
    const column = findLane()?.columns.find(({ id }) => id === carrying.target.value?.column)
    const forest = backlog.forest.value
    carrying.end()
    if (!item || !column || !forest) return
    selection.spoken.value = texts.movedTo(item.key, describeLanding(forest, item, column))
    moveCards(backlog, [item], { progress: column.progress, place: undefined })
    selection.focusOn(item.key)
  }

  /** Before or after the next card of the column that has the same parent. */
  function reorder(by: number): void {
    const { backlog, selection } = read()
    const forest = backlog.forest.value
    const item = currentItem()
    const column = findLane()?.columns.find(({ items }) => holdsCurrent(items))
    if (!forest || !item || !column) return
    const cards = column.items.filter(({ parent }) => parent === item.parent)
    const next = cards[cards.indexOf(item) + by]
    const place = next && placeBeside(forest, item, next.key, by < 0 ? 'before' : 'after')
    if (!place) return
    moveCards(backlog, [item], { progress: item.progress, place })
    selection.spoken.value = texts.movedTo(item.key, texts[by < 0 ? 'before' : 'after'](next.summary))
    selection.focusOn(item.key)
  }

  return {
    ...{ listColumnKeys, turn, lift, drop, reorder },
    step: (by: 1 | -1) => {
      const { selection, carrying } = read()
      if (carrying.carried.value === undefined) selection.step(listColumnKeys(), by)
    },
    choose() {
      const { selection } = read()
      if (selection.targets().length) selection.chooser.value = 'column'
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
