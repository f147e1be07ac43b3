import type { Store } from '../../db/client/client'
import { deleteDueRecords, listDueRecords } from './queries'

export async function purgeDueRecords({ store, files }: { store: Store; files: Pick<R2Bucket, 'delete'> }) {
  const due = await listDueRecords(store)
  for (const [place, records] of due.entries()) {
    if (!records.length) continue
    const objects = records.flatMap(({ object }) => object ?? [])
    // The bytes go first: after a crash the record is found again, and a repeated delete has no effect.
    if (objects.length) await files.delete(objects)
    await deleteDueRecords(store, place, records)
  }
}
