import { GroundworkError } from 'groundwork-client'
import { findCollisions } from '../../api/change'
import type { Item } from './forest'
import { CHANGED_STATUS, type ItemChange, isOvertaken, MAX_ATTEMPTS, sendChanges } from './requests'
import { texts } from './texts/texts'

interface ManyOptions {
  product: string
  items: readonly Item[]
  bodyOf: (item: Item) => Record<string, unknown>
  /** Whether the change would take back what somebody else did meanwhile. */
  collides: (base: Item, theirs: Item) => boolean
  /** The item as the service has stored it. */
  storedItem: (key: string) => Item | undefined
  read: () => Promise<void>
}

/**
 * Sends a change of many items, all or none. Changes of other fields by somebody else merge. A change of the same field
 * stops all items once: the next try overwrites it.
 */
export function createManySender({ product, items, bodyOf, collides, storedItem, read }: ManyOptions) {
  let bases = items
  return async (): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const current = bases.map((item) => storedItem(item.key) ?? item)
      const overtaken = bases.filter((base, place) => collides(base, current[place] ?? base))
      bases = current
      if (overtaken.length) throw overtakenError(overtaken)
      try {
        return await sendChanges(product, current, bodyOf)
      } catch (cause) {
        if (attempt === MAX_ATTEMPTS || !isOvertaken(cause)) throw cause
        await read()
      }
    }
  }
}

const overtakenError = (items: readonly Item[]) =>
  new GroundworkError(texts.overtaken(items.map(({ key }) => key).join(', ')), {
    ...{ code: 'precondition_failed', status: CHANGED_STATUS },
  })

const toFields = ({ points, ...item }: Item) => ({ ...item, points: String(points.total) })

/** A change that keeps what the other person did, such as another tag, does not collide. */
export function changesCollide(changeOf: (item: Item) => ItemChange, base: Item, theirs: Item): boolean {
  const [mine, merged] = [changeOf(base), changeOf(theirs)]
  return findCollisions<ItemChange>(mine, toFields(base), toFields(theirs)).some(
    (field) => JSON.stringify(mine[field]) === JSON.stringify(merged[field]),
  )
}
