import { signal } from '@preact/signals'

export const KINDS = ['status', 'reply', 'note'] as const
export type Kind = (typeof KINDS)[number]

export const kind = signal<Kind>('status')

/** What was typed stays while the person looks at another idea. */
const drafts = signal<ReadonlyMap<string, string>>(new Map())
const nameOf = (key: string, of: Kind) => `${key} ${of}`

export const draftOf = (key: string, of: Kind): string => drafts.value.get(nameOf(key, of)) ?? ''

export function saveDraft(key: string, of: Kind, text: string): void {
  drafts.value = new Map([...drafts.value, [nameOf(key, of), text]])
}

export const MESSAGE_FIELD = 'idea-message'
export const STATUS_FIELD = 'idea-new-status'

export function openComposer(next: Kind): void {
  kind.value = next
  requestAnimationFrame(() => document.getElementById(next === 'status' ? STATUS_FIELD : MESSAGE_FIELD)?.focus())
}
