import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { readStored, store } from './stored'

export interface KeyBinding {
  /** A letter, a name such as `Escape`, a chord such as `mod+k`, or a sequence such as `g i`. */
  keys: string
  label: string
  /** Absent if an element of the page acts on the keys itself: the help lists them only. */
  run?: () => void
  isEverywhere?: boolean
}

const bindings = signal<readonly KeyBinding[]>([])
export const listBindings = () => bindings.value

const SETTING = 'console-letters'
/** Whether single letters act. People who speak to their computer turn them off. */
export const hasLetterKeys = signal(readStored(SETTING) !== 'off')

export function setLetterKeys(on: boolean): void {
  hasLetterKeys.value = on
  store(SETTING, on ? null : 'off')
}

/** Binds keys while a component is shown. The component that was bound last wins. */
export function useKeys(own: readonly KeyBinding[]): void {
  // The keys of a component act as soon as it is seen.
  useLayoutEffect(() => {
    bindings.value = [...own, ...bindings.value]
    return () => {
      bindings.value = bindings.value.filter((binding) => !own.includes(binding))
    }
  }, [own])
}

const SEQUENCE_MS = 1_000
let prefix = ''
let prefixedAt = 0

const isText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'))

function chordOf({ key, metaKey, ctrlKey, shiftKey }: KeyboardEvent): string {
  if (metaKey || ctrlKey) return `mod+${key.toLowerCase()}`
  if (key.length === 1) return key.toLowerCase()
  return shiftKey ? `shift+${key}` : key
}

/** Keys that the element with the focus acts on itself. */
const actsOn = (target: EventTarget | null, { key }: KeyboardEvent): boolean =>
  target instanceof Element &&
  ((key === 'Enter' && target.closest('a, button, summary, [popover]') !== null) ||
    (key.startsWith('Arrow') && target.matches('input')) ||
    (key === 'Escape' && document.querySelector('.menu:popover-open') !== null))

/** Letters act outside of text fields and dialogs; chords act everywhere. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return
    const chord = chordOf(event)
    const isChord = chord.startsWith('mod+')
    const isBusy =
      isText(event.target) || actsOn(event.target, event) || document.querySelector('dialog:modal') !== null
    if (!isChord && (isBusy || !hasLetterKeys.value)) return
    const sequence = Date.now() - prefixedAt < SEQUENCE_MS ? `${prefix} ${chord}` : chord
    const binding = find(sequence) ?? find(chord)
    const startsSequence = !isChord && bindings.value.some(({ keys }) => keys.startsWith(`${chord} `))
    prefix = !binding && startsSequence ? chord : ''
    prefixedAt = prefix ? Date.now() : 0
    if (!binding?.run) return
    event.preventDefault()
    binding.run()
  })
}

const find = (keys: string) => bindings.value.find((binding) => binding.run && binding.keys === keys)
