import { signal } from '@preact/signals'

export interface Toast {
  text: string
  /** A promise that fails says that nothing was undone. */
  undo?: (() => unknown) | undefined
}

/** One at a time: a new toast takes the place of the last. */
export const toast = signal<Toast | null>(null)

export function showToast(text: string, undo?: () => unknown): void {
  toast.value = { text, undo }
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
