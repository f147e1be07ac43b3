import { signal } from '@preact/signals'
import { readStored, store } from '../../state/stored'

export interface Draft {
  segmentId: number | undefined
  subject: string
  html: string
  replyTo: string
  /** When the mail leaves: at once, or at `at`. */
  when: 'now' | 'later'
  /** Local date and time of the form; empty until the person chooses. */
  at: string
}

const NAME = 'console-mail-draft'
const EMPTY: Draft = { segmentId: undefined, subject: '', html: '', replyTo: '', when: 'now', at: '' }

function readDraft(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(readStored(NAME) ?? '{}') as Partial<Draft>) }
  } catch {
    return EMPTY
  }
}

/** What was typed survives other pages and a reload, in this browser. */
export const draft = signal(readDraft())

export function changeDraft(change: Partial<Draft>): void {
  draft.value = { ...draft.value, ...change }
  store(NAME, JSON.stringify(draft.value))
}

export function discardDraft(): void {
  draft.value = EMPTY
  store(NAME, null)
}

export const isEmptyDraft = ({ subject, html }: Draft): boolean => subject.trim() === '' && !hasText(html)

/** Whether the HTML has more than empty paragraphs. */
export function hasText(html: string): boolean {
  const holder = document.createElement('template')
  holder.innerHTML = html
  return holder.content.textContent.trim() !== '' || holder.content.querySelector('img') !== null
}
