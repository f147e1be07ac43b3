import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { leaveRow, type RowList } from '../../parts/list-keys'
import { nameOf } from '../../parts/person'
import { showToast } from '../../state/toast'
import { type Person, readPeopleAgain } from './requests'
import { texts } from './texts/texts'

/** Removes people at once, with an undo. */
export function useRemoval() {
  const [removed, setRemoved] = useState<ReadonlySet<number>>(new Set())
  const [failure, setFailure] = useState<{ title: string; error: unknown; onRetry: () => void }>()
  const show = (id: number) => setRemoved((ids) => new Set([...ids].filter((one) => one !== id)))

  async function remove(list: RowList, person: Person): Promise<void> {
    setFailure(undefined)
    leaveRow(list, String(person.id))
    setRemoved((ids) => new Set([...ids, person.id]))
    try {
      await client.removeMember({ memberId: person.id })
      showToast(texts.removed(nameOf(person)), () => restore(person))
    } catch (error) {
      show(person.id)
      const title = texts.removeFailed(nameOf(person))
      setFailure({ title, error, onRetry: () => void remove(list, person) })
    }
  }

  async function restore(person: Person): Promise<void> {
    await client.restoreMember({ memberId: person.id })
    await readPeopleAgain()
    show(person.id)
    showToast(texts.restored(nameOf(person)))
  }

  return { removed, failure, remove: (list: RowList, person: Person) => void remove(list, person) }
}
