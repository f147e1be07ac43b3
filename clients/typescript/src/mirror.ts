import type { Client } from './client.ts'
import { EventsGoneError, follow, readLatestEventId } from './follow.ts'
import { readContent, readWorkspace } from './mirror-lists.ts'
import { idOfRecord, type MirroredData, parentsOfRecord, type SourceRecord } from './mirror-records.ts'
import type { Event } from './types.ts'

/** The state of a record after an event. */
export interface MirrorChange {
  /** Resource and id, such as `product 1`. An epic, feature or story is a `work_item`, and keeps its id with another type. */
  id: string
  /** Resource of the event type, such as `epic`. */
  resource: string
  /** Id of the event; a record of the first read has the id of the newest event before the read. */
  eventId: number
  isRemoved: boolean
  data: MirroredData
  /** Ids of the records that this record goes and returns with: the lists show it while all of them are there. */
  parents: string[]
}

/** The place of the copies. `apply` runs in one transaction, or can be repeated after a crash. */
export interface MirrorStore {
  /** Id of the last applied event; undefined before the first read is complete. */
  readPosition(): Promise<number | undefined> | number | undefined
  /** Stores each change unless the stored record has the same or a newer event, then the position, if one is given. */
  apply(changes: readonly MirrorChange[], position?: number): Promise<void> | void
  /** Removes all records and the position. */
  clear(): Promise<void> | void
}

/**
 * Types that hold the whole record. Other events say why a record changed, and stand beside these. Exports are work that
 * the service does for you, the events of a workspace are about its erasure and restore, a session is listed to its
 * person only, and the settings of sign-ins are the concern of an owner.
 */
const RECORD_EVENT =
  /^(?!export|session|sign_in|workspace)(.+)\.(created|updated|deleted|restored|revoked|secret_rotated)$/

/** The change that an event describes, or undefined for an event without a record of its own. */
function describeChange({ id, type, data, productId, resourceKey }: Event): MirrorChange | undefined {
  const [, resource, happening] = RECORD_EVENT.exec(type) ?? []
  if (!resource || !data) return
  return toChange({ resource, data: { ...data }, productId, resourceKey }, id, happening === 'deleted')
}

const toChange = (record: SourceRecord, eventId: number, isRemoved = false): MirrorChange => ({
  ...{ id: idOfRecord(record), resource: record.resource, eventId, isRemoved, data: record.data },
  parents: parentsOfRecord(record),
})

/** The event of a user lacks fields of the member. A missing member has a later event of its removal. */
async function completeMember(client: Client, change?: MirrorChange): Promise<MirrorChange | undefined> {
  if (change?.resource !== 'user') return change
  const member = { ...change, resource: 'member' }
  if (change.isRemoved) return member
  const { data, error } = await client.attempt('getMember', { memberId: change.data.id as number })
  if (error && ![403, 404].includes(error.status)) throw error
  return data && { ...member, data: { ...data } }
}

async function storeRecords(store: MirrorStore, records: AsyncIterable<SourceRecord>, eventId: number): Promise<void> {
  let changes: MirrorChange[] = []
  for await (const record of records) {
    changes.push(toChange(record, eventId))
    if (changes.length < 100) continue
    await store.apply(changes)
    changes = []
  }
  await store.apply(changes)
}

/**
 * Applies an event, in any order and any number of times: a record keeps the state of its newest event. `position` moves
 * the position of the store. Use it with `readEvent` for the deliveries of a webhook.
 */
export async function applyEvent(client: Client, store: MirrorStore, event: Event, position?: number): Promise<void> {
  const change = await completeMember(client, describeChange(event))
  // The content returns with its record, and the first read may not have seen the content.
  if (change && event.type.endsWith('.restored')) {
    const { productId, resourceKey } = event
    await storeRecords(store, readContent(client, { ...change, productId, resourceKey }), event.id)
  }
  await store.apply(change ? [change] : [], position)
}

/** The event of a delivery, with the whole record. `webhookId` is the header `webhook-id`. */
export async function readEvent(client: Client, webhookId: string): Promise<Event | undefined> {
  const id = Number(/\d+$/.exec(webhookId)?.[0])
  const [event] = await client.listEvents({ after: id - 1, limit: 1 })
  return event?.id === id ? event : undefined
}

/**
 * Keeps a copy of all records that the key can read: lists them once, then follows the events until the signal aborts.
 * A second call continues. The mirror begins anew when the service no longer keeps the next event, and after the restore of
 * an export.
 */
export async function mirror(
  client: Client,
  store: MirrorStore,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  while (!signal?.aborted) {
    let position = await store.readPosition()
    if (position === undefined) {
      await store.clear()
      position = await readLatestEventId(client)
      await storeRecords(store, readWorkspace(client), position)
      await store.apply([], position)
    }
    try {
      for await (const event of follow(client, { after: position, signal })) {
        // A restored export has records without events.
        if (event.type === 'workspace.restored') throw new EventsGoneError()
        await applyEvent(client, store, event, event.id)
      }
    } catch (error) {
      if (!(error instanceof EventsGoneError)) throw error
      await store.clear()
    }
  }
}
