import { useState } from 'preact/hooks'
import { type Me, maySee } from '../../api/me'
import { pathOfRecord } from '../../state/record-path'
import { showToast } from '../../state/toast'
import { mayRemove, type Person } from '../people/requests'
import { leaveRow } from '../settings/leave-row'
import type { Kind } from './kinds'
import { nameOfRecord } from './names'
import { keyOf, type Removed, removedAt, sendRemoval, sendRestore, tookItemsBelow } from './requests'
import { texts } from './texts/texts'

interface RestoreOptions {
  me: Me
  main: HTMLElement | null
  kind: Kind
  product: string | null | undefined
}

export const mayRestore = (me: Me, { area }: Kind): boolean => maySee(me, `${area}:write`)

/** Nobody removes a person whose role has more scopes than the own role. */
const mayRemoveAgain = (me: Me, { id, remove }: Kind, record: Removed): boolean =>
  remove !== undefined &&
  ((id !== 'user' && id !== 'member') || mayRemove(me, { id: Number(record.id), role: record.role as Person['role'] }))

/** Brings records back at once. A failure belongs to its row. */
export function useRestore({ me, main, kind, product }: RestoreOptions) {
  const [restored, setRestored] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<Readonly<Record<string, unknown>>>({})

  const hide = (mark: string) => setRestored((marks) => new Set([...marks, mark]))
  const show = (mark: string) => setRestored((marks) => new Set([...marks].filter((one) => one !== mark)))

  async function restore(record: Removed): Promise<void> {
    const key = keyOf(kind, record)
    const mark = markOf(kind, record)
    const target = { kind, product, record }
    setFailures(({ [mark]: _, ...others }) => others)
    leaveRow(main)
    hide(mark)
    try {
      const cascades = await tookItemsBelow(target)
      await sendRestore(target)
      const path = pathOfRecord({ type: kind.id, externalKey: key, product: product ?? null })
      const removeAgain = async () => {
        await sendRemoval(target, cascades)
        show(mark)
        showToast(texts.removedAgain(nameOfRecord(kind, record)))
      }
      showToast(
        texts.restored(nameOfRecord(kind, record)),
        mayRemoveAgain(me, kind, record) ? removeAgain : undefined,
        path ? { path, text: texts.open } : undefined,
      )
    } catch (error) {
      show(mark)
      setFailures((others) => ({ ...others, [mark]: error }))
    }
  }

  return {
    isRestored: (record: Removed) => restored.has(markOf(kind, record)),
    failureOf: (record: Removed) => failures[markOf(kind, record)],
    restore: (record: Removed) => void restore(record),
  }
}

/** Another removal of the record is another row. */
const markOf = (kind: Kind, record: Removed): string => `${keyOf(kind, record)} ${removedAt(kind, record)}`
