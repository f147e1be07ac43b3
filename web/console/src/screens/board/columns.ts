import { type Forest, type Item, type ItemType, ROOT } from '../backlog/forest'
import { listPeers, type Place } from '../backlog/places'
import { PROGRESSES } from '../backlog/progress-badge'

export interface Beside {
  key: string
  edge: 'before' | 'after'
}

/** Where a carried card would go: a column, and the card of the same parent that it would stand beside. */
export interface BoardPlace {
  column: string
  beside?: Beside | undefined
}

export interface Column {
  /** Names the column among the columns of all lanes. */
  id: string
  progress: string
  items: readonly Item[]
  points: number
}

/** The columns of the items below one parent, or of all items. */
export interface Lane {
  /** Key of the parent, `ROOT` for items without a parent, undefined without lanes. */
  parent: string | undefined
  columns: readonly Column[]
  count: number
}

/** A lane for each parent in the order of the tree, or a single lane. Each lane has the same columns. */
export function listLanes(forest: Forest, type: ItemType, isGrouped: boolean): Lane[] {
  const items = [...forest.items.values()].filter((item) => item.type === type)
  const progresses = listProgresses(items)
  const toLane = (parent: string | undefined, own: readonly Item[]): Lane => ({
    ...{ parent, count: own.length },
    columns: progresses.map((progress) => toColumn(parent, progress, own)),
  })
  if (!isGrouped) return [toLane(undefined, items)]
  const byParent = Map.groupBy(items, ({ parent }) => parent)
  const without = byParent.get(ROOT)
  byParent.delete(ROOT)
  return [...[...byParent].map(([parent, own]) => toLane(parent, own)), ...(without ? [toLane(ROOT, without)] : [])]
}

/** The usual ones, those that items of other systems have, then "done". */
function listProgresses(items: readonly Item[]): string[] {
  const all = new Set<string>([...PROGRESSES, ...items.map(({ progress }) => progress)])
  return [...[...all].filter((progress) => progress !== 'done'), 'done']
}

function toColumn(parent: string | undefined, progress: string, own: readonly Item[]): Column {
  const items = own.filter((item) => item.progress === progress)
  return {
    ...{ id: `${parent ?? 'all'} ${progress}`.replace(/\W/g, '-'), progress, items },
    points: items.reduce((sum, { points }) => sum + points.total, 0),
  }
}

/** The place directly before or after another card. Only cards of one parent have an order. */
export function placeBeside(forest: Forest, item: Item, key: string, edge: 'before' | 'after'): Place | undefined {
  const at = listPeers(forest, item.parent, item).indexOf(key)
  return at < 0 ? undefined : { parent: item.parent, index: at + (edge === 'after' ? 1 : 0) }
}

/** The cards of the column that share the parent of the item, without the item. */
export const listSiblings = ({ items }: Column, { key, parent }: Item): Item[] =>
  items.filter((other) => other.key !== key && other.parent === parent)
