import type { Forest, Item, ItemType } from '../backlog/forest'
import { PROGRESSES } from '../backlog/progress-badge'

export interface Column {
  progress: string
  items: readonly Item[]
  points: number
}

/** A column for each progress: the usual ones, and those that items of other systems have. */
export function listColumns(forest: Forest, type: ItemType): Column[] {
  const columns = new Map<string, Item[]>(PROGRESSES.map((progress) => [progress, []]))
  for (const item of forest.items.values()) {
    if (item.type !== type) continue
    const column = columns.get(item.progress)
    if (column) column.push(item)
    else columns.set(item.progress, [item])
  }
  const [done, ...open] = [...columns]
    .reverse()
    .sort(([one], [other]) => Number(other === 'done') - Number(one === 'done'))
  return [...open.reverse(), ...(done ? [done] : [])].map(([progress, items]) => ({
    ...{ progress, items },
    points: items.reduce((sum, { points }) => sum + points.total, 0),
  }))
}
