import { useState } from 'preact/hooks'
import { showToast } from '../../state/toast'
import { sendVersionItems } from '../backlog/requests'
import { readAgain, showItems, type Version, type VersionItem, type VersionPlace } from './requests'
import { texts } from './texts/texts'

interface ItemChangeOptions {
  place: VersionPlace
  version: Version
  etag: string
}

/** Puts single items into a version and takes them out, beside what somebody else does. */
export function useItemChange({ place, version, etag }: ItemChangeOptions) {
  const [failure, setFailure] = useState<{ error: unknown; retry: () => void }>()
  const { itemDetails: items = [] } = version
  const at = { product: place.product, version: place.key }
  async function send(
    shown: readonly VersionItem[],
    change: (keys: readonly string[]) => string[],
    onStored: () => void,
  ): Promise<void> {
    setFailure(undefined)
    showItems(place, shown)
    try {
      await sendVersionItems(at, change, { items: version.items, etag })
      onStored()
    } catch (error) {
      setFailure({ error, retry: () => void send(shown, change, onStored) })
    }
    await readAgain()
  }
  const without = (keys: readonly string[], key: string) => keys.filter((other) => other !== key)
  const undo = (change: (keys: readonly string[]) => string[]) => () => sendVersionItems(at, change).then(readAgain)
  return {
    failure,
    add(item: VersionItem): void {
      const { externalKey: key } = item
      void send(
        [...items, item],
        (keys) => [...without(keys, key), key],
        () =>
          showToast(
            texts.wasAdded(key, version.name),
            undo((keys) => without(keys, key)),
          ),
      )
    },
    /** The undo puts the item back at its place. */
    remove({ externalKey: key }: VersionItem): void {
      const index = version.items.indexOf(key)
      void send(
        items.filter(({ externalKey }) => externalKey !== key),
        (keys) => without(keys, key),
        () =>
          showToast(
            texts.wasTakenOut(key, version.name),
            undo((keys) => without(keys, key).toSpliced(index, 0, key)),
          ),
      )
    },
  }
}
