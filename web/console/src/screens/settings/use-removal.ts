import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { showToast } from '../../state/toast'
import { leaveRow } from './leave-row'

interface RemovalOptions<R> {
  main: RefObject<HTMLElement | null>
  send: (record: R) => Promise<unknown>
  /** Brings the record back, and reads the list again. */
  restore: (record: R) => Promise<unknown>
  nameOf: (record: R) => string
  texts: Readonly<Record<'removed' | 'removeFailed' | 'restored', (name: string) => string>>
}

/** Removes rows of a table at once, with an undo. */
export function useRemoval<R extends { id: number }>({ main, send, restore, nameOf, texts }: RemovalOptions<R>) {
  const [removed, setRemoved] = useState<ReadonlySet<number>>(new Set())
  const [failure, setFailure] = useState<{ title: string; error: unknown; onRetry: () => void }>()
  const show = (id: number) => setRemoved((ids) => new Set([...ids].filter((one) => one !== id)))

  async function remove(record: R): Promise<void> {
    setFailure(undefined)
    leaveRow(main.current)
    setRemoved((ids) => new Set([...ids, record.id]))
    try {
      await send(record)
      showToast(texts.removed(nameOf(record)), () => takeBack(record))
    } catch (error) {
      show(record.id)
      setFailure({ title: texts.removeFailed(nameOf(record)), error, onRetry: () => void remove(record) })
    }
  }

  async function takeBack(record: R): Promise<void> {
    await restore(record)
    show(record.id)
    showToast(texts.restored(nameOf(record)))
  }

  return { removed, failure, remove: (record: R) => void remove(record) }
}
