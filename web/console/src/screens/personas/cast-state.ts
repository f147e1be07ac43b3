import { signal } from '@preact/signals'
import type { Conflict } from '../../api/change'
import { createOptimistic } from '../../api/optimistic'
import { queries } from '../../api/queries'
import { showToast } from '../../state/toast'
import {
  type BoardSegment,
  type Cast,
  type ListedPersona,
  type Persona,
  readCast,
  sendMove,
  sendRemoval,
  sendRestore,
  sendSegmentRemoval,
  sendSegmentRestore,
} from './requests'
import { texts } from './texts/texts'

const changePersona = (cast: Cast, key: string, change: Partial<ListedPersona>): Cast => ({
  ...cast,
  personas: cast.personas.map((persona) => (persona.externalKey === key ? { ...persona, ...change } : persona)),
})

/** The personas and the segments with the changes of this page on top. */
export function createCastState() {
  const { shown, error, failure, read, run, follow } = createOptimistic<Cast>({
    load: readCast,
    resources: ['persona', 'board_segment'],
  })
  /** Two people have moved one persona. */
  const conflict = signal<Conflict<Persona> | undefined>(undefined)

  function move({ externalKey: key, boardSegmentId: from }: ListedPersona, to: number | null): void {
    if (from === to) return
    conflict.value = undefined
    void run(
      texts.failed.move(key),
      (cast) => changePersona(cast, key, { boardSegmentId: to }),
      async () => {
        const theirs = await sendMove(key, from, to)
        if (theirs) askAboutMove(theirs, to)
      },
    )
  }

  function askAboutMove(theirs: Persona, to: number | null): void {
    conflict.value = {
      ...{ fields: ['boardSegmentId'], mine: { boardSegmentId: to }, theirs },
      keepMine: () => move(theirs, to),
      takeTheirs() {
        conflict.value = undefined
      },
    }
  }

  async function restore(send: () => Promise<unknown>): Promise<void> {
    await send()
    await queries.invalidateQueries({ queryKey: ['persona'] })
    await read()
  }

  /** Shows an undo. */
  function remove(key: string): void {
    void run(
      texts.failed.remove(key),
      (cast) => ({ ...cast, personas: cast.personas.filter(({ externalKey }) => externalKey !== key) }),
      async () => {
        await sendRemoval(key)
        showToast(texts.wasRemoved(key), () => restore(() => sendRestore(key)))
      },
    )
  }

  /** The personas stay, without a segment. */
  function removeSegment({ id, name }: BoardSegment): void {
    void run(
      texts.failed.remove(name),
      ({ personas, segments }) => ({
        personas: personas.map((persona) =>
          persona.boardSegmentId === id ? { ...persona, boardSegmentId: null } : persona,
        ),
        segments: segments.filter((segment) => segment.id !== id),
      }),
      async () => {
        await sendSegmentRemoval(id)
        showToast(texts.wasRemoved(name), () => restore(() => sendSegmentRestore(id)))
      },
    )
  }

  return { shown, error, failure, conflict, read, follow, move, remove, removeSegment }
}

export type CastState = ReturnType<typeof createCastState>
