import { batch, computed, signal } from '@preact/signals'
import { GroundworkError } from 'groundwork-client'
import type { Conflict } from '../../api/change'
import { findCollisions } from '../../api/change'
import { listenToChanges } from '../../api/live'
import { showToast } from '../../state/toast'
import type { Filters } from './filters'
import { type Forest, type Item, listBelow, listTopmost, patchItems, removeItems } from './forest'
import { moveItem, type Place, toMoveBody } from './places'
import {
  bodyOfChange,
  type ItemChange,
  type NewItem,
  readFields,
  readForest,
  sendChange,
  sendChanges,
  sendMove,
  sendNewItem,
  sendRemoval,
  sendRestore,
  sendVersion,
  toPatch,
} from './requests'
import { texts } from './texts/texts'

const PAUSE_MS = 500
const CHANGED_STATUS = 412
const MAX_ATTEMPTS = 3
const RESOURCES: readonly string[] = ['epic', 'feature', 'userstory', 'solution_version']

/** A change that is shown, and that the service has not confirmed yet. */
interface Pending {
  apply: (forest: Forest) => Forest
}

export interface ItemConflict extends Conflict<ItemChange> {
  item: Item
}

interface Failed {
  title: string
  error: unknown
  retry: () => void
}

/** The tree of a product with the changes of this page on top. */
export function createBacklog(product: string, filters: Filters) {
  const stored = signal<Forest | undefined>(undefined)
  const pending = signal<readonly Pending[]>([])
  const error = signal<unknown>(undefined)
  const failure = signal<Failed | undefined>(undefined)
  const conflict = signal<ItemConflict | undefined>(undefined)
  const forest = computed(() => stored.value && pending.value.reduce((shown, { apply }) => apply(shown), stored.value))
  const closing = new AbortController()
  let reads = 0

  async function read(): Promise<void> {
    const own = ++reads
    try {
      const found = await readForest(product, filters, closing.signal)
      if (own !== reads) return
      batch(() => {
        stored.value = found
        error.value = undefined
      })
    } catch (cause) {
      if (!closing.signal.aborted && own === reads) error.value = cause
    }
  }

  let queue = Promise.resolve()
  /** Shows the change at once, sends it after the changes before, and reads the tree again. */
  function run(title: string, apply: Pending['apply'], send: () => Promise<unknown>): Promise<void> {
    const change = { apply }
    pending.value = [...pending.value, change]
    failure.value = undefined
    queue = queue.then(async () => {
      try {
        await send()
        await read()
      } catch (cause) {
        failure.value = { title, error: cause, retry: () => void run(title, apply, send) }
      } finally {
        pending.value = pending.value.filter((other) => other !== change)
      }
    })
    return queue
  }

  const storedItem = (key: string) => stored.value?.items.get(key)

  const patchStored = (key: string, change: Partial<Item>) => {
    if (stored.value) stored.value = patchItems(stored.value, [key], change)
  }

  async function sendEdit(item: Item, change: ItemChange): Promise<void> {
    let base: ItemChange = { ...item, points: String(item.points.total) }
    let { etag } = storedItem(item.key) ?? item
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        const next = await sendChange(product, { ...item, etag }, change)
        return patchStored(item.key, { ...toPatch(item, change), etag: next })
      } catch (cause) {
        if (!(cause instanceof GroundworkError) || cause.status !== CHANGED_STATUS) throw cause
        const theirs = await readFields(product, item.key)
        const fields = findCollisions(change, base, theirs)
        patchStored(item.key, toPatch(item, theirs))
        if (fields.length) return ask(item, fields, change, theirs)
        base = { ...base, ...theirs }
        etag = theirs.etag
      }
    }
  }

  function ask(item: Item, fields: (keyof ItemChange)[], mine: ItemChange, theirs: ItemChange): void {
    const close = () => {
      conflict.value = undefined
    }
    conflict.value = {
      ...{ item, fields, mine, theirs, takeTheirs: close },
      keepMine() {
        close()
        edit(storedItem(item.key) ?? item, mine)
      },
    }
  }

  const edit = (item: Item, change: ItemChange) =>
    run(
      texts.failed.change(item.key),
      (shown) => patchItems(shown, [item.key], toPatch(item, change)),
      () => sendEdit(item, change),
    )

  const editMany = (items: readonly Item[], changeOf: (item: Item) => ItemChange) => {
    const [only] = items
    if (only && items.length === 1) return edit(only, changeOf(only))
    const apply = (shown: Forest) =>
      items.reduce((done, item) => patchItems(done, [item.key], toPatch(item, changeOf(item))), shown)
    return run(texts.failed.changes(items.length), apply, () => sendChanges(product, items, bodyOfChange(changeOf)))
  }

  function move(item: Item, place: Place): Promise<void> | undefined {
    const body = forest.value && toMoveBody(forest.value, item, place)
    if (!body) return undefined
    return run(
      texts.failed.move(item.key),
      (shown) => moveItem(shown, item.key, place),
      () => sendMove(product, item.key, body),
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
    return run(texts.failed.changes(items.length), apply, () => sendChanges(product, items, bodyOf))
  }

  function remove(keys: readonly string[]): Promise<void> {
    const shown = forest.value
    if (!shown) return Promise.resolve()
    const items = listTopmost(shown, new Set(keys)).flatMap((key) => shown.items.get(key) ?? [])
    const count = listBelow(
      shown,
      items.map(({ key }) => key),
    ).length
    const [only] = items
    const removed: Item[] = []
    const restore = () =>
      run(
        texts.failed.restore,
        (now) => now,
        async () => {
          for (const item of removed) await sendRestore(product, item)
        },
      )
    return run(
      only && items.length === 1 ? texts.failed.remove(only.key) : texts.failed.changes(items.length),
      (now) => removeItems(now, keys),
      async () => {
        for (const item of items) {
          await sendRemoval(product, item)
          removed.push(item)
        }
        showToast(only && count === 1 ? texts.removed(only.key) : texts.removedMany(count), () => void restore())
      },
    )
  }

  async function create(item: NewItem): Promise<string> {
    const key = await sendNewItem(product, item)
    await read()
    return key
  }

  const putIntoVersion = (keys: readonly string[], version: string, adds: boolean) =>
    run(
      texts.failed.changes(keys.length),
      (shown) => shown,
      () => sendVersion(product, version, keys, adds),
    )

  /** Reads again after changes of somebody else. */
  function follow(): () => void {
    let timer: number | undefined
    const stop = listenToChanges(({ resource }) => {
      if (!RESOURCES.includes(resource)) return
      clearTimeout(timer)
      timer = window.setTimeout(() => pending.value.length || void read(), PAUSE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
      closing.abort()
    }
  }

  return {
    ...{ product, forest, error, failure, conflict, pending, read, follow },
    ...{ edit, editMany, move, moveMany, remove, create, putIntoVersion },
  }
}

export type Backlog = ReturnType<typeof createBacklog>
