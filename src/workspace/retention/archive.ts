import type { Store } from '../../db/client/client'
import { readRetentionMs } from '../../db/sql/retention'
import type { Settings } from '../../env'
import { toIso } from '../../text/moments'
import { fillInKeys } from '../events/keys'
import { clearPeople, fillInPerson } from '../events/people'
import { claimLogs, deleteArchived, listOldest, lookTomorrow, type OldEvent } from './queries'

/*
 * An object holds events of a single day without a gap in the ids, so a crash repeats the same object. An archive
 * cannot be anonymized later: it contains user ids, but no names, addresses or member attributes, and events of ideas
 * contain neither author nor actor.
 */

// The archive belongs to the workspace, and no product limit applies.
const ALL_PRODUCTS = { products: null }
const EMPTY_PERSON = { firstName: '', lastName: '', email: '' }

type Members = Record<string, unknown>

function removePersonalData(type: string, json: string): Members {
  const { ...data } = JSON.parse(json) as Members
  if (type.startsWith('member.')) delete data.attributes
  if (type.startsWith('feedback.') && 'user_id' in data) data.user_id = 0
  return data
}

export function formatEvent({ type, data, previous, actorUserId, actorKey, createdAt, ...row }: OldEvent): string {
  const namesActor = !type.startsWith('feedback.')
  const line = {
    id: row.id,
    type,
    actor: { userId: namesActor ? actorUserId : null, key: namesActor ? actorKey : null },
    productId: row.productId,
    resourceKey: row.resourceKey,
    data: removePersonalData(type, fillInKeys(fillInPerson(data, EMPTY_PERSON), ALL_PRODUCTS)),
    previous: previous === null ? null : removePersonalData(type, fillInKeys(clearPeople(previous), ALL_PRODUCTS)),
    createdAt: toIso(createdAt),
  }
  return `${JSON.stringify(line)}\n`
}

const dayOf = ({ createdAt }: OldEvent) => toIso(createdAt).slice(0, 10)

function takeOneDay(found: readonly OldEvent[]): OldEvent[] {
  const [first] = found
  const end = found.findIndex((row, n) => !first || dayOf(row) !== dayOf(first) || row.id !== first.id + n)
  return end < 0 ? [...found] : found.slice(0, end)
}

export const objectKeyOf = (subscriptionId: number, first: OldEvent): string =>
  `archive/${subscriptionId}/events/${dayOf(first)}/${String(first.id).padStart(12, '0')}.ndjson`

type Files = Pick<R2Bucket, 'put'>

async function archiveWorkspace(subscriptionId: number, kept: number, store: Store, files: Files): Promise<void> {
  const page = takeOneDay(await listOldest(store, subscriptionId, kept))
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) {
    await lookTomorrow(store, subscriptionId)
    return
  }
  await files.put(objectKeyOf(subscriptionId, first), page.map(formatEvent).join(''), {
    httpMetadata: { contentType: 'application/x-ndjson' },
  })
  await deleteArchived(store, subscriptionId, first.id, last.id)
}

export async function archiveLogs({ store, files, settings }: { store: Store; files: Files; settings: Settings }) {
  const kept = readRetentionMs(settings, 'events')
  if (kept === undefined) return
  const failures: unknown[] = []
  for (const subscriptionId of await claimLogs(store)) {
    await archiveWorkspace(subscriptionId, kept, store, files).catch((cause) => failures.push(cause))
  }
  if (failures.length) throw failures[0]
}
