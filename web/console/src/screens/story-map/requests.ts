import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { NO_FILTERS } from '../backlog/filters'
import { readForest } from '../backlog/requests'
import { BESIDE, findNeighbor, type PartKind, type Spot, type StoryMap } from './map-model'

export type MapEntry = Operations['listStoryMaps']['data'][number]

/** A part of a map, of whichever kind. */
export interface PartFields {
  title: string
  activityId?: number
  versionKey?: string | null
}
export interface PartChange extends Partial<PartFields> {
  color?: string
  beforeId?: number
  afterId?: number
}

export interface StoredPart {
  fields: PartFields
  etag: string
}

/** Where the parts are. */
export interface MapPlace {
  product: string
  mapId: number
}

const toPath = ({ product, mapId }: MapPlace) => ({ product_external_key: product, storyMapId: mapId })

const MAX_MAPS = 100

export const useMaps = (product: string) =>
  useQuery<MapEntry[]>({
    queryKey: ['story_map', product],
    queryFn: () => client.listStoryMaps({ product_external_key: product, limit: MAX_MAPS }),
  })

export async function readMap(at: MapPlace, signal: AbortSignal): Promise<StoryMap> {
  const [{ data: map, headers }, forest] = await Promise.all([
    client.request('getStoryMap', toPath(at), { signal }),
    readForest(at.product, NO_FILTERS, signal),
  ])
  const stories = [...forest.items.values()]
    .filter(({ type }) => type === 'userstory')
    .map(({ key, summary, progress }) => ({ externalKey: key, summary, progress }))
  return { map, etag: headers.get('etag') ?? '', stories }
}

export function sendPlace(at: MapPlace, state: StoryMap, key: string, spot: Spot): Promise<unknown> {
  const path = { ...toPath(at), map_card_external_key: key }
  const { stepId, swimlaneId } = spot
  if (stepId === BESIDE) return client.removeStoryMapCard(path)
  return client.placeStoryMapCard({ ...path, body: { stepId, swimlaneId, ...findNeighbor(state, key, spot) } })
}

export async function readPart(at: MapPlace, kind: PartKind, id: number): Promise<StoredPart> {
  const path = toPath(at)
  const read = {
    activity: () => client.request('getStoryMapActivity', { ...path, activityId: id }),
    step: () => client.request('getStoryMapStep', { ...path, stepId: id }),
    swimlane: () => client.request('getStoryMapSwimlane', { ...path, swimlaneId: id }),
  }
  const { data, headers } = await read[kind]()
  return { fields: data, etag: headers.get('etag') ?? '' }
}

export async function sendNewPart(
  at: MapPlace,
  kind: PartKind,
  { activityId = 0, versionKey, title = '', ...place }: PartChange,
): Promise<number> {
  const path = toPath(at)
  const body = { title, ...place }
  const create = {
    activity: () => client.createStoryMapActivity({ ...path, body }),
    step: () => client.createStoryMapStep({ ...path, body: { ...body, activityId } }),
    swimlane: () => client.createStoryMapSwimlane({ ...path, body: { ...body, ...(versionKey && { versionKey }) } }),
  }
  return (await create[kind]()).id
}

export function sendPart(at: MapPlace, kind: PartKind, id: number, body: PartChange, etag?: string): Promise<unknown> {
  const path = toPath(at)
  const options = etag === undefined ? {} : { ifMatch: etag }
  const send = {
    activity: () => client.request('modifyStoryMapActivity', { ...path, activityId: id, body }, options),
    step: () => client.request('modifyStoryMapStep', { ...path, stepId: id, body }, options),
    swimlane: () => client.request('modifyStoryMapSwimlane', { ...path, swimlaneId: id, body }, options),
  }
  return send[kind]()
}

/** Before another activity, or after the last. The title that somebody else types meanwhile stays. */
export function sendActivityPlace(
  at: MapPlace,
  state: StoryMap | undefined,
  id: number,
  before: number | undefined,
): Promise<unknown> {
  const last = state?.map.activities.filter((activity) => activity.id !== id).at(-1)
  return sendPart(at, 'activity', id, before ? { beforeId: before } : last ? { afterId: last.id } : {})
}

/** What the part holds goes to the end of `moveTo`. */
export function sendPartRemoval(
  at: MapPlace,
  kind: PartKind,
  id: number,
  moveTo: number | undefined,
): Promise<unknown> {
  const path = { ...toPath(at), ...(moveTo && { moveTo }) }
  if (kind === 'activity') return client.removeStoryMapActivity({ ...path, activityId: id })
  if (kind === 'step') return client.removeStoryMapStep({ ...path, stepId: id })
  return client.removeStoryMapSwimlane({ ...path, swimlaneId: id })
}

export const sendNewMap = (product: string, title: string) =>
  client.createStoryMap({ product_external_key: product, body: { title } })

export type MapTitle = Pick<StoryMap['map'], 'title'>

export async function readMapTitle(at: MapPlace): Promise<Versioned<MapTitle>> {
  const { data, headers } = await client.request('getStoryMap', toPath(at))
  return { record: { title: data.title }, etag: headers.get('etag') ?? '' }
}

export async function sendMapTitle(at: MapPlace, title: string, etag: string): Promise<Versioned<MapTitle>> {
  const { headers } = await client.request('modifyStoryMap', { ...toPath(at), body: { title } }, { ifMatch: etag })
  return { record: { title }, etag: headers.get('etag') ?? '' }
}

export const sendMapRemoval = (at: MapPlace) => client.removeStoryMap(toPath(at))
export const sendMapRestore = (at: MapPlace) => client.restoreStoryMap(toPath(at))
