import type { Store } from '../../db/client/client'
import { type DuePurgeRecord, deleteDueRecords, listDueRecords } from './queries'

/** A failing workspace does not stop the others, and the next run repeats it. */
export async function purgeDueRecords({ store, files }: { store: Store; files: Pick<R2Bucket, 'delete'> }) {
  const failures: unknown[] = []
  for (const [place, records] of (await listDueRecords(store)).entries()) {
    if (!records.length) continue
    const objects = records.flatMap(({ object }) => object ?? [])
    // The bytes go first: after a crash the record is found again, and a repeated delete has no effect.
    if (objects.length) await files.delete(objects)
    const purge = (some: readonly DuePurgeRecord[]) => deleteDueRecords(store, place, some)
    await purge(records).catch(async () => {
      for (const some of Map.groupBy(records, ({ subscriptionId }) => subscriptionId).values())
        await purge(some).catch((cause: unknown) => failures.push(cause))
    })
  }
  if (failures.length) throw failures[0]
}
