import type { Store } from '../../db/client'
import { listUnowned } from './queries'

const DAY = 86_400_000

/** How far the sweep is: kept beside what it sweeps, under a key that is of no kind. */
const PLACE = 'sweep.json'

interface Place {
  /** The last key that was looked at; undefined before the first. */
  after?: string
  /** Nothing is looked at before. */
  dueAt: number
}

interface Given {
  store: Store
  files: R2Bucket
  now: number
}

/**
 * Deletes bytes that are no record's: a part of the cron, a page of keys a run, from one end of the bucket to the other and
 * anew a day later. What came within a day may still get its record. Killed before it notes its place it looks at the
 * same page again; deleting twice is no fault.
 */
export async function sweepObjects({ store, files, now }: Given): Promise<void> {
  const { after, dueAt } = (await (await files.get(PLACE))?.json<Place>()) ?? { dueAt: 0 }
  if (now < dueAt) return
  // A thousand keys: R2 lists, and deletes, no more at once.
  const { objects, truncated } = await files.list(after === undefined ? {} : { startAfter: after })
  const old = objects.filter(({ uploaded }) => uploaded.getTime() <= now - DAY).map(({ key }) => key)
  const unowned = old.length ? await listUnowned(store, old) : []
  if (unowned.length) {
    console.warn(`Deleting ${unowned.length} objects that are no record's`)
    await files.delete(unowned)
  }
  const last = objects.at(-1)?.key
  const place: Place = truncated && last !== undefined ? { after: last, dueAt: 0 } : { dueAt: now + DAY }
  await files.put(PLACE, JSON.stringify(place))
}
