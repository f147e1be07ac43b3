import type { Database } from '../../db/client/client'
import { countFittingRows } from '../../db/records/page'
import { ApiError } from '../../text/errors'
import { readArchivedEvents } from './archive'
import { type EventFilter, type EventPage, type EventRow, listEventNames, toEventRows } from './queries'

/** Continuing after a deleted event would skip events without notice. */
const eventsGoneError = (from: number) =>
  new ApiError(
    'gone',
    `Events before ${from} are neither in the log nor in the archive. Continue with after=${from - 1}, and read the records that you follow again.`,
  )

export interface EventReply {
  rows: EventRow[]
  /** `after` of the next page; undefined at the end of the log. */
  next: number | undefined
}

interface ReadOptions {
  db: Database
  files: Pick<R2Bucket, 'list' | 'get'>
  subscriptionId: number
  filter: EventFilter
}

/**
 * Puts archived events in front of a page of the log. The page was read first: events that move to the archive
 * meanwhile are already on the page, and the archive is read up to the page only.
 */
export async function prependArchivedEvents(page: EventPage, options: ReadOptions): Promise<EventReply> {
  const { firstKept } = page
  if (firstKept === undefined) return { rows: page.rows, next: page.next }
  const { db, files, subscriptionId, filter } = options
  const { limit, after } = filter
  const { events, scannedTo } = await readArchivedEvents(
    files,
    { ...filter, subscriptionId, products: db.products },
    firstKept,
  )
  const isComplete = scannedTo + 1 >= firstKept
  if (!isComplete && scannedTo === after && after > 0) throw eventsGoneError(firstKept)
  const archived = toEventRows(events, await listEventNames(db, events), filter.readable)
  // Without an archive, the log begins at its first event.
  const continues = isComplete || scannedTo === after
  const rows = continues ? [...archived, ...page.rows] : archived
  const end = Math.min(limit, countFittingRows(rows, ['data', 'previous']))
  if (rows.length > end) return { rows: rows.slice(0, end), next: rows[end - 1]?.id }
  if (!continues) return { rows, next: scannedTo }
  return { rows, next: page.next }
}
