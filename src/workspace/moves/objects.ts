import { archivePrefixOf } from '../events/archive'
import { objectPrefixOf } from '../objects/fields'
import type { Budget } from './budget'
import { MoveProblem } from './queries/state'

/*
 * Files follow the rows into the bucket of the new home. Two bindings can name the same bucket, whose files stay.
 */

const MARKER_PREFIX = 'moves/'

/** Whether both bindings name the same bucket. */
export async function sharesBucket(source: R2Bucket, target: R2Bucket): Promise<boolean> {
  if (source === target) return true
  const key = `${MARKER_PREFIX}${crypto.randomUUID()}`
  await source.put(key, key)
  try {
    return (await target.head(key)) !== null
  } finally {
    await source.delete(key)
  }
}

const listPrefixes = (workspaceId: number) => [objectPrefixOf(workspaceId), archivePrefixOf(workspaceId)]

interface CopyObjectsOptions {
  source: R2Bucket
  target: R2Bucket
  budget: Budget
  /** Key of the last copied object of each prefix; null after the last object. */
  copied: Record<string, string | null>
  /** Also renews the lease of the move. */
  save(copied: Record<string, string | null>): Promise<unknown>
}

// A fraction of the lease.
const SAVE_INTERVAL_MS = 3_000

/** Waits for the copy of a large file, and renews the lease meanwhile. */
async function waitForCopy(copy: Promise<void>, renew: () => Promise<unknown>): Promise<void> {
  copy.catch(() => undefined)
  const isCopied = () => Promise.race([copy.then(() => true), scheduler.wait(SAVE_INTERVAL_MS)])
  while (!(await isCopied())) await renew()
}

const isCopy = (copy: R2Object | undefined, { size, uploaded }: R2Object) =>
  copy !== undefined && copy.size === size && copy.uploaded >= uploaded

// R2 takes 5 GiB at once.
const MAX_OBJECT_BYTES = 4.9 * 2 ** 30

async function copyObject(key: string, source: R2Bucket, target: R2Bucket): Promise<void> {
  const object = await source.get(key)
  if (!object) return
  if (object.size > MAX_OBJECT_BYTES) throw new MoveProblem(`The file ${key} has more than 4.9 GiB.`)
  const { httpMetadata, customMetadata } = object
  await target.put(key, object.body, {
    ...(httpMetadata && { httpMetadata }),
    ...(customMetadata && { customMetadata }),
  })
}

/** Copies the objects that the target lacks or has in an older state. Returns false if the budget ends before. */
export async function copyObjects(workspaceId: number, { source, target, budget, copied, save }: CopyObjectsOptions) {
  let savedAt = Date.now()
  const saveAfter = async (prefix: string, key: string | null) => {
    copied = { ...copied, [prefix]: key }
    savedAt = Date.now()
    await save(copied)
  }
  for (const prefix of listPrefixes(workspaceId)) {
    while (copied[prefix] !== null) {
      if (budget.isSpent()) return false
      const after = copied[prefix]
      const page = { prefix, ...(after !== undefined && { startAfter: after }) }
      const [{ objects, truncated }, present] = await Promise.all([source.list(page), target.list(page)])
      budget.spend(2)
      const copies = new Map(present.objects.map((object) => [object.key, object]))
      for (const object of objects) {
        if (isCopy(copies.get(object.key), object)) continue
        await waitForCopy(copyObject(object.key, source, target), () => save(copied))
        budget.spend(2)
        if (budget.isSpent() || Date.now() - savedAt > SAVE_INTERVAL_MS) await saveAfter(prefix, object.key)
        if (budget.isSpent()) return false
      }
      await saveAfter(prefix, truncated ? (objects.at(-1)?.key ?? null) : null)
    }
  }
  return true
}

interface DeleteObjectsOptions {
  budget: Budget
  /** Throws if the move has ended. */
  keepMove(): Promise<unknown>
}

/** Deletes the objects of the workspace. Returns false if the budget ends before. */
export async function deleteObjects(
  files: R2Bucket,
  workspaceId: number,
  { budget, keepMove }: DeleteObjectsOptions,
): Promise<boolean> {
  for (const prefix of listPrefixes(workspaceId)) {
    for (;;) {
      if (budget.isSpent()) return false
      // R2 lists and deletes at most 1,000 keys per call.
      const { objects, truncated } = await files.list({ prefix })
      await keepMove()
      if (objects.length) await files.delete(objects.map(({ key }) => key))
      budget.spend(2)
      if (!truncated) break
    }
  }
  return true
}
