import type { Store } from '../../db/client/client'
import { readRetentionMs } from '../../db/sql/retention'
import type { Settings } from '../../env'
import { toIso } from '../../text/moments'
import { fillInRecordKeys } from '../events/keys'
import { clearPeople, fillInPerson } from '../events/people'
import { claimDueLogs, deleteArchivedEvents, type ExpiredEvent, listExpiredEvents, postponeArchive } from './queries'

/*
 * An object holds events of a single day without a gap in the ids, so a crash repeats the same object. An archive
 * cannot be anonymized later: it contains user ids, but no names, addresses or member attributes, and events of ideas
 * contain neither author nor actor.
 */

// The archive belongs to the workspace, and no product limit applies.
const NO_PRODUCT_LIMIT = { products: null }
const EMPTY_PERSON = { firstName: '', lastName: '', email: '' }

type JsonMembers = Record<string, unknown>

function removePersonalData(type: string, json: string): JsonMembers {
  const { ...data } = JSON.parse(json) as JsonMembers
  if (type.startsWith('member.')) delete data.attributes
  if (type.startsWith('feedback.') && 'user_id' in data) data.user_id = 0
  return data
}

export function formatEvent({ type, data, previous, actorUserId, actorKey, createdAt, ...row }: ExpiredEvent): string {
  const namesActor = !type.startsWith('feedback.')
  const line = {
    id: row.id,
    type,
    actor: { userId: namesActor ? actorUserId : null, key: namesActor ? actorKey : null },
    productId: row.productId,
    resourceKey: row.resourceKey,
    data: removePersonalData(type, fillInRecordKeys(fillInPerson(data, EMPTY_PERSON), NO_PRODUCT_LIMIT)),
    previous:
      previous === null ? null : removePersonalData(type, fillInRecordKeys(clearPeople(previous), NO_PRODUCT_LIMIT)),
    createdAt: toIso(createdAt),
  }
  return `${JSON.stringify(line)}\n`
}

const dayOfEvent = ({ createdAt }: ExpiredEvent) => toIso(createdAt).slice(0, 10)

function takeEventsOfFirstDay(found: readonly ExpiredEvent[]): ExpiredEvent[] {
  const [first] = found
  const end = found.findIndex((row, n) => !first || dayOfEvent(row) !== dayOfEvent(first) || row.id !== first.id + n)
  return end < 0 ? [...found] : found.slice(0, end)
}

export const makeArchiveObjectKey = (subscriptionId: number, first: ExpiredEvent): string =>
  `archive/${subscriptionId}/events/${dayOfEvent(first)}/${String(first.id).padStart(12, '0')}.ndjson`

interface ArchiveDeps {
  store: Store
  files: Pick<R2Bucket, 'put'>
}

async function archiveWorkspace(subscriptionId: number, kept: number, { store, files }: ArchiveDeps): Promise<void> {
  const page = takeEventsOfFirstDay(await listExpiredEvents(store, subscriptionId, kept))
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) {
    await postponeArchive(store, subscriptionId)
    return
  }
  await files.put(makeArchiveObjectKey(subscriptionId, first), page.map(formatEvent).join(''), {
    httpMetadata: { contentType: 'application/x-ndjson' },
  })
  await deleteArchivedEvents(store, subscriptionId, first.id, last.id)
}

export async function archiveDueLogs({ store, files, settings }: ArchiveDeps & { settings: Settings }) {
  const kept = readRetentionMs(settings, 'events')
  if (kept === undefined) return
  const failures: unknown[] = []
  for (const subscriptionId of await claimDueLogs(store)) {
    await archiveWorkspace(subscriptionId, kept, { store, files }).catch((cause) => failures.push(cause))
  }
  if (failures.length) throw failures[0]
}
