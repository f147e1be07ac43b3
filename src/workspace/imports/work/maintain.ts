import type { Store } from '../../../db/client/client'
import type { MessageOutlet } from '../../../messages'
import { clearObjectKeys, deleteImportJournal, listDueRuns } from '../queries/work'

/** Wakes runs after a lost message, and deletes the files of ended runs, and a month later the journal. */
export async function maintainImports({
  store,
  outlet,
  files,
}: {
  store: Store
  outlet: MessageOutlet
  files: R2Bucket
}) {
  const { working, ended } = await listDueRuns(store)
  if (working.length) {
    await outlet.sendBatch(working.map((run) => ({ body: { kind: 'import.run', ...run } })))
  }
  const stored = ended.filter(({ objectKey }) => objectKey !== null)
  const others = ended.filter(({ objectKey }) => objectKey === null)
  // The bytes go first: after a crash the run is found again, and a repeated delete has no effect.
  if (stored.length) {
    await files.delete(stored.flatMap(({ objectKey }) => objectKey ?? []))
    await clearObjectKeys(store, stored)
  }
  if (others.length) await deleteImportJournal(store, others)
}
