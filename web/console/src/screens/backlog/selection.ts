import { signal } from '@preact/signals'
import type { Forest } from './forest'
import type { Place } from './places'

export type Chooser = 'progress' | 'owner' | 'tag' | 'version' | 'parent' | 'create' | 'column'

export interface Lift {
  key: string
  places: readonly Place[]
  /** Place in `places`. */
  at: number
}

/** Items with others below, whose removal waits for an answer. */
export interface AskedRemoval {
  keys: readonly string[]
  /** The tree without filters. */
  whole: Forest
  /** The rows that can get the focus after the removal, the nearest first. */
  others: readonly string[]
}

/** What the person points at, has selected, edits or carries. Lives as long as the screen. */
export function createSelection() {
  const current = signal<string | undefined>(undefined)
  const selected = signal<ReadonlySet<string>>(new Set())
  const editing = signal<string | undefined>(undefined)
  /** The row whose points the person edits in their cell. */
  const editedPoints = signal<string | undefined>(undefined)
  const chooser = signal<Chooser | undefined>(undefined)
  /** The parent that the person has chosen for a new item. */
  const parent = signal<string | undefined>(undefined)
  const removal = signal<AskedRemoval | undefined>(undefined)
  const lift = signal<Lift | undefined>(undefined)
  /** For the live region. */
  const spoken = signal('')
  /** Counts the moves of the focus by keyboard. */
  const focusAsked = signal(0)

  const focusOn = (key: string | undefined) => {
    current.value = key
    focusAsked.value++
  }

  function toggle(keys: readonly string[], on = !keys.every((key) => selected.value.has(key))): void {
    const next = new Set(selected.value)
    for (const key of keys) {
      if (on) next.add(key)
      else next.delete(key)
    }
    selected.value = next
  }

  /** Moves to the next or the previous row, and selects both rows if `extends`. */
  function step(keys: readonly string[], by: number, isExtending = false): void {
    const at = keys.indexOf(current.value ?? '')
    const next = keys[at < 0 ? 0 : Math.min(keys.length - 1, Math.max(0, at + by))]
    if (next === undefined) return
    if (isExtending) toggle([current.value ?? next, next], true)
    focusOn(next)
  }

  return {
    ...{
      current,
      selected,
      editing,
      editedPoints,
      chooser,
      parent,
      removal,
      lift,
      spoken,
      focusAsked,
      focusOn,
      toggle,
      step,
    },
    createIn(key: string) {
      current.value = key
      parent.value = key
      chooser.value = 'create'
    },
    clear() {
      selected.value = new Set()
    },
    /** The selected rows, or the current row. */
    targets: (): string[] =>
      selected.value.size ? [...selected.value] : current.value === undefined ? [] : [current.value],
  }
}

export type Selection = ReturnType<typeof createSelection>
