import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'
import { type Filters, NO_FILTERS } from '../backlog/filters'
import type { Forest } from '../backlog/forest'
import { readForest } from '../backlog/requests'

export type WorkItem = Operations['getWorkItem']['data']
export type Comment = Operations['listItemComments']['data'][number]
export type Link = Operations['listLinks']['data'][number]
export type Trace = Operations['getTrace']['data']
export type Team = Operations['listTeams']['data'][number]
export type ItemEvent = Operations['listEvents']['data'][number]

/** How the requests name an item. */
export interface ItemPlace {
  product: string
  key: string
}

const toPath = ({ product, key }: ItemPlace) => ({ product_external_key: product, item_external_key: key })

export async function readItem(place: ItemPlace): Promise<Versioned<WorkItem>> {
  const { data, headers } = await client.request('getWorkItem', toPath(place))
  return { record: data, etag: headers.get('etag') ?? '' }
}

/** Fields that the page changes. */
const EDITED = [
  'summary',
  'progress',
  'userId',
  'teamId',
  'storyPoint',
  'estimate',
  'startDate',
  'endDate',
  'tags',
  'description',
] as const

/** Sends the change, and reads what the service has made of it. */
export async function sendItem(
  place: ItemPlace,
  type: WorkItem['type'],
  change: Partial<WorkItem>,
  etag: string,
): Promise<Versioned<WorkItem>> {
  const edited = EDITED.filter((name) => change[name] !== undefined).map((name) => [name, change[name]])
  const files = change.files && { files: change.files.map(({ file }) => ({ file: { id: file.id } })) }
  const at = { product_external_key: place.product, body: { ...Object.fromEntries(edited), ...files } }
  const options = { ifMatch: etag }
  const send = {
    epic: () => client.request('modifyEpic', { ...at, epic_external_key: place.key }, options),
    feature: () => client.request('modifyFeature', { ...at, feature_external_key: place.key }, options),
    userstory: () => client.request('modifyUserStory', { ...at, card_external_key: place.key }, options),
  }
  await send[type]()
  return readItem(place)
}

export const sendFile = (product: string, file: File, usedAt: WorkItem['type']) =>
  client.createAsset({ product_external_key: product, file, fields: { usedAt } })

const MAX_SHOWN = 50

export const useComments = (place: ItemPlace) =>
  useQuery<Comment[]>({
    queryKey: ['work_item_comment', place.key],
    queryFn: () => client.listItemComments({ ...toPath(place), limit: MAX_SHOWN, sort: 'createdAt' }),
  })

export const sendComment = (place: ItemPlace, text: string) =>
  client.addItemComment({ ...toPath(place), body: { text } })

export const useLinks = (place: ItemPlace) =>
  useQuery<Link[]>({ queryKey: ['work_item_link', place.key], queryFn: () => client.listLinks(toPath(place)) })

export const sendLink = (place: ItemPlace, type: Link['type'], to: string) =>
  client.createLink({ ...toPath(place), body: { type, to } })

export const sendLinkRemoval = (place: ItemPlace, linkId: number) => client.removeLink({ ...toPath(place), linkId })

export const useTrace = ({ key }: ItemPlace) =>
  useQuery<Trace>({ queryKey: ['trace', key], queryFn: () => client.getTrace({ traced_external_key: key }) })

export const useHistory = ({ product, key }: ItemPlace, isAllowed: boolean) =>
  useQuery<ItemEvent[]>({
    queryKey: ['history', key],
    queryFn: () => client.listEvents({ product, key, order: 'newest', limit: MAX_SHOWN }),
    enabled: isAllowed,
  })

const MAX_TEAMS = 100

export const useTeams = (): readonly Team[] =>
  useQuery<Team[]>({ queryKey: ['team'], queryFn: () => client.listTeams({ limit: MAX_TEAMS }) }).data ?? []

const toTreeKey = (product: string, filters: Filters) => ['work_item_tree', product, JSON.stringify(filters)]

/** The items around an item. */
export const useForest = (product: string, filters: Filters) =>
  useQuery<Forest>({ queryKey: toTreeKey(product, filters), queryFn: () => readForest(product, filters) })

/** Shows another tree until the service answers. */
export const showForest = (product: string, forest: Forest) => showStored(toTreeKey(product, NO_FILTERS), forest)

/** After a removal, when there is no item to read. */
export const readTreeAgain = () => void queries.invalidateQueries({ queryKey: ['work_item_tree'] })

/** After a move or a conversion: the item has another version. */
export function readAgain(): void {
  for (const name of ['work_item', 'work_item_tree', 'history']) void queries.invalidateQueries({ queryKey: [name] })
}

/** Answers the new key. */
export const sendConversion = async (place: ItemPlace, type: WorkItem['type']): Promise<string> =>
  (await client.convertWorkItem({ ...toPath(place), body: { type } })).externalKey
