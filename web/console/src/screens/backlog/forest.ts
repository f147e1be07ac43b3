export const TYPES = ['epic', 'feature', 'userstory'] as const
export type ItemType = (typeof TYPES)[number]

export interface Item {
  key: string
  id: number
  type: ItemType
  summary: string
  progress: string
  /** Mean of the items below; of an item without children its own. */
  percentage: number
  points: { total: number; done: number }
  score: number
  /** Ids of users. */
  owners: readonly number[]
  tags: readonly string[]
  /** Keys of the versions that hold the item. */
  versions: readonly string[]
  /** The service has not confirmed the item yet. */
  isNew?: boolean
  etag: string
  /** Key of the parent, or `ROOT`. */
  parent: string
}

export const ROOT = ''

/** All items by key, and the keys of the children in their order. */
export interface Forest {
  items: ReadonlyMap<string, Item>
  children: ReadonlyMap<string, readonly string[]>
}

export interface Row {
  item: Item
  /** From 1. */
  level: number
  /** Place among the siblings, from 1. */
  position: number
  siblings: number
  hasChildren: boolean
  isOpen: boolean
}

export const childrenOf = ({ children }: Forest, key: string): readonly string[] => children.get(key) ?? []

/** The rows of the open branches, from top to bottom. */
export function listRows(forest: Forest, isOpen: (key: string) => boolean): Row[] {
  const rows: Row[] = []
  const visit = (parent: string, level: number) => {
    const keys = childrenOf(forest, parent)
    keys.forEach((key, place) => {
      const item = forest.items.get(key)
      if (!item) return
      const hasChildren = childrenOf(forest, key).length > 0
      const opened = hasChildren && isOpen(key)
      rows.push({ item, level, position: place + 1, siblings: keys.length, hasChildren, isOpen: opened })
      if (opened) visit(key, level + 1)
    })
  }
  visit(ROOT, 1)
  return rows
}

export function patchItems(forest: Forest, keys: readonly string[], change: Partial<Item>): Forest {
  const items = new Map(forest.items)
  for (const key of keys) {
    const item = items.get(key)
    if (item) items.set(key, { ...item, ...change })
  }
  return { ...forest, items }
}

/** The keys with everything below. */
export function listBelow(forest: Forest, keys: readonly string[]): string[] {
  return keys.flatMap((key) => [key, ...listBelow(forest, childrenOf(forest, key))])
}

/** Of the keys, those without another of the keys above. */
export function listTopmost(forest: Forest, keys: ReadonlySet<string>): string[] {
  const isBelow = (key: string): boolean => {
    const parent = forest.items.get(key)?.parent ?? ROOT
    return parent !== ROOT && (keys.has(parent) || isBelow(parent))
  }
  return [...keys].filter((key) => forest.items.has(key) && !isBelow(key))
}

export function removeItems(forest: Forest, keys: readonly string[]): Forest {
  const gone = new Set(listBelow(forest, keys))
  const items = new Map([...forest.items].filter(([key]) => !gone.has(key)))
  const children = new Map(
    [...forest.children].map(([key, below]) => [key, below.filter((child) => !gone.has(child))] as const),
  )
  return { items, children }
}

/** Removes the items alone: the items below move to the parent of the removed item. */
export function dissolveItems(forest: Forest, keys: readonly string[]): Forest {
  return keys.reduce((before, key) => {
    const item = before.items.get(key)
    if (!item) return before
    const below = childrenOf(before, key)
    const items = new Map(before.items)
    for (const child of below) {
      const own = items.get(child)
      if (own) items.set(child, { ...own, parent: item.parent })
    }
    items.delete(key)
    const children = new Map(before.children)
    const siblings = childrenOf(before, item.parent).filter((other) => other !== key)
    children.set(item.parent, [...siblings, ...below])
    children.delete(key)
    return { items, children }
  }, forest)
}

/** Keeps the items that pass, with their parents. */
export function filterItems(forest: Forest, passes: (item: Item) => boolean): Forest {
  const kept = new Set<string>()
  for (const item of forest.items.values()) {
    if (!passes(item)) continue
    for (let key = item.key; key !== ROOT && !kept.has(key); key = forest.items.get(key)?.parent ?? ROOT) kept.add(key)
  }
  return removeItems(
    forest,
    [...forest.items.keys()].filter((key) => !kept.has(key)),
  )
}
