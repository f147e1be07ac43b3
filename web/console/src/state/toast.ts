import { signal } from '@preact/signals'
import { texts } from '../texts/texts'

/** A record that the toast names. `path` is below the base. */
interface ToastLink {
  text: string
  path: string
}

export interface Toast {
  text: string
  link?: ToastLink | undefined
  /** A promise that fails says that nothing was undone. */
  undo?: (() => unknown) | undefined
}

/** One at a time: a new toast takes the place of the last. */
export const toast = signal<Toast | null>(null)

export function showToast(text: string, undo?: () => unknown, link?: ToastLink): void {
  toast.value = { text, undo, link }
}

/** Leads to a record that the person has created. `path` is below the base. */
export function showCreated(name: string, path: string): void {
  showToast(texts.wasCreated(name), undefined, { text: texts.open, path })
}

export function closeToast(): void {
  toast.value = null
}

interface FailedUndo {
  /** What still holds. */
  text: string
  error: unknown
  retry: () => void
}

export const failedUndo = signal<FailedUndo | null>(null)

export function undo({ text, undo: run }: Toast): void {
  closeToast()
  failedUndo.value = null
  if (run) void attempt(text, run)
}

async function attempt(text: string, run: () => unknown): Promise<void> {
  try {
    await run()
    failedUndo.value = null
  } catch (error) {
    failedUndo.value = { text, error, retry: () => void attempt(text, run) }
  }
}
