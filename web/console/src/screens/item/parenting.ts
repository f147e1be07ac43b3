import { useEffect, useState } from 'preact/hooks'
import { NO_FILTERS } from '../backlog/filters'
import type { Item } from '../backlog/forest'
import { moveItem, type Place, toMoveBody } from '../backlog/places'
import { sendMove } from '../backlog/requests'
import { readAgain, showForest, useForest } from './requests'

interface FailedMove {
  error: unknown
  retry: () => void
}

/** The place of an item in the tree, and moves to another place. */
export function useParenting(product: string, key: string) {
  const { data: forest, error, refetch } = useForest(product, NO_FILTERS)
  const [failure, setFailure] = useState<FailedMove>()
  const isLoaded = forest !== undefined
  // The item may be newer than the tree of the page before.
  useEffect(() => {
    if (forest && !forest.items.has(key)) void refetch()
  }, [key, isLoaded])
  async function move(item: Item, to: Place): Promise<void> {
    const body = forest && toMoveBody(forest, item, to)
    if (!body) return
    setFailure(undefined)
    showForest(product, moveItem(forest, item.key, to))
    try {
      await sendMove(product, item.key, body)
    } catch (cause) {
      setFailure({ error: cause, retry: () => void move(item, to) })
      showForest(product, forest)
    }
    readAgain()
  }
  return { forest, error, refetch, failure, move }
}

export type Parenting = ReturnType<typeof useParenting>
