import { signal } from '@preact/signals'
import { readStored, store } from '../../state/stored'
import type { ListedIdea } from './requests'

const SINCE = 'console-ideas-seen-since'
const OPENED = 'console-ideas-opened'
const MAX_OPENED = 500

/** This browser remembers what was opened. The first visit begins with nothing unread. */
const since = signal(readStored(SINCE) ?? '')
const opened = signal<readonly string[]>(readStored(OPENED)?.split(',') ?? [])

export function rememberVisit(): void {
  if (!since.value) markAllSeen()
}

export function markAllSeen(): void {
  since.value = new Date().toISOString()
  opened.value = []
  store(SINCE, since.value)
  store(OPENED, null)
}

export function markOpened(key: string): void {
  if (opened.value.includes(key)) return
  opened.value = [key, ...opened.value].slice(0, MAX_OPENED)
  store(OPENED, opened.value.join(','))
}

export const isUnread = ({ external_key, created_at }: ListedIdea): boolean =>
  since.value !== '' && created_at > since.value && !opened.value.includes(external_key)
