import { archivePrefixOf } from '../events/archive'
import { objectPrefixOf } from '../objects/fields'
import type { Budget } from './budget'

/*
 * Files follow the rows into the bucket of the new home. Two bindings can name the same bucket, whose files stay.
 */

const MARKER_PREFIX = 'moves/'
const OBJECTS_PER_STEP = 50

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
  save(copied: Record<string, string | null>): Promise<unknown>
}

/** Copies the objects of the workspace. Returns false if the budget ends before. */
export async function copyObjects(workspaceId: number, { source, target, budget, copied, save }: CopyObjectsOptions) {
  for (const prefix of listPrefixes(workspaceId)) {
    while (copied[prefix] !== null) {
      if (budget.isSpent()) return false
      const after = copied[prefix]
      const { objects, truncated } = await source.list({
        prefix,
        limit: OBJECTS_PER_STEP,
        ...(after !== undefined && { startAfter: after }),
      })
      for (const { key } of objects) {
        const object = await source.get(key)
        if (!object) continue
        const { httpMetadata, customMetadata } = object
        await target.put(key, object.body, {
          ...(httpMetadata && { httpMetadata }),
          ...(customMetadata && { customMetadata }),
        })
      }
      budget.spend(1 + 2 * objects.length)
      copied = { ...copied, [prefix]: truncated ? (objects.at(-1)?.key ?? null) : null }
      await save(copied)
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
