import { childrenOf, type Forest, type Item, type ItemType, ROOT } from './forest'

/** A place below a parent, among the siblings of the same type. */
export interface Place {
  /** Key of the parent, or `ROOT`. */
  parent: string
  /** From 0, without the item itself. */
  index: number
}

const PARENT_TYPES: Readonly<Record<ItemType, readonly ItemType[]>> = {
  epic: [],
  feature: ['epic'],
  userstory: ['epic', 'feature'],
}

export const mayHold = (parent: ItemType | undefined, type: ItemType): boolean =>
  parent === undefined || PARENT_TYPES[type].includes(parent)

/** Keys of the siblings of the type, without the item. */
export const listPeers = (forest: Forest, parent: string, { key, type }: Pick<Item, 'key' | 'type'>): string[] =>
  childrenOf(forest, parent).filter((other) => other !== key && forest.items.get(other)?.type === type)

export function placeOf(forest: Forest, item: Item): Place {
  const peers = childrenOf(forest, item.parent).filter((key) => forest.items.get(key)?.type === item.type)
  return { parent: item.parent, index: peers.indexOf(item.key) }
}

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.parent === other.parent && one.index === other.index

/** The parents that the item can have, from top to bottom; the root is the last. */
export function listParents(forest: Forest, type: ItemType): string[] {
  const found: string[] = []
  const visit = (key: string) => {
    for (const child of childrenOf(forest, key)) {
      const held = forest.items.get(child)?.type
      if (held === undefined || held === 'userstory' || forest.items.get(child)?.isNew) continue
      if (mayHold(held, type)) found.push(child)
      visit(child)
    }
  }
  visit(ROOT)
  return [...found, ROOT]
}

/** Every place that the item can have, from top to bottom. */
export const listPlaces = (forest: Forest, item: Item): Place[] =>
  listParents(forest, item.type).flatMap((parent) =>
    Array.from({ length: listPeers(forest, parent, item).length + 1 }, (_, index) => ({ parent, index })),
  )

/** The tree with the item in another place. Features stand above stories, as in the answers of the service. */
export function moveItem(forest: Forest, key: string, { parent, index }: Place): Forest {
  const item = forest.items.get(key)
  if (!item) return forest
  const children = new Map(forest.children)
  children.set(
    item.parent,
    childrenOf(forest, item.parent).filter((other) => other !== key),
  )
  const before = children.get(parent) ?? []
  const peers = listPeers(forest, parent, item)
  const next = peers[index]
  const last = peers.at(-1)
  const at =
    next !== undefined
      ? before.indexOf(next)
      : last !== undefined
        ? before.indexOf(last) + 1
        : endOfTypes(forest, before, item)
  children.set(parent, before.toSpliced(at, 0, key))
  return { items: new Map(forest.items).set(key, { ...item, parent }), children }
}

/** The tree with another item, at the end of the items of its type. */
export function addItem(forest: Forest, item: Item): Forest {
  const items = new Map(forest.items).set(item.key, item)
  return moveItem({ ...forest, items }, item.key, { parent: item.parent, index: items.size })
}

/** Where the first item of a type goes. */
function endOfTypes(forest: Forest, keys: readonly string[], { type }: Item): number {
  const order: Readonly<Record<ItemType, number>> = { epic: 0, feature: 1, userstory: 2 }
  const later = keys.findIndex((key) => order[forest.items.get(key)?.type ?? 'userstory'] > order[type])
  return later < 0 ? keys.length : later
}

export interface MoveBody {
  afterKey?: string
  beforeKey?: string
  parentKey?: string | null
}

/** The body of the move, or undefined if the item is there already. */
export function toMoveBody(forest: Forest, item: Item, place: Place): MoveBody | undefined {
  if (isSamePlace(placeOf(forest, item), place)) return undefined
  const peers = listPeers(forest, place.parent, item)
  const afterKey = peers[place.index - 1]
  const beforeKey = peers[place.index]
  return {
    ...(place.parent !== item.parent && { parentKey: place.parent === ROOT ? null : place.parent }),
    ...(afterKey !== undefined ? { afterKey } : beforeKey !== undefined ? { beforeKey } : {}),
  }
}

/** One step up or down among the siblings of the type. */
export function stepPlace(forest: Forest, item: Item, step: 1 | -1): Place | undefined {
  const { parent, index } = placeOf(forest, item)
  const next = index + step
  return next < 0 || next > listPeers(forest, parent, item).length ? undefined : { parent, index: next }
}

/** At the end of the nearest item above that can hold the item. */
export function indentPlace(forest: Forest, item: Item): Place | undefined {
  const siblings = childrenOf(forest, item.parent)
  const above = siblings
    .slice(0, siblings.indexOf(item.key))
    .findLast((key) => mayHold(forest.items.get(key)?.type, item.type))
  return above === undefined ? undefined : { parent: above, index: listPeers(forest, above, item).length }
}

/** Out of the parent, to the end of the items of the type. */
export function outdentPlace(forest: Forest, item: Item): Place | undefined {
  const parent = forest.items.get(item.parent)?.parent
  if (parent === undefined) return undefined
  return { parent, index: listPeers(forest, parent, item).length }
}
