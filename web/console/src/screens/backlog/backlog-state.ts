import { signal } from '@preact/signals'
import type { Conflict } from '../../api/change'
import { findCollisions } from '../../api/change'
import { createOptimistic } from '../../api/optimistic'
import { showToast } from '../../state/toast'
import { type Filters, isFiltered, NO_FILTERS } from './filters'
import { dissolveItems, type Forest, type Item, listBelow, listTopmost, patchItems, ROOT, removeItems } from './forest'
import { pathOfItem } from './paths'
import { addItem, moveItem, type Place, toMoveBody } from './places'
import {
  bodyOfChange,
  type ItemChange,
  isOvertaken,
  MAX_ATTEMPTS,
  type NewItem,
  readFields,
  readForest,
  type StoredFields,
  sendChange,
  sendMove,
  sendNewItem,
  sendRemoval,
  sendRestore,
  sendVersion,
  toPatch,
} from './requests'
import { changesCollide, createManySender } from './send-many'
import { texts } from './texts/texts'

const RESOURCES: readonly string[] = ['epic', 'feature', 'userstory', 'solution_version']

interface Removal {
  /** The items below move up. Otherwise they go too. */
  keepsBelow?: boolean
  whole?: Forest | undefined
}

export interface ItemConflict extends Conflict<ItemChange> {
  item: Item
  /** ETag of the change of the other person. */
  mark: string
}

interface VersionName {
  key: string
  name: string
}

