import type { Store } from '../../db/client'
import { keptFor } from '../../db/forget'
import type { Settings } from '../../env'
import { iso } from '../../text/moments'
import { withKeys } from '../events/keys'
import { withoutPeople, withPerson } from '../events/people'
import { claimLogs, dropEvents, listOldest, type OldEvent, rest } from './queries'

/*
 * Moves expired events to R2 as NDJSON, oldest first, and deletes the events afterwards. An object holds events of a
 * single day without a gap in the ids, and is named after the first event. A crash in between repeats the same object:
 * no event is lost or stored twice. An archive cannot be anonymized later. The archive therefore contains user ids,
 * useless after a purge of the user, but no names, addresses or member attributes. Events of ideas contain neither the
 * author nor the actor, because the author may become anonymous.
 */

// The archive belongs to the workspace, and no product limit applies.
const EVERYTHING = { products: null }
const nobody = { firstName: '', lastName: '', email: '' }

type Members = Record<string, unknown>

function impersonal(type: string, json: string): Members {
  const { ...data } = JSON.parse(json) as Members
  if (type.startsWith('member.')) delete data.attributes
  if (type.startsWith('feedback.') && 'user_id' in data) data.user_id = 0
  return data
}

export function archived({ type, data, previous, actorUserId, actorKey, createdAt, ...row }: OldEvent): string {
  const named = !type.startsWith('feedback.')
  const line = {
    id: row.id,
    type,
    actor: { userId: named ? actorUserId : null, key: named ? actorKey : null },
    productId: row.productId,
    resourceKey: row.resourceKey,
    data: impersonal(type, withKeys(withPerson(data, nobody), EVERYTHING)),
    previous: previous === null ? null : impersonal(type, withKeys(withoutPeople(previous), EVERYTHING)),
    createdAt: iso(createdAt),
  }
  return `${JSON.stringify(line)}\n`
}

const dayOf = ({ createdAt }: OldEvent) => iso(createdAt).slice(0, 10)

/** The first events of a page, up to the end of the day or a gap in the ids. */
function ofOneDay(found: readonly OldEvent[]): OldEvent[] {
  const [first] = found
  const end = found.findIndex((row, n) => !first || dayOf(row) !== dayOf(first) || row.id !== first.id + n)
  return end < 0 ? [...found] : found.slice(0, end)
}

export const objectOf = (subscriptionId: number, first: OldEvent): string =>
  `archive/${subscriptionId}/events/${dayOf(first)}/${String(first.id).padStart(12, '0')}.ndjson`

type Files = Pick<R2Bucket, 'put'>

async function archiveOf(subscriptionId: number, kept: number, store: Store, files: Files): Promise<void> {
  const page = ofOneDay(await listOldest(store, subscriptionId, kept))
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) {
    await rest(store, subscriptionId)
    return
  }
  await files.put(objectOf(subscriptionId, first), page.map(archived).join(''), {
    httpMetadata: { contentType: 'application/x-ndjson' },
  })
  await dropEvents(store, subscriptionId, first.id, last.id)
}

/** Archives a page of each due workspace per cron run. A failed workspace is retried after the lease of 20 minutes. */
export async function archiveLogs({ store, files, settings }: { store: Store; files: Files; settings: Settings }) {
  const kept = keptFor(settings, 'events')
  if (kept === undefined) return
  const failures: unknown[] = []
  for (const subscriptionId of await claimLogs(store)) {
    await archiveOf(subscriptionId, kept, store, files).catch((cause) => failures.push(cause))
  }
  if (failures.length) throw failures[0]
}
