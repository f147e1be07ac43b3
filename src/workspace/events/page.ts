import type { Database } from '../../db/client/client'
import { countFittingRows } from '../../db/records/page'
import { ApiError } from '../../text/errors'
import { type ArchivedEventPage, readArchivedEvents, readArchivedEventsBackwards } from './archive'
import type { EventFilter } from './filter'
import type { EventPage, EventRow } from './queries/list'
import { listEventNames, toEventRows } from './queries/names'

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
 * Adds archived events to a page of the log. The page was read first: events that move to the archive meanwhile are
 * already on the page, and the archive is read up to the page only.
 */
export async function addArchivedEvents(page: EventPage, options: ReadOptions): Promise<EventReply> {
  const { firstKept, productId, jti } = page
  if (firstKept === undefined) return { rows: page.rows, next: page.next }
  const { db, files, subscriptionId, filter } = options
  const asked = { ...filter, subscriptionId, products: db.products, productId, jti }
  if (filter.order === 'newest') return appendOlderEvents(page, asked, firstKept, options)
  const found = await readArchivedEvents(files, asked, firstKept)
  const { scannedTo, isEnd } = found
  const isComplete = scannedTo + 1 >= firstKept
  const isAtStart = scannedTo === filter.after
  if (!isComplete && !isEnd && isAtStart && filter.after > 0) throw eventsGoneError(firstKept)
  const archived = await toNamedRows(found, options)
  if (isEnd) return cutPage(archived, filter.limit, undefined)
  // Without an archive, the log begins at its first event.
  if (isComplete || isAtStart) return cutPage([...archived, ...page.rows], filter.limit, page.next)
  return cutPage(archived, filter.limit, scannedTo)
}

async function appendOlderEvents(
  page: EventPage,
  asked: Parameters<typeof readArchivedEventsBackwards>[1],
  firstKept: number,
  options: ReadOptions,
): Promise<EventReply> {
  const { after, limit } = asked
  const end = after ? Math.min(after, firstKept) : firstKept
  const left = { ...asked, limit: limit - page.rows.length }
  const found = await readArchivedEventsBackwards(options.files, left, end)
  const rows = [...page.rows, ...(await toNamedRows(found, options))]
  return cutPage(rows, limit, found.isEnd ? undefined : found.scannedTo)
}

const toNamedRows = async ({ events }: ArchivedEventPage, { db, filter }: ReadOptions): Promise<EventRow[]> =>
  toEventRows(events, await listEventNames(db, events), filter.readable)

function cutPage(rows: EventRow[], limit: number, next: number | undefined): EventReply {
  const end = Math.min(limit, countFittingRows(rows, ['data', 'previous']))
  return rows.length > end ? { rows: rows.slice(0, end), next: rows[end - 1]?.id } : { rows, next }
}
