import type { Store } from '../../db/client/client'
import { retentionTime } from '../../db/sql/retention'
import type { Settings } from '../../env'
import { toIso } from '../../text/moments'
import { fillInKeys } from '../events/keys'
import { clearPeople, fillInPerson } from '../events/people'
import { claimLogs, deleteArchived, listOldest, lookTomorrow, type OldEvent } from './queries'

/*
 * Moves expired events to R2 as NDJSON, oldest first, and deletes the events afterwards. An object holds events of a
 * single day without a gap in the ids, and is named after the first event. A crash in between repeats the same object:
 * no event is lost or stored twice. An archive cannot be anonymized later. The archive therefore contains user ids,
 * useless after a purge of the user, but no names, addresses or member attributes. Events of ideas contain neither the
 * author nor the actor, because the author may become anonymous.
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

/** The first events of a page, up to the end of the day or a gap in the ids. */
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

/** Archives a page of each due workspace per cron run. A failed workspace is retried after the lease of 20 minutes. */
export async function archiveLogs({ store, files, settings }: { store: Store; files: Files; settings: Settings }) {
  const kept = retentionTime(settings, 'events')
  if (kept === undefined) return
  const failures: unknown[] = []
  for (const subscriptionId of await claimLogs(store)) {
    await archiveWorkspace(subscriptionId, kept, store, files).catch((cause) => failures.push(cause))
  }
  if (failures.length) throw failures[0]
}
