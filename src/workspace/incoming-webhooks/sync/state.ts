import { type ItemChange, toClock } from './change'
import { type Clock, isLater, takeLater } from './clocks'
import { ALL_FIELDS, type Happening, listChangedFields, type Members, type SyncField } from './fields'
import type { ClaimedItem, LocalEvent, LocalItem, StoredRecord } from './queries/record'

/** What is known of the fields of an item that two workspaces keep equal. */
export interface SyncState {
  /** The last change of each field on either side. */
  clocks: Partial<Record<SyncField, Clock>>
  /** Values of last changes that the item does not have yet. */
  pending: Partial<Record<SyncField, Members>>
  /** Undefined until an event says whether the item exists. */
  exists: boolean | undefined
}

export function readState({ details }: Pick<StoredRecord, 'details'>): SyncState {
  const { clocks = {}, pending = {}, exists } = JSON.parse(details) as Partial<SyncState>
  return { clocks: { ...clocks }, pending: { ...pending }, exists }
}

export const formatState = (state: SyncState, itemId: number | undefined): string =>
  JSON.stringify({ ...state, ...(itemId !== undefined && { itemId }) })

function readHappening({ type, key }: LocalEvent, { externalKey, previousKeys }: LocalItem) {
  const happening = type.slice(type.indexOf('.') + 1) as Happening
  const [firstKey = externalKey] = JSON.parse(previousKeys) as string[]
  return { happening, isConversion: key !== (happening === 'deleted' ? externalKey : firstKey) }
}

const HAPPENINGS = new Set<string>(['created', 'updated', 'deleted', 'restored'] satisfies Happening[])

/** Adds the changes that were made here. */
export function addLocalEvents(state: SyncState, { item, events }: Pick<ClaimedItem, 'item' | 'events'>): void {
  if (!item) return
  for (const event of events) {
    const { happening, isConversion } = readHappening(event, item)
    if (!HAPPENINGS.has(happening)) continue
    const fields = listChangedFields({
      ...{ happening, isConversion, changed: JSON.parse(event.changed) as string[] },
      ...{ epicId: event.epicId ?? 0, featureId: event.featureId ?? 0 },
      ...{ previousEpicId: event.previousEpicId, previousFeatureId: event.previousFeatureId },
    })
    const clock: Clock = [event.at, item.isCopy ? 0 : 1, event.id]
    for (const field of fields) {
      if (isLater(clock, state.clocks[field])) {
        delete state.pending[field]
        if (field === 'life') state.exists = happening !== 'deleted'
      }
      state.clocks[field] = takeLater(state.clocks[field], clock)
    }
  }
}

/** Adds a change of the other side. The whole item counts if there is no item here yet. */
export function addForeignChange(
  state: SyncState,
  change: ItemChange,
  { eventId, isNew, isCopy }: { eventId: number; isNew: boolean; isCopy: boolean },
): void {
  const clock = toClock(change, isCopy, eventId)
  const fields = isNew
    ? ALL_FIELDS
    : impliesLife(state, change, clock)
      ? [...change.changed, 'life' as const]
      : change.changed
  for (const field of fields) {
    const value = change.values[field]
    if (value === undefined) continue
    if (isLater(clock, state.clocks[field])) {
      state.pending[field] = value
      if (field === 'life') state.exists = value.exists === true
    }
    state.clocks[field] = takeLater(state.clocks[field], clock)
  }
}

/** A side that changes an item after its own removal has restored the item. */
const impliesLife = ({ clocks: { life } }: SyncState, { happening }: ItemChange, clock: Clock): boolean =>
  happening !== 'deleted' && life !== undefined && life[1] === clock[1]
