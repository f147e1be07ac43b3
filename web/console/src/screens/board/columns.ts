import { type Forest, type Item, type ItemType, listRows, patchItems, ROOT } from '../backlog/forest'
import { listPeers, moveItem, type Place } from '../backlog/places'
import { labelOfProgress, PROGRESSES } from '../backlog/progress-badge'
import { texts } from '../backlog/texts/texts'

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
  /** Parent of the lane; undefined without lanes. */
  parent: string | undefined
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

const listInOrder = (forest: Forest, type: ItemType): Item[] =>
  listRows(forest, () => true).flatMap(({ item }) => (item.type === type ? [item] : []))

/** A lane for each parent in the order of the tree, or a single lane. Each lane has the same columns. */
export function listLanes(forest: Forest, type: ItemType, isGrouped: boolean): Lane[] {
  const items = listInOrder(forest, type)
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
    ...{ parent, id: `${parent ?? 'all'} ${progress}`.replace(/\W/g, '-'), progress, items },
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

/** What a drop changes. */
export interface CardMove {
  progress: string
  /** Undefined if the card keeps its place in the tree. */
  place: Place | undefined
}

/** Another lane is another parent. */
export function findMove(forest: Forest, item: Item, { progress, parent }: Column, beside?: Beside): CardMove {
  if (parent !== undefined && parent !== item.parent)
    return { progress, place: { parent, index: listPeers(forest, parent, item).length } }
  return { progress, place: beside && placeBeside(forest, item, beside.key, beside.edge) }
}

interface Landing {
  /** Place among the other cards of the column, from 0. */
  index: number
  /** Cards of the column after the move. */
  count: number
}

/** Where the card stands after the drop: the cards of a column have the order of the tree. */
export function findLanding(forest: Forest, item: Item, column: Column, beside?: Beside): Landing {
  const { progress, place } = findMove(forest, item, column, beside)
  const moved = place ? moveItem(forest, item.key, place) : forest
  const cards = listInOrder(patchItems(moved, [item.key], { progress }), item.type).filter(
    (card) => card.progress === progress && (column.parent === undefined || card.parent === column.parent),
  )
  return { index: cards.findIndex(({ key }) => key === item.key), count: cards.length }
}

/** For the note and the live region. */
export function describeLanding(forest: Forest, item: Item, column: Column, beside?: Beside): string {
  const { index, count } = findLanding(forest, item, column, beside)
  return texts.columnPlace(labelOfProgress(column.progress), index + 1, count)
}
