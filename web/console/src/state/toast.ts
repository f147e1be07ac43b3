import { signal } from '@preact/signals'

export interface Toast {
  text: string
  undo?: (() => void) | undefined
}

/** One at a time: a new toast takes the place of the last. */
export const toast = signal<Toast | null>(null)

export function showToast(text: string, undo?: () => void): void {
  toast.value = { text, undo }
}

export function closeToast(): void {
  toast.value = null
}