/** The tree of a product with the changes of this page on top. */
export function createBacklog(product: string, filters: Filters) {
  let createdCount = 0
  const conflict = signal<ItemConflict | undefined>(undefined)
  const {
    stored,
    shown: forest,
    pending,
    sending,
    error,
    failure,
    read,
    run,
    follow,
  } = createOptimistic<Forest>({
    load: (closing) => readForest(product, filters, closing),
    resources: RESOURCES,
  })

  const storedItem = (key: string) => stored.value?.items.get(key)

  const patchStored = (key: string, change: Partial<Item>) => {
    if (stored.value) stored.value = patchItems(stored.value, [key], change)
  }

  /** Answers false if the person has to choose. */
  async function sendEdit(item: Item, change: ItemChange): Promise<boolean> {
    let base: ItemChange = { ...item, points: String(item.points.total) }
    let { etag } = storedItem(item.key) ?? item
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        const next = await sendChange(product, { ...item, etag }, change)
        patchStored(item.key, { ...toPatch(item, change), etag: next })
        return true
      } catch (cause) {
        if (!isOvertaken(cause)) throw cause
        const theirs = await readFields(product, item.key)
        const fields = findCollisions(change, base, theirs)
        patchStored(item.key, toPatch(item, theirs))
        if (fields.length) {
          ask(item, fields, change, theirs)
          return false
        }
        base = { ...base, ...theirs }
        etag = theirs.etag
      }
    }
    return false
  }

  function ask(item: Item, fields: (keyof ItemChange)[], mine: ItemChange, theirs: StoredFields): void {
    const close = () => {
      conflict.value = undefined
    }
    conflict.value = {
      ...{ item, fields, mine, theirs, takeTheirs: close, mark: theirs.etag },
      keepMine() {
        close()
        edit(storedItem(item.key) ?? item, mine)
      },
    }
  }

  const edit = (item: Item, change: ItemChange, onStored?: () => void) =>
    run(
      texts.failed.change(item.key),
      (shown) => patchItems(shown, [item.key], toPatch(item, change)),
      async () => {
        if (await sendEdit(item, change)) onStored?.()
      },
      [item.key],
    )

  const editMany = (items: readonly Item[], changeOf: (item: Item) => ItemChange, onStored?: () => void) => {
    const [only] = items
    if (only && items.length === 1) return edit(only, changeOf(only), onStored)
    const apply = (shown: Forest) =>
      items.reduce((done, item) => patchItems(done, [item.key], toPatch(item, changeOf(item))), shown)
    const collides = (base: Item, theirs: Item) => changesCollide(changeOf, base, theirs)
    const send = createManySender({ product, items, bodyOf: bodyOfChange(changeOf), collides, storedItem, read })
    return run(texts.failed.changes(items.length), apply, () => send().then(onStored), keysOf(items))
  }

  function move(item: Item, place: Place, onStored?: () => void): Promise<void> | undefined {
    const body = forest.value && !item.isNew && toMoveBody(forest.value, item, place)
    if (!body) return undefined
    return run(
      texts.failed.move(item.key),
      (shown) => moveItem(shown, item.key, place),
      () => sendMove(product, item.key, body).then(onStored),
      [item.key],
    )
  }

  /** Puts items below another item, or below none. */
  function moveMany(items: readonly Item[], parent: Item | undefined): Promise<void> {
    const id = parent?.id ?? 0
    const bodyOf = ({ type }: Item) =>
      type === 'feature' || parent?.type === 'epic'
        ? { epicId: id, ...(type === 'userstory' && { featureId: 0 }) }
        : parent
          ? { featureId: id }
          : { featureId: 0, epicId: 0 }
    const apply = (shown: Forest) =>
      items.reduce((done, { key }) => moveItem(done, key, { parent: parent?.key ?? '', index: done.items.size }), shown)
    const collides = (base: Item, theirs: Item) => base.parent !== theirs.parent
    const send = createManySender({ product, items, bodyOf, collides, storedItem, read })
    return run(texts.failed.changes(items.length), apply, send, keysOf(items))
  }

  /** The tree without filters, which the items below an item need. */
  const readWhole = async (): Promise<Forest | undefined> =>
    isFiltered(filters) ? readForest(product, NO_FILTERS) : forest.value

  function remove(keys: readonly string[], { keepsBelow = false, whole = forest.value }: Removal = {}): Promise<void> {
    if (!whole) return Promise.resolve()
    const topmost = listTopmost(whole, new Set(keys))
    const items = (keepsBelow ? keys : topmost).flatMap((key) => {
      const item = whole.items.get(key)
      return item && !item.isNew ? [item] : []
    })
    if (!items.length) return Promise.resolve()
    const count = keepsBelow ? items.length : listBelow(whole, keysOf(items)).length
    const [only] = items
    const removed: Item[] = []
    // The page may show another screen by then.
    const restore = async () => {
      for (const item of removed.toReversed()) await sendRestore(product, item)
      await read()
    }
    return run(
      only && items.length === 1 ? texts.failed.remove(only.key) : texts.failed.changes(items.length),
      (now) => (keepsBelow ? dissolveItems(now, keys) : removeItems(now, keys)),
      async () => {
        for (const item of items) {
          await sendRemoval(product, item, keepsBelow)
          removed.push(item)
        }
        showToast(only && count === 1 ? texts.removed(only.key) : texts.removedMany(count), restore)
      },
    )
  }

  /** Shows the item at once below a key of this page. Answers the key of the service, if the service has stored it. */
  function create(item: NewItem): { shownAs: string; stored: Promise<string | undefined> } {
    const shownAs = `new-${++createdCount}`
    let key: string | undefined
    const planned = toPlannedItem(item, shownAs)
    const done = run(
      texts.failed.create,
      (shown) => (shown.items.has(key ?? '') ? shown : addItem(shown, planned)),
      async () => {
        key ??= await sendNewItem(product, item)
        showToast(texts.created(key), undefined, { text: texts.openItem, path: pathOfItem(product, { key }) })
      },
      [shownAs],
    )
    return { shownAs, stored: done.then(() => key) }
  }

  /** The toast takes back what has changed: an item that was in the version stays. */
  const putIntoVersion = (asked: readonly string[], version: VersionName, adds: boolean): Promise<void> => {
    const keys = asked.filter((key) => forest.value?.items.get(key)?.versions.includes(version.key) !== adds)
    if (!keys.length) return Promise.resolve()
    const apply = (shown: Forest) =>
      keys.reduce((done, key) => {
        const others = (done.items.get(key)?.versions ?? []).filter((other) => other !== version.key)
        return patchItems(done, [key], { versions: adds ? [...others, version.key] : others })
      }, shown)
    return run(
      texts.failed.changes(keys.length),
      apply,
      async () => {
        await sendVersion(product, version.key, keys, adds)
        const text = adds ? texts.addedToVersion(keys, version.name) : texts.leftVersion(keys, version.name)
        showToast(text, () => putIntoVersion(keys, version, !adds), {
          text: texts.openVersion,
          path: `/versions?${new URLSearchParams({ product, version: version.key })}`,
        })
      },
      keys,
    )
  }

  return {
    ...{ product, forest, error, failure, conflict, pending, sending, read, follow },
    ...{ edit, editMany, move, moveMany, readWhole, remove, create, putIntoVersion },
  }
}

const keysOf = (items: readonly Item[]): string[] => items.map(({ key }) => key)

const toPlannedItem = ({ type, summary, parent }: NewItem, key: string): Item => ({
  ...{ key, type, summary, id: 0, progress: 'to-do', percentage: 0, points: { total: 0, done: 0 }, score: 0 },
  ...{ owners: [], tags: [], versions: [], etag: '', parent: parent?.key ?? ROOT, isNew: true },
})

export type Backlog = ReturnType<typeof createBacklog>
