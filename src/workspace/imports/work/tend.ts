import type { Store } from '../../../db/client'
import type { Outlet } from '../../../messages'
import { forgetObjects, forgetRowsOf, listDue } from '../queries/work'

/**
 * A part of the cron: wakes runs whose message was lost, or whose invocation ended; deletes the files of those that have
 * ended, and a month later what became of their rows.
 */
export async function tendImports({ store, outlet, files }: { store: Store; outlet: Outlet; files: R2Bucket }) {
  const due = await listDue(store)
  const working = due.filter((run) => run.working)
  if (working.length) {
    await outlet.sendBatch(
      working.map(({ subscriptionId, importId }) => ({ body: { kind: 'import.run', subscriptionId, importId } })),
    )
  }
  const ended = due.filter((run) => !run.working)
  const stored = ended.filter(({ objectKey }) => objectKey !== null)
  const others = ended.filter(({ objectKey }) => objectKey === null)
  // The bytes first: killed in between, the run is found again, and deleting twice is no fault.
  if (stored.length) {
    await files.delete(stored.flatMap(({ objectKey }) => objectKey ?? []))
    await forgetObjects(store, stored)
  }
  if (others.length) await forgetRowsOf(store, others)
}
