import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { nameOf } from '../../parts/person'
import { showToast } from '../../state/toast'
import { leaveRow } from './leave-row'
import { type Person, readPeopleAgain } from './people-requests'
import { texts } from './texts/texts'

/** Removes people at once, with an undo. */
export function useRemoval(main: RefObject<HTMLElement | null>) {
  const [removed, setRemoved] = useState<ReadonlySet<number>>(new Set())
  const [failure, setFailure] = useState<{ title: string; error: unknown; onRetry: () => void }>()
  const hide = (id: number) => setRemoved((ids) => new Set([...ids, id]))
  const show = (id: number) => setRemoved((ids) => new Set([...ids].filter((one) => one !== id)))

  async function remove(person: Person): Promise<void> {
    setFailure(undefined)
    leaveRow(main.current)
    hide(person.id)
    try {
      await client.removeUser({ userId: person.id })
      showToast(texts.people.removed(nameOf(person)), () => void restore(person))
    } catch (error) {
      show(person.id)
      const title = texts.people.removeFailed(nameOf(person))
      setFailure({ title, error, onRetry: () => void remove(person) })
    }
  }

  async function restore(person: Person): Promise<void> {
    setFailure(undefined)
    try {
      await client.restoreUser({ userId: person.id })
      await readPeopleAgain()
      show(person.id)
      showToast(texts.people.restored(nameOf(person)))
    } catch (error) {
      const title = texts.people.restoreFailed(nameOf(person))
      setFailure({ title, error, onRetry: () => void restore(person) })
    }
  }

  return { removed, failure, remove: (person: Person) => void remove(person) }
}
