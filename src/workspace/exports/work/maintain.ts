import type { Store } from '../../../db/client/client'
import { readRetentionMs } from '../../../db/sql/retention'
import type { Settings } from '../../../env'
import type { MessageOutlet } from '../../../messages'
import { logWarning } from '../../../text/log'
import { makeObjectKey } from '../../objects/fields'
import { claimDueBackups, insertBackups } from '../queries/backups'
import { deleteEndedExports, type EndedExport, listEndedExports, markCleaned } from '../queries/ended'
import { listWorkingExports } from '../queries/work'
import type { ArchiveState } from './archive'

interface MaintenanceDeps {
  store: Store
  outlet: MessageOutlet
  files: R2Bucket
}

/** Wakes exports after a lost message, deletes the bytes of ended exports, and a month later their rows. */
export async function maintainExports({ store, outlet, files }: MaintenanceDeps): Promise<void> {
  const working = await listWorkingExports(store)
  if (working.length) await outlet.sendBatch(working.map((run) => ({ body: { kind: 'export.run', ...run } })))
  const ended = await listEndedExports(store)
  const stored = ended.filter(({ archive }) => archive !== null)
  // The bytes go first: after a crash the export is found again, and a repeated delete has no effect.
  for (const run of stored) await deleteBytes(files, run)
  if (stored.length) await markCleaned(store, stored)
  const others = ended.filter(({ archive }) => archive === null)
  if (others.length) await deleteEndedExports(store, others)
}

async function deleteBytes(files: R2Bucket, { status, objectKey, archive }: EndedExport): Promise<void> {
  const { uploadId, tailKey } = JSON.parse(archive ?? '{}') as Partial<ArchiveState>
  await files.delete([objectKey, ...(tailKey ? [tailKey] : [])])
  if (status !== 'failed' || !uploadId) return
  // R2 ends an upload by itself after a week.
  await files
    .resumeMultipartUpload(objectKey, uploadId)
    .abort()
    .catch((cause) => logWarning('An upload of a failed export was not ended; R2 ends the upload.', {}, cause))
}

const DAY_MS = 86_400_000
/** Two o'clock in the night, UTC. */
const BACKUP_HOUR_MS = 2 * 3_600_000

const nextNightAfter = (now: number) => (Math.floor((now - BACKUP_HOUR_MS) / DAY_MS) + 1) * DAY_MS + BACKUP_HOUR_MS

/** Starts the nightly exports that are due, if the setting BACKUP_DAYS is set. */
export async function startBackups({ store, settings, now }: { store: Store; settings: Settings; now: number }) {
  const keptFor = readRetentionMs(settings, 'backups')
  if (keptFor === undefined) return
  const due = await claimDueBackups(store)
  const backups = due.map((subscriptionId) => ({
    subscriptionId,
    objectKey: makeObjectKey('exportFile', subscriptionId),
  }))
  if (backups.length) await insertBackups(store, backups, { keptFor, nextAt: nextNightAfter(now) })
}
