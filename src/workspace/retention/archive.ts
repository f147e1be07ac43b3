import type { Store } from '../../db/client'
import { keptFor } from '../../db/forget'
import type { Settings } from '../../env'
import { iso } from '../../text/moments'
import { withKeys } from '../events/keys'
import { withoutPeople, withPerson } from '../events/people'
import { claimLogs, dropEvents, listOldest, type OldEvent, rest } from './queries'

/*
 * Events that are too old to be kept go to R2 as lines of JSON, the oldest of a workspace first, those of one day in an object
 * that is named by the first of them; then they are deleted. Killed in between, the same are found again and written to
 * the same object: nothing is lost, and nothing stands there twice.
 *
 * Nobody can be taken out of an archive later. So of people it has ids alone, which lead to nobody once somebody is purged:
 * no name, no address, no attribute of a member, and of an idea, whose author may become anonymous, not who wrote it or acted.
 */

// It belongs to the workspace.
const EVERYTHING = { products: null }
const nobody = { firstName: '', lastName: '', email: '' }

type Members = Record<string, unknown>

/** What of a record's members goes to the archive. */
function impersonal(type: string, json: string): Members {
  const { ...data } = JSON.parse(json) as Members
  if (type.startsWith('member.')) delete data.attributes
  if (type.startsWith('feedback.') && 'user_id' in data) data.user_id = 0
  return data
}

/** An event's line. */
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

/** Events of one day, without a gap. */
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

/** The cron's part: a page of each workspace whose time has come. One that fails is looked at again in twenty minutes. */
export async function archiveLogs({ store, files, settings }: { store: Store; files: Files; settings: Settings }) {
  const kept = keptFor(settings, 'events')
  if (kept === undefined) return
  const failures: unknown[] = []
  for (const subscriptionId of await claimLogs(store)) {
    await archiveOf(subscriptionId, kept, store, files).catch((cause) => failures.push(cause))
  }
  if (failures.length) throw failures[0]
}
