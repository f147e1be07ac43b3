import type { Store } from '../../db/client/client'
import { readRetentionMs } from '../../db/sql/retention'
import type { Settings } from '../../env'
import { toIso } from '../../text/moments'
import { formatArchivedEvent, makeArchiveObjectKey } from '../events/archive'
import type { ArchivedEvent } from '../events/statements'
import { claimDueLogs, deleteArchivedEvents, listExpiredEvents, postponeArchive } from './queries'

const dayOfEvent = ({ createdAt }: ArchivedEvent) => toIso(createdAt).slice(0, 10)

function takeEventsOfFirstDay(found: readonly ArchivedEvent[]): ArchivedEvent[] {
  const [first] = found
  const end = found.findIndex((row, n) => !first || dayOfEvent(row) !== dayOfEvent(first) || row.id !== first.id + n)
  return end < 0 ? [...found] : found.slice(0, end)
}

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
  await files.put(makeArchiveObjectKey(subscriptionId, last.id), page.map(formatArchivedEvent).join(''), {
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
