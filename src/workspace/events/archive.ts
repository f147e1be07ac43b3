import { toIso } from '../../text/moments'
import type { EventFilter } from './queries'
import type { ArchivedEvent } from './statements'

/*
 * An object holds consecutive events and is named after the last event, so that a listing that starts after an id
 * begins with the next event. An archive cannot be anonymized later: it contains user ids, but no names, addresses or
 * member attributes and ids of members in other systems, and events of ideas contain neither author nor actor. Placeholders of names and keys stay, and
 * are filled in when the event is read.
 */

const MAX_OBJECTS_PER_PAGE = 10
const MAX_ARCHIVE_PAGE_BYTES = 4_000_000

export const archivePrefixOf = (subscriptionId: number): string => `archive/${subscriptionId}/events/`

export const makeArchiveObjectKey = (subscriptionId: number, lastId: number): string =>
  `${archivePrefixOf(subscriptionId)}${String(lastId).padStart(12, '0')}.ndjson`

type JsonMembers = Record<string, unknown>

function removePersonalData(type: string, json: string): JsonMembers {
  const { ...data } = JSON.parse(json) as JsonMembers
  if (type.startsWith('member.')) for (const name of ['attributes', 'source', 'externalId']) delete data[name]
  if (type.startsWith('feedback.') && 'user_id' in data) data.user_id = 0
  return data
}

export function formatArchivedEvent(event: ArchivedEvent): string {
  const { type, data, previous } = event
  const people = type.startsWith('feedback.') ? { actorUserId: null, actorKey: null, personId: null } : {}
  return `${JSON.stringify({
    ...event,
    ...people,
    data: removePersonalData(type, data),
    previous: previous === null ? null : removePersonalData(type, previous),
    createdAt: toIso(event.createdAt),
  })}\n`
}

function parseArchivedEvent(line: string): ArchivedEvent {
  const { data, previous, createdAt, ...event } = JSON.parse(line)
  return {
    ...event,
    data: JSON.stringify(data),
    previous: previous === null ? null : JSON.stringify(previous),
    createdAt: Date.parse(createdAt),
  }
}

type ArchiveFilter = EventFilter & { subscriptionId: number; products: readonly number[] | null }

const matchesFilter = (event: ArchivedEvent, { type, key, products }: ArchiveFilter): boolean =>
  (type === undefined || event.type === type) &&
  (key === undefined || event.resourceKey === key) &&
  (products === null || (event.productId !== null && products.includes(event.productId)))

export interface ArchivedEventPage {
  events: ArchivedEvent[]
  /** Id of the last event that was compared with the filter; `filter.after` if the archive has no next event. */
  scannedTo: number
}

type ArchiveFiles = Pick<R2Bucket, 'list' | 'get'>

/**
 * Reads at most ten objects, up to the event before `end`, and one event more than a page. Stops at a gap that a deleted
 * object left, unless `skipsGaps` is set.
 */
export async function readArchivedEvents(
  files: ArchiveFiles,
  filter: ArchiveFilter,
  end: number,
  { skipsGaps = false } = {},
): Promise<ArchivedEventPage> {
  const { subscriptionId, after, limit } = filter
  const { objects } = await files.list({
    prefix: archivePrefixOf(subscriptionId),
    startAfter: makeArchiveObjectKey(subscriptionId, after),
    limit: MAX_OBJECTS_PER_PAGE,
  })
  const events: ArchivedEvent[] = []
  let scannedTo = after
  let bytes = 0
  for (const { key } of objects) {
    const text = await (await files.get(key))?.text()
    if (text === undefined) break
    for (const line of text.split('\n')) {
      if (line === '') continue
      const event = parseArchivedEvent(line)
      if (event.id <= scannedTo) continue
      const followsGap = scannedTo > 0 && event.id > scannedTo + 1
      if (event.id >= end || (followsGap && !skipsGaps)) return { events, scannedTo }
      if (matchesFilter(event, filter)) {
        events.push(event)
        bytes += line.length
      }
      scannedTo = event.id
      if (events.length > limit || bytes > MAX_ARCHIVE_PAGE_BYTES) return { events, scannedTo }
    }
  }
  return { events, scannedTo }
}

/**
 * Reads events by ascending id, from at most ten objects. Found events are in `events`; the archive has no other event up
 * to `searchedTo`.
 */
export async function findArchivedEvents(
  files: ArchiveFiles,
  subscriptionId: number,
  ids: readonly number[],
): Promise<{ events: Map<number, ArchivedEvent>; searchedTo: number }> {
  const events = new Map<number, ArchivedEvent>()
  const wanted = new Set(ids)
  const prefix = archivePrefixOf(subscriptionId)
  let searchedTo = 0
  for (let reads = 0; reads < MAX_OBJECTS_PER_PAGE; reads++) {
    const next = ids.find((id) => id > searchedTo)
    if (next === undefined) return { events, searchedTo: Number.POSITIVE_INFINITY }
    const startAfter = makeArchiveObjectKey(subscriptionId, next - 1)
    const [object] = (await files.list({ prefix, startAfter, limit: 1 })).objects
    if (!object) return { events, searchedTo: Number.POSITIVE_INFINITY }
    const text = (await (await files.get(object.key))?.text()) ?? ''
    for (const line of text.split('\n')) {
      if (line === '') continue
      const event = parseArchivedEvent(line)
      if (wanted.has(event.id)) events.set(event.id, event)
    }
    searchedTo = Number.parseInt(object.key.slice(prefix.length), 10)
  }
  return { events, searchedTo }
}
