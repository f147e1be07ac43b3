import type { OwnRequest } from '../work/requests'
import { type ItemType, isStoredValue, type Members, type SyncField, toRequestMembers } from './fields'
import type { ChildItem, LocalItem, LocalParent } from './queries/record'
import type { SyncState } from './state'

const PATH_BY_TYPE: Record<ItemType, string> = { epic: 'epics', feature: 'features', userstory: 'storyMap/card' }

export const pathOfItem = (product: string, { type, externalKey }: Pick<LocalItem, 'type' | 'externalKey'>): string =>
  `/api/initiatives/${product}/${PATH_BY_TYPE[type]}/${externalKey}`

/** Records that the pending values name. */
export interface LinkedRecords {
  parent: LocalParent | undefined
  userIds: readonly number[]
}

export interface PlannedMembers {
  /** Members of the request by field. */
  membersByField: Map<SyncField, Members>
  /** Fields whose values the item has already. */
  settled: SyncField[]
  /** Fields that the item can have in part only, unless its type changes: their values stay pending. */
  partial: Set<SyncField>
  waitsForParent: boolean
}

type Place = Pick<LocalItem, 'epicId' | 'featureId'>

/** Members that place an item below its parent; undefined for a parent that cannot have the item. */
function placeBelow(parent: LocalParent | undefined, parentId: number, type: ItemType): Members | undefined {
  if (parentId === 0) return type === 'feature' ? { epicId: 0 } : { epicId: 0, featureId: 0 }
  if (!parent || parent.isRemoved) return undefined
  if (parent.type === 'epic') return type === 'feature' ? { epicId: parent.id } : { epicId: parent.id, featureId: 0 }
  if (parent.type === 'userstory') return undefined
  // A story that became a feature is below the epic of its feature.
  return type === 'userstory' ? { featureId: parent.id } : { epicId: parent.epicId ?? 0 }
}

const isPlaced = (members: Members, { epicId, featureId }: Place): boolean =>
  (members.featureId === undefined || members.featureId === (featureId ?? 0)) &&
  // A feature decides about the epic.
  (members.epicId === undefined || members.epicId === (epicId ?? 0))

const hasSameIds = (ids: readonly number[], stored: string): boolean => {
  const known = new Set(JSON.parse(stored) as number[])
  return known.size === ids.length && ids.every((id) => known.has(id))
}

interface FieldRequest {
  members: Members
  isStored: boolean
  isPartial?: boolean
}

function planParent(id: number, parent: LocalParent | undefined, type: ItemType, item: LocalItem | undefined) {
  const members = placeBelow(parent, id, type)
  const isPartial = parent?.type === 'feature' && type === 'feature'
  return members && { members, isStored: item !== undefined && isPlaced(members, item), isPartial }
}

/** Undefined for a value that the item cannot have, unless its type or the parent changes. */
function planField(
  [field, value]: [SyncField, Members],
  type: ItemType,
  item: LocalItem | undefined,
  { parent, userIds }: LinkedRecords,
): FieldRequest | undefined {
  if (field === 'parent') return type === 'epic' ? undefined : planParent(Number(value.id), parent, type, item)
  if (field === 'assignees')
    return { members: { userId: userIds }, isStored: item !== undefined && hasSameIds(userIds, item.userIds) }
  const members = toRequestMembers(field, value, type)
  const isPartial = field === 'points' && !Object.values(members ?? {}).includes(String(value.points))
  return members && { members, isStored: item !== undefined && isStoredValue(members, item), isPartial }
}

/** The members that give an item the pending values. Without an item, all members. */
export function planMembers(
  { pending }: SyncState,
  type: ItemType,
  item: LocalItem | undefined,
  linked: LinkedRecords,
): PlannedMembers {
  const planned: PlannedMembers = { membersByField: new Map(), settled: [], partial: new Set(), waitsForParent: false }
  for (const [name, value] of Object.entries(pending)) {
    const field = name as SyncField
    if (field === 'life' || field === 'type') continue
    const request = planField([field, value], type, item, linked)
    if (request?.isPartial) planned.partial.add(field)
    if (request?.isStored && !request.isPartial) planned.settled.push(field)
    else if (request?.isStored) continue
    else if (request) planned.membersByField.set(field, request.members)
    else planned.waitsForParent ||= field === 'parent' && type !== 'epic'
  }
  return planned
}

const CREATABLE_PROGRESS = new Set<unknown>(['to-do', 'in-progress', 'done'])

/** The request that creates a copy. A create takes fewer values than a modify. */
export function buildCreateRequest(
  product: string,
  { source, id, type }: { source: string; id: number; type: ItemType },
  membersByField: ReadonlyMap<SyncField, Members>,
): OwnRequest {
  const body = Object.assign(
    { type },
    ...[...membersByField].map(([field, members]) =>
      field === 'backlog' || (field === 'progress' && !CREATABLE_PROGRESS.has(members.progress)) ? {} : members,
    ),
  ) as Members
  return { method: 'PUT', path: `/api/initiatives/${product}/backlog/external/${source}/${id}`, body }
}

/** The request that takes a child out of its parent. */
export function buildDetachRequest(product: string, child: ChildItem): OwnRequest {
  const body =
    child.type === 'feature' ? { epicId: 0 } : child.featureId === null ? { epicId: 0, featureId: 0 } : { featureId: 0 }
  return { method: 'PUT', path: pathOfItem(product, child), body }
}
