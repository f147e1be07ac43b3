import type { Store } from '../../db/client/client'
import { archivePrefixOf } from '../events/archive'
import { objectPrefixOf } from '../objects/fields'
import {
  deleteTenantRows,
  deleteWorkspace,
  ERASED_ROWS_PER_SLICE,
  listDueWorkspaces,
  listTenantTables,
} from './queries/erase'

/*
 * Runs in the cron. The remaining rows and objects are the progress, so a killed run loses nothing. The row of the
 * workspace is the last one, after a run that has found nothing else: an invocation of the queue or the archive that
 * still works for the workspace cannot leave a row or an object behind.
 */

interface ErasureDeps {
  store: Store
  files: Pick<R2Bucket, 'list' | 'delete'>
}

const TABLES_PER_SLICE = 10
// A minute's share of a workspace. The jobs of the cron share 1,000 calls of an invocation.
const SLICES_PER_RUN = 60
const OBJECT_PAGES_PER_RUN = 20

/** Returns whether rows were found. */
async function eraseRows(store: Store, subscriptionId: number): Promise<boolean> {
  const tables = await listTenantTables(store)
  let found = false
  let remaining = SLICES_PER_RUN
  for (let at = 0; at < tables.length; at += TABLES_PER_SLICE) {
    const some = tables.slice(at, at + TABLES_PER_SLICE)
    for (let isEmpty = false; !isEmpty; ) {
      if (remaining-- === 0) return true
      const counts = await deleteTenantRows(store, subscriptionId, some)
      found ||= counts.some((count) => count > 0)
      isEmpty = counts.every((count) => count < ERASED_ROWS_PER_SLICE)
    }
  }
  return found
}

/** Returns whether objects were found. */
async function eraseObjects(files: ErasureDeps['files'], subscriptionId: number): Promise<boolean> {
  let found = false
  let remaining = OBJECT_PAGES_PER_RUN
  for (const prefix of [objectPrefixOf(subscriptionId), archivePrefixOf(subscriptionId)]) {
    for (;;) {
      if (remaining-- === 0) return true
      // R2 lists and deletes at most 1,000 keys per call.
      const { objects, truncated } = await files.list({ prefix })
      if (objects.length) await files.delete(objects.map(({ key }) => key))
      found ||= objects.length > 0
      if (!truncated) break
    }
  }
  return found
}

export async function eraseDueWorkspaces({ store, files }: ErasureDeps): Promise<void> {
  for (const subscriptionId of await listDueWorkspaces(store)) {
    const foundRows = await eraseRows(store, subscriptionId)
    const foundObjects = await eraseObjects(files, subscriptionId)
    if (!foundRows && !foundObjects) await deleteWorkspace(store, subscriptionId)
  }
}
