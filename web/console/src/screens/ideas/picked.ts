import { signal } from '@preact/signals'

/** Keys of the rows that the person has selected. */
export const picked = signal<ReadonlySet<string>>(new Set())

export function togglePicked(key: string): void {
  const next = new Set(picked.value)
  if (!next.delete(key)) next.add(key)
  picked.value = next
}

export function pick(keys: readonly string[]): void {
  picked.value = new Set([...picked.value, ...keys])
}

export function clearPicked(): void {
  picked.value = new Set()
}
