import type { Store } from '../../db/client'
import { deleteDue, listDue } from './queries'

/** Deletes for good what was removed a month ago, a bounded share of it, with its bytes: a part of the cron. */
export async function purge({ store, files }: { store: Store; files: Pick<R2Bucket, 'delete'> }): Promise<void> {
  const due = await listDue(store)
  for (const [place, records] of due.entries()) {
    if (!records.length) continue
    const objects = records.flatMap(({ object }) => object ?? [])
    // The bytes first: killed in between, the record is found again, and deleting twice is no fault.
    if (objects.length) await files.delete(objects)
    await deleteDue(store, place, records)
  }
}
