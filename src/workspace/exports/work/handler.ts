import type { MessageDeps, MessageHandler } from '../../../background'
import { ApiError } from '../../../text/errors'
import { sharesBucket } from '../../moves/objects'
import {
  type ClaimedExport,
  claimExport,
  completeExport,
  deleteEntries,
  EXPORT_LEASE_MS,
  failExport,
  hasTooManyAttempts,
  insertEntries,
  passExportTurn,
  saveProgress,
} from '../queries/work'
import type { ExportPart } from '../schema'
import { type ArchiveState, ArchiveWriter, completeArchive, ExportProblem, PART_BYTES, startArchive } from './archive'
import { type CallCounter, countCalls, MAX_CALLS_PER_MESSAGE } from './calls'
import { continueRestore, isRestoreProblem } from './restore'
import { type ExportCounts, listExportSteps } from './steps'

/*
 * Queue consumer. Acknowledged: the export has ended or its turn is over, and the next message is enqueued; or another
 * invocation has the export. Retried after the lease: a failure of the database or of R2. A unit of work writes parts and
 * a tail to R2 and then stores their names with the progress, so a killed invocation repeats its unit at most. An export
 * starts again if its workspace has moved into another bucket, which lacks the upload. Given up: an export without
 * progress in 20 attempts, or with a file that is too large, fails with the reason. The cron wakes exports without a
 * message.
 */

/** An invocation has 30 seconds of processor time, and compresses about 10 MB per second. */
const MAX_UNITS_PER_MESSAGE = 10
const MAX_TEXT_BYTES_PER_UNIT = 8 * 1024 * 1024

const EXPORT_STOPPED = 'The export made no progress. Start another export.'
const RESTORE_STOPPED =
  'The restore made no progress. Erase this workspace, and restore the file into another workspace.'

export const exportRunHandler: MessageHandler<'export.run'> = {
  afterFailure: EXPORT_LEASE_MS,
  async handle({ subscriptionId, exportId }, deps) {
    const run = await claimExport(deps.store(deps.now()), { subscriptionId, exportId })
    if (!run) return undefined
    try {
      const isRestore = run.kind === 'restore'
      if (hasTooManyAttempts(run)) throw new ExportProblem(isRestore ? RESTORE_STOPPED : EXPORT_STOPPED)
      const counted = countCalls(deps)
      await (isRestore ? continueRestore(run, counted) : continueExport(run, counted))
    } catch (cause) {
      if (cause instanceof ExportProblem || isRestoreProblem(cause))
        await failExport(deps.store(deps.now()), run, cause.message)
      // Another invocation took over after the lease.
      else if (!(cause instanceof ApiError && cause.code === 'conflict')) throw cause
    }
    return undefined
  },
}

interface ExportProgress {
  step: number
  position: (string | number)[] | null
  archive: ArchiveState
  counts: ExportCounts
}

type CountedDeps = MessageDeps & CallCounter

const hasCalls = ({ calls }: CallCounter) => calls < MAX_CALLS_PER_MESSAGE

async function continueExport(run: ClaimedExport, deps: CountedDeps): Promise<void> {
  const { store, now, files, outlet } = deps
  const { subscriptionId, exportId, objectKey } = run
  const steps = listExportSteps(JSON.parse(run.include) as ExportPart[])
  let progress = await openProgress(run, deps)
  for (let unit = 0; progress.step < steps.length && unit < MAX_UNITS_PER_MESSAGE && hasCalls(deps); unit++) {
    progress = await writeUnit(run, progress, deps)
  }
  if (progress.step === steps.length) {
    const size = await completeArchive(files, objectKey, progress.archive)
    return completeExport(store(now()), run, size)
  }
  await passExportTurn(store(now()), run)
  await outlet.sendBatch([{ body: { kind: 'export.run', subscriptionId, exportId } }])
}

async function openProgress(run: ClaimedExport, deps: CountedDeps): Promise<ExportProgress> {
  const { store, now, files, home = 0 } = deps
  const { exportId, objectKey, step, position, recordCount, fileCount, eventCount } = run
  const before: ArchiveState | null = run.archive === null ? null : JSON.parse(run.archive)
  if (before && (await hasUpload(before, run, deps)))
    return {
      ...{ step, position: position === null ? null : JSON.parse(position), archive: { ...before, home } },
      counts: { records: recordCount, files: fileCount, events: eventCount },
    }
  const archive = await startArchive(files, objectKey, home)
  const counts: ExportCounts = { records: 0, files: 0, events: 0 }
  if (before) {
    const stored = { step: 0, position: null, archive: JSON.stringify(archive), progress: 0, ...counts }
    await saveProgress(store(now()), run, stored, [deleteEntries(exportId)])
    if (before.tailKey !== null) await files.delete(before.tailKey)
  }
  return { step: 0, position: null, archive, counts }
}

/** A move takes the object of a complete upload along, but no parts. R2 ends the upload of the old bucket after a week. */
async function hasUpload(archive: ArchiveState, { subscriptionId, objectKey }: ClaimedExport, deps: CountedDeps) {
  const { files, home = 0, listOtherHomes } = deps
  if (archive.home === undefined || archive.home === home) return true
  const old = listOtherHomes?.(subscriptionId).find((other) => other.home === archive.home)
  if (old && (await sharesBucket(old.files, files))) return true
  return (await files.head(objectKey)) !== null
}

/** Writes pages until a part is full, and stores the progress. */
async function writeUnit(run: ClaimedExport, before: ExportProgress, deps: CountedDeps): Promise<ExportProgress> {
  const { store, now, files } = deps
  const { subscriptionId, exportId, objectKey, createdAt } = run
  const steps = listExportSteps(JSON.parse(run.include) as ExportPart[])
  const writer = await ArchiveWriter.resume(files, before.archive, createdAt)
  const counts = { ...before.counts }
  let { step, position } = before
  const isFull = () => writer.heldBytes >= PART_BYTES || writer.appendedBytes >= MAX_TEXT_BYTES_PER_UNIT
  while (!isFull() && hasCalls(deps)) {
    const current = steps[step]
    if (!current || (current.readsEntries && writer.closed.length > 0)) break
    const at = { store: store(now()), files, subscriptionId, exportId, writer, counts }
    const next = await current.write(at, position)
    position = next && [...next]
    if (next === null) step++
  }
  await writer.store(files, { objectKey, subscriptionId, isLast: step === steps.length })
  const archive = writer.state
  const stored = {
    ...{ step, position: position && JSON.stringify(position), archive: JSON.stringify(archive), ...counts },
    progress: Math.floor((100 * step) / steps.length),
  }
  await saveProgress(store(now()), run, stored, [insertEntries(exportId, writer.closed)])
  if (before.archive.tailKey !== null) await files.delete(before.archive.tailKey)
  return { step, position, archive, counts }
}
