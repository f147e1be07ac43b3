import { EVENT_TIME_SLACK_MS } from '../../db/sql/log'
import { toIso } from '../../text/moments'
import type { EventConditions } from './filter'
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
  const { type, data, previous, cascade } = event
  const people = type.startsWith('feedback.') ? { actorUserId: null, actorKey: null, personId: null } : {}
  return `${JSON.stringify({
    ...event,
    ...people,
    data: removePersonalData(type, data),
    previous: previous === null ? null : removePersonalData(type, previous),
    cascade: cascade === null ? null : (JSON.parse(cascade) as JsonMembers),
    createdAt: toIso(event.createdAt),
  })}\n`
}

function parseArchivedEvent(line: string): ArchivedEvent {
  // Lines from before release 0.3.0 have no cascade.
  const { data, previous, cascade = null, createdAt, ...event } = JSON.parse(line)
  return {
    ...event,
    data: JSON.stringify(data),
    previous: previous === null ? null : JSON.stringify(previous),
    cascade: cascade === null ? null : JSON.stringify(cascade),
    createdAt: Date.parse(createdAt),
  }
}

export interface ArchiveFilter extends Omit<EventConditions, 'product' | 'apiKey'> {
  subscriptionId: number
  after: number
  limit: number
  products?: readonly number[] | null
  productId?: number | undefined
  jti?: string | undefined
}

const matchesFilter = (event: ArchivedEvent, filter: ArchiveFilter): boolean =>
  (filter.types === undefined || filter.types.includes(event.type)) &&
  (filter.key === undefined || event.resourceKey === filter.key) &&
  (filter.productId === undefined || event.productId === filter.productId) &&
  (filter.actor === undefined || event.actorUserId === filter.actor) &&
  (filter.jti === undefined || event.actorKey === filter.jti) &&
  (filter.origin === undefined || event.origin === filter.origin || !!event.origin?.startsWith(`${filter.origin}:`)) &&
  (filter.from === undefined || event.createdAt >= filter.from) &&
  (filter.to === undefined || event.createdAt < filter.to) &&
  (!filter.products || (event.productId !== null && filter.products.includes(event.productId)))

export interface ArchivedEventPage {
  events: ArchivedEvent[]
  /** Id of the last event that was compared with the filter; `filter.after` if the archive has no next event. */
  scannedTo: number
  /** True if no further event of the archive matches. */
  isEnd: boolean
}

type ArchiveFiles = Pick<R2Bucket, 'list' | 'get'>

async function readObject(files: ArchiveFiles, key: string): Promise<ArchivedEvent[] | undefined> {
  const text = await (await files.get(key))?.text()
  return text?.split('\n').flatMap((line) => (line === '' ? [] : [parseArchivedEvent(line)]))
}

const countCharacters = ({ data, previous }: ArchivedEvent) => data.length + (previous?.length ?? 0)

/** An object holds no event that is younger than the object. */
const endsBefore = ({ uploaded }: R2Object, from: number | undefined) => from !== undefined && +uploaded < from

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
  const { subscriptionId, after, limit, from, to } = filter
  const prefix = archivePrefixOf(subscriptionId)
  const { objects } = await files.list({
    prefix,
    startAfter: makeArchiveObjectKey(subscriptionId, after),
    ...(from === undefined && { limit: MAX_OBJECTS_PER_PAGE }),
  })
  const old = objects.findIndex((object) => !endsBefore(object, from))
  const [skipped, rest] = old < 0 ? [objects, []] : [objects.slice(0, old), objects.slice(old)]
  const events: ArchivedEvent[] = []
  let scannedTo = Math.min(end - 1, lastIdOf(skipped.at(-1), prefix) ?? after)
  let characters = 0
  for (const { key } of rest.slice(0, MAX_OBJECTS_PER_PAGE)) {
    const object = await readObject(files, key)
    if (!object) break
    for (const event of object) {
      if (event.id <= scannedTo) continue
      const followsGap = scannedTo > 0 && event.id > scannedTo + 1
      if (event.id >= end || (followsGap && !skipsGaps)) return { events, scannedTo, isEnd: false }
      if (to !== undefined && event.createdAt >= to + EVENT_TIME_SLACK_MS) return { events, scannedTo, isEnd: true }
      if (matchesFilter(event, filter)) {
        events.push(event)
        characters += countCharacters(event)
      }
      scannedTo = event.id
      if (events.length > limit || characters > MAX_ARCHIVE_PAGE_BYTES) return { events, scannedTo, isEnd: false }
    }
  }
  return { events, scannedTo, isEnd: false }
}

const lastIdOf = (object: R2Object | undefined, prefix: string): number | undefined =>
  object && Number.parseInt(object.key.slice(prefix.length), 10)

/** Reads at most ten objects, from the event before `end` to older events. The archive ends at a gap. */
export async function readArchivedEventsBackwards(
  files: ArchiveFiles,
  filter: ArchiveFilter,
  end: number,
): Promise<ArchivedEventPage> {
  const { subscriptionId, limit, from } = filter
  const events: ArchivedEvent[] = []
  let scannedTo = end
  let characters = 0
  for (let reads = 0; reads < MAX_OBJECTS_PER_PAGE; reads++) {
    if (scannedTo <= 1) return { events, scannedTo, isEnd: true }
    const startAfter = makeArchiveObjectKey(subscriptionId, scannedTo - 2)
    const [object] = (await files.list({ prefix: archivePrefixOf(subscriptionId), startAfter, limit: 1 })).objects
    if (!object || endsBefore(object, from)) return { events, scannedTo, isEnd: true }
    const next = (await readObject(files, object.key))?.filter(({ id }) => id < scannedTo).reverse() ?? []
    if (!next.length) return { events, scannedTo, isEnd: true }
    for (const event of next) {
      if (from !== undefined && event.createdAt < from - EVENT_TIME_SLACK_MS) return { events, scannedTo, isEnd: true }
      if (matchesFilter(event, filter)) {
        events.push(event)
        characters += countCharacters(event)
      }
      scannedTo = event.id
      if (events.length > limit || characters > MAX_ARCHIVE_PAGE_BYTES) return { events, scannedTo, isEnd: false }
    }
  }
  return { events, scannedTo, isEnd: scannedTo <= 1 }
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
    for (const event of (await readObject(files, object.key)) ?? [])
      if (wanted.has(event.id)) events.set(event.id, event)
    searchedTo = Number.parseInt(object.key.slice(prefix.length), 10)
  }
  return { events, searchedTo }
}
