import type { MessageDeps } from '../../../background'
import { isFull, readDatabaseBytes } from '../../../db/client/storage'
import type { Statement } from '../../../db/sql/statement'
import { ZipProblem } from '../../../files/archive/unzip'
import { repeatAfterMove } from '../../../http/home'
import { completeRestore, listErasedIds, listErasedIdsInHome, type SourceWorkspace } from '../queries/restore'
import { type ClaimedExport, passExportTurn, saveProgress } from '../queries/work'
import { RestoreProblem, readRestoreState, startRestoreState, writeRestoreState } from '../restore/state'
import { type CallCounter, MAX_CALLS_PER_MESSAGE } from './calls'
import type { RestoreContext } from './restore-context'
import { RESTORE_STEPS } from './restore-steps'

/*
 * The restore of an export, as messages of the queue. A unit of work writes at most 500 rows, or checks about 4 MB, and
 * stores its position in the same batch, so a killed invocation repeats a unit that wrote nothing. The whole file is
 * checked before the first row is written.
 */

/** An invocation has 30 seconds of processor time, and sanitizes about 4 MB of HTML per second. */
const MAX_BYTES_PER_MESSAGE = 40_000_000

export const isRestoreProblem = (cause: unknown): cause is Error =>
  cause instanceof RestoreProblem || cause instanceof ZipProblem

const TAKEN_PROBLEM =
  'A record of the workspace has the same key as a record of the file. Restore the file into another workspace, into which nobody writes.'
const REFUSED_PROBLEM = 'The file has a value that no export has. Erase this workspace.'

const FULL_PROBLEM =
  'The database of the service is full. Erase this workspace, and restore the file into another workspace when the database has room again.'

/** A repetition finds the same values. */
function toRestoreProblem(cause: unknown): unknown {
  const text = cause instanceof Error ? `${cause.message} ${cause.cause}` : ''
  if (/UNIQUE constraint failed/.test(text)) return new RestoreProblem(TAKEN_PROBLEM)
  return /constraint failed/.test(text) ? new RestoreProblem(REFUSED_PROBLEM) : cause
}

async function listErasedIdsOfHomes(source: SourceWorkspace, deps: MessageDeps): Promise<Set<number>> {
  const { openHome, knowsHome, store, now } = deps
  if (!openHome || !knowsHome) return listErasedIds(store(now()), source)
  // The file of another service can name a home that this service does not have.
  if (!knowsHome(source.id)) return new Set()
  return repeatAfterMove(source.id, () => listErasedIdsInHome(openHome(source.id).store(now()), source))
}

export async function continueRestore(run: ClaimedExport, deps: MessageDeps & CallCounter): Promise<void> {
  const { store, now, files, settings, outlet } = deps
  const { subscriptionId, exportId, objectKey } = run
  const stored = readRestoreState(run.archive)
  const state = stored ?? startRestoreState()
  let step = stored ? run.step : 0
  let position = stored && run.position !== null ? JSON.parse(run.position) : null
  const at: RestoreContext = {
    ...{ run, store: store(now()), files, settings, now: now(), state },
    otherStores: (deps.listOtherHomes?.(subscriptionId) ?? []).map((home) => home.store(now())),
    listErasedIds: (source) => listErasedIdsOfHomes(source, deps),
    counts: { records: run.recordCount, files: run.fileCount, events: 0 },
    readBytes: 0,
    ...{ reader: undefined, entries: undefined, erased: undefined },
    ...{ owner: null, prepare: undefined },
  }
  try {
    const save = (statements: Statement<never>[] = []) => {
      const progress = Math.floor((100 * step) / (RESTORE_STEPS.length + 1))
      const saved = {
        step,
        position: position && JSON.stringify(position),
        archive: writeRestoreState(state),
        progress,
      }
      return saveProgress(store(now()), run, { ...saved, ...at.counts }, statements)
    }
    const databaseBytes = readDatabaseBytes(settings)
    const refuseFullDatabase = () => {
      if (isFull(deps.databaseSize(), databaseBytes)) throw new RestoreProblem(FULL_PROBLEM)
    }
    const hasTime = () => deps.calls < MAX_CALLS_PER_MESSAGE && at.readBytes < MAX_BYTES_PER_MESSAGE
    let isSaved = true
    while (step < RESTORE_STEPS.length && hasTime()) {
      refuseFullDatabase()
      const { statements, next } = (await RESTORE_STEPS[step]?.(at, position)) ?? { statements: [], next: null }
      position = next
      if (next === null) step++
      // A step without a second page and without statements is soon repeated.
      isSaved = statements.length > 0 || next !== null
      if (isSaved) await save(statements)
    }
    if (!isSaved) await save()
  } catch (cause) {
    throw toRestoreProblem(cause)
  } finally {
    await at.reader?.close()
  }
  if (step === RESTORE_STEPS.length) {
    const size = (await files.head(objectKey))?.size ?? 0
    return completeRestore(store(now()), run, { size, records: at.counts.records, files: at.counts.files })
  }
  await passExportTurn(store(now()), run)
  await outlet.sendBatch([{ body: { kind: 'export.run', subscriptionId, exportId } }])
}
