import type { WidgetEntry } from './widget-data.ts'

const nameOf = (slug: string) => `groundwork-${slug}`

/** The newest moment that the reader has seen; undefined on the first visit, and if storage is off. */
function readSeenUntil(slug: string): string | undefined {
  try {
    return localStorage.getItem(nameOf(slug)) ?? undefined
  } catch {
    return undefined
  }
}

export function markSeen(slug: string, [newest]: readonly WidgetEntry[]): void {
  try {
    if (newest) localStorage.setItem(nameOf(slug), newest.publishedAt)
  } catch {
    // The entries stay unread.
  }
}

/** On the first visit only the newest entry is news. */
export function countUnread(slug: string, entries: readonly WidgetEntry[]): number {
  const until = readSeenUntil(slug)
  if (until === undefined) return Math.min(1, entries.length)
  return entries.filter(({ publishedAt }) => publishedAt > until).length
}
