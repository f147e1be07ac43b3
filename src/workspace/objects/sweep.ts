import type { Store } from '../../db/client/client'
import { logWarning } from '../../text/log'
import { listUnownedObjectKeys } from './queries'

const DAY_MS = 86_400_000

/** The sweep stores the progress in the bucket, under a key of no listed kind. Homes may share a bucket. */
const progressKeyOf = (home: number) => (home === 0 ? 'sweep.json' : `sweep-${home}.json`)

interface SweepProgress {
  after?: string
  dueAt: number
}

interface SweepOptions {
  store: Store
  files: R2Bucket
  now: number
  /** Number of the home. */
  home?: number
}

/** Objects younger than a day stay, because a record may follow. */
export async function sweepObjects({ store, files, now, home = 0 }: SweepOptions): Promise<void> {
  const progressKey = progressKeyOf(home)
  const { after, dueAt } = (await (await files.get(progressKey))?.json<SweepProgress>()) ?? { dueAt: 0 }
  if (now < dueAt) return
  // R2 lists and deletes at most 1,000 keys per call.
  const { objects, truncated } = await files.list(after === undefined ? {} : { startAfter: after })
  const old = objects.filter(({ uploaded }) => uploaded.getTime() <= now - DAY_MS).map(({ key }) => key)
  const unowned = old.length ? await listUnownedObjectKeys(store, old) : []
  if (unowned.length) {
    logWarning('Objects without a record are deleted.', { objects: unowned.length })
    await files.delete(unowned)
  }
  const last = objects.at(-1)?.key
  const place: SweepProgress = truncated && last !== undefined ? { after: last, dueAt: 0 } : { dueAt: now + DAY_MS }
  await files.put(progressKey, JSON.stringify(place))
}
