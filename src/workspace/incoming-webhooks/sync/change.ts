import { parseIsoMoment } from '../../../text/moments'
import { findValueAtPath } from '../path'
import type { Clock } from './clocks'
import {
  FIELD_BY_MAPPED_NAME,
  type Happening,
  type ItemType,
  listChangedFields,
  type Members,
  parentOf,
  readFieldValues,
  type SyncField,
} from './fields'

/** An item at the sender. `ownId`: id of the item here, if the sender has a copy of an item of this workspace. */
export interface ForeignItem {
  id: number
  ownId: number | null
}

/** A change of an item at another workspace. */
export interface ItemChange {
  source: string
  item: ForeignItem
  happening: Happening
  type: ItemType
  /** Milliseconds. */
  at: number
  changed: readonly SyncField[]
  /** All fields of the item after the change. */
  values: Readonly<Record<string, Members>>
  /** Fields that are longer than a delivery. */
  cut: readonly SyncField[]
}

const ITEM_EVENT_PATTERN = /^(epic|feature|userstory)\.(created|updated|deleted|restored)$/
const EVENT_ID_PATTERN = /^evt_\d+_([1-9]\d{0,15})$/

/** The number of the event in a `webhook-id` of this service. */
export function parseEventId(deliveryId: string): number | undefined {
  const [, id] = EVENT_ID_PATTERN.exec(deliveryId) ?? []
  return id === undefined ? undefined : Number(id)
}

export const toClock = ({ at }: Pick<ItemChange, 'at'>, isOfOriginal: boolean, eventId: number): Clock => [
  at,
  isOfOriginal ? 1 : 0,
  eventId,
]

interface DeliveryMembers {
  type: string
  timestamp: string
  data: Members
  previous: Members
  links: {
    externalKey?: string
    previousKeys?: string[]
    externalIds?: Record<string, string>
    epicExternalIds?: Record<string, string>
    featureExternalIds?: Record<string, string>
    assignees?: string[]
  }
}

const readObject = (payload: unknown, path: string) => {
  const found = findValueAtPath(payload, path)
  return (found !== null && typeof found === 'object' ? found : {}) as never
}

const readDelivery = (payload: unknown): DeliveryMembers => ({
  type: String(findValueAtPath(payload, '$.type')),
  timestamp: String(findValueAtPath(payload, '$.timestamp')),
  data: readObject(payload, '$.data'),
  previous: readObject(payload, '$.previous'),
  links: readObject(payload, '$.links'),
})

const readId = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0)
const readOwnId = (ids: Record<string, string> | undefined, source: string): number | null => {
  const id = ids?.[source] ?? ''
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null
}

/** The change that a delivery of this service reports, or the reason to ignore the delivery. */
export function readItemChange(
  payload: unknown,
  source: string,
  mapping: Readonly<Record<string, string>>,
): ItemChange | string {
  const { type: eventType, timestamp, data, previous, links } = readDelivery(payload)
  const [, type, happening] = ITEM_EVENT_PATTERN.exec(eventType) ?? []
  if (!type || !happening) return `The event ${eventType} is not about a work item.`
  const at = parseIsoMoment(timestamp)
  const id = readId(data.id)
  if (id < 1 || at === undefined) return 'The payload has no id of an item, or no timestamp.'
  const { previousKeys = [], externalKey = data.externalKey } = links
  const [epicId, featureId] = [readId(data.epicId), readId(data.featureId)]
  const isConversion =
    happening === 'deleted' ? externalKey !== data.externalKey : (previousKeys[0] ?? externalKey) !== data.externalKey
  if (happening === 'deleted' && isConversion) return 'The item was converted to another type.'
  const { values, cut } = readFieldValues(data)
  const parentId = parentOf(epicId, featureId)
  const parent: ForeignItem = {
    id: parentId,
    ownId: readOwnId(featureId ? links.featureExternalIds : links.epicExternalIds, source),
  }
  const all: Record<string, Members> = {
    ...values,
    parent: { ...parent },
    type: { type },
    life: { exists: happening !== 'deleted' },
  }
  if (all.assignees) all.assignees = { addresses: links.assignees ?? [] }
  const hidesAssignees = Array.isArray(data.userId) && data.userId.length > 0 && links.assignees === undefined
  const unmapped = new Set(Object.keys(mapping).flatMap((name) => FIELD_BY_MAPPED_NAME.get(name) ?? []))
  const isCarried = (field: SyncField) =>
    all[field] !== undefined && !unmapped.has(field) && !(field === 'assignees' && hidesAssignees)
  const changed = listChangedFields({
    ...{ happening: happening as Happening, isConversion, changed: Object.keys(previous), epicId, featureId },
    previousEpicId: Object.hasOwn(previous, 'epicId') ? readId(previous.epicId) : null,
    previousFeatureId: Object.hasOwn(previous, 'featureId') ? readId(previous.featureId) : null,
  })
  return {
    ...{ source, item: { id, ownId: readOwnId(links.externalIds, source) }, at, type: type as ItemType },
    happening: happening as Happening,
    changed: changed.filter(isCarried),
    values: Object.fromEntries(Object.entries(all).filter(([field]) => isCarried(field as SyncField))),
    cut: cut.filter((field) => changed.includes(field)),
  }
}
