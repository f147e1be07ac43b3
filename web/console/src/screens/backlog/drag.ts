import { dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Backlog } from './backlog-state'
import type { Forest, Item } from './forest'
import { moveWithUndo } from './move-with-undo'
import { listPeers, mayHold, type Place, placeOf } from './places'
import type { Selection } from './selection'

export type Edge = 'before' | 'after' | 'into'

interface Drop {
  carried: string
  /** The row below the pointer. */
  key: string
  edge: Edge
}

/** Parts of the height of a row, from its top. */
const BEFORE_PART = 0.3
const AFTER_PART = 0.7

/** The place that a row and its edge stand for, if the item may go there. */
export function placeAt(forest: Forest, carried: Item, target: Item, edge: Edge): Place | undefined {
  if (carried.key === target.key) return undefined
  if (edge === 'into') {
    if (!mayHold(target.type, carried.type)) return undefined
    return { parent: target.key, index: listPeers(forest, target.key, carried).length }
  }
  if (!mayHold(forest.items.get(target.parent)?.type, carried.type)) return undefined
  const peers = listPeers(forest, target.parent, carried)
  if (target.type !== carried.type)
    return { parent: target.parent, index: target.type === 'userstory' ? peers.length : 0 }
  return { parent: target.parent, index: peers.indexOf(target.key) + (edge === 'after' ? 1 : 0) }
}

function edgeAt(row: HTMLElement, y: number, holds: boolean): Edge {
  const { top, height } = row.getBoundingClientRect()
  const part = (y - top) / height
  if (!holds) return part < 0.5 ? 'before' : 'after'
  return part < BEFORE_PART ? 'before' : part > AFTER_PART ? 'after' : 'into'
}

interface DropTargetOptions {
  grid: RefObject<HTMLElement | null>
  backlog: Backlog
  selection: Selection
  mayChange: boolean
}

/** Shows where a dragged row would go, and moves it there. */
export function useDropTarget({ grid, backlog, mayChange }: DropTargetOptions): Drop | undefined {
  const [drop, setDrop] = useState<Drop>()
  useEffect(() => {
    const element = grid.current
    if (!element || !mayChange) return
    const find = (carried: unknown, x: number, y: number) => {
      const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('tr[data-key]')
      const forest = backlog.forest.value
      const item = forest?.items.get(String(carried))
      const target = forest?.items.get(row?.dataset.key ?? '')
      if (!row || !forest || !item || !target) return undefined
      const edge = edgeAt(row, y, mayHold(target.type, item.type))
      const place = placeAt(forest, item, target, edge)
      return place && { drop: { carried: item.key, key: target.key, edge }, item, place, forest }
    }
    const stopTarget = dropTargetForElements({
      element,
      onDrag({ source, location }) {
        const { clientX, clientY } = location.current.input
        const found = find(source.data.key, clientX, clientY)?.drop
        setDrop((before) =>
          before?.key === found?.key && before?.edge === found?.edge
            ? before
            : (found ?? { carried: String(source.data.key), key: '', edge: 'into' }),
        )
      },
      onDrop({ source, location }) {
        const { clientX, clientY } = location.current.input
        const found = find(source.data.key, clientX, clientY)
        if (found && JSON.stringify(placeOf(found.forest, found.item)) !== JSON.stringify(found.place))
          moveWithUndo(backlog, found.item, found.place)
      },
    })
    const stopMonitor = monitorForElements({ onDrop: () => setDrop(undefined) })
    return () => {
      stopTarget()
      stopMonitor()
    }
  }, [backlog, mayChange])
  return drop
}
