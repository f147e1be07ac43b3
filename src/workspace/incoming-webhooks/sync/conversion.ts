import { parentOf } from './fields'
import type { MergeContext, Round } from './merge'
import { type LocalItem, type RecordName, storeDetails } from './queries/record'
import { formatState, type SyncState } from './state'

/** Values that a conversion moves or drops. */
function readValuesOfConversion(item: LocalItem): SyncState['pending'] {
  const parentId = parentOf(item.epicId ?? 0, item.featureId ?? 0)
  return {
    points: { points: item.type === 'userstory' ? item.storyPoint : item.estimate },
    ...(item.type !== 'epic' && { parent: { id: parentId, ownId: parentId || null } }),
  }
}

/** Stores the values that were set here after the other side converted the item, so that they are set again afterwards. */
export async function keepLaterValues(
  item: LocalItem,
  { found, known, state }: Round,
  record: RecordName,
  { deps, name }: MergeContext,
): Promise<void> {
  const later = Object.entries(readValuesOfConversion(item)).filter(([field]) => !Object.hasOwn(state.pending, field))
  if (later.length === 0) return
  const details = formatState({ ...known, pending: { ...known.pending, ...Object.fromEntries(later) } }, item.id)
  const outcome = { details, position: found.lastEventId }
  await storeDetails(deps.store(deps.now()), name.subscriptionId, record, outcome)
}
