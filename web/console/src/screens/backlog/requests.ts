import { GroundworkError, type Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import type { Filters } from './filters'
import { type Forest, filterItems, type Item, type ItemType, ROOT } from './forest'
import type { MoveBody } from './places'

type Tree = Operations['getBacklog']['data']
type Node = Omit<Tree['items'][number], 'children'> & { children?: readonly Node[] }
export type Version = Operations['listSolutionVersions']['data'][number]

const FIELDS = 'type,externalKey,id,summary,progress,progressPercentage,points,score,userId,tags,versions,etag'

export const readTags = (text: string): string[] => {
  const tags: unknown = text === '' ? [] : JSON.parse(text)
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
}

const toItem = (node: Node, parent: string): Item => ({
  key: node.externalKey ?? '',
  id: node.id ?? 0,
  type: (node.type ?? 'userstory') as ItemType,
  summary: node.summary ?? '',
  progress: node.progress ?? '',
  percentage: node.progressPercentage ?? 0,
  points: node.points ?? { total: 0, done: 0 },
  score: node.score ?? 0,
  owners: node.userId ?? [],
  tags: readTags(node.tags ?? ''),
  versions: node.versions ?? [],
  etag: node.etag ?? '',
  parent,
})

export function toForest({ items: epics, orphans }: Tree): Forest {
  const items = new Map<string, Item>()
  const children = new Map<string, string[]>()
  const plant = (nodes: readonly Node[], parent: string) => {
    children.set(
      parent,
      nodes.map(({ externalKey = '' }) => externalKey),
    )
    for (const node of nodes) {
      const item = toItem(node, parent)
      items.set(item.key, item)
      if (node.children?.length) plant(node.children, item.key)
    }
  }
  plant([...epics, ...orphans], ROOT)
  return { items, children }
}

/** The whole tree in one request. */
export async function readForest(product: string, filters: Filters, signal?: AbortSignal): Promise<Forest> {
  const { q, progress, owner, tag, version } = filters
  const { data } = await client.request(
    'getBacklog',
    {
      ...{ product_external_key: product, fields: FIELDS },
      ...(q && { q }),
      ...(progress && { progress }),
      ...(owner && { userId: Number(owner) }),
      ...(tag && { tag }),
    },
    signal ? { signal } : {},
  )
  const forest = toForest(data)
  return version ? filterItems(forest, ({ versions }) => versions.includes(version)) : forest
}

/** Fields that the list changes. */
export type ItemChange = Partial<Pick<Item, 'summary' | 'progress' | 'owners' | 'tags'>> & { points?: string }

const toBody = (type: ItemType, { summary, progress, owners, tags, points }: ItemChange) => ({
  ...(summary !== undefined && { summary }),
  ...(progress !== undefined && { progress }),
  ...(owners && { userId: [...owners] }),
  ...(tags && { tags: JSON.stringify(tags) }),
  ...(points !== undefined && (type === 'userstory' ? { storyPoint: points } : { estimate: points })),
})

/** What an item shows after the change. */
export const toPatch = (item: Item, { points, ...change }: ItemChange): Partial<Item> => ({
  ...change,
  ...(points !== undefined && { points: { ...item.points, total: Number(points) || 0 } }),
})

/** Answers the new ETag. */
export async function sendChange(product: string, item: Item, change: ItemChange): Promise<string> {
  const body = toBody(item.type, change)
  const options = { ifMatch: item.etag }
  const at = { product_external_key: product, body }
  const send = {
    epic: () => client.request('modifyEpic', { ...at, epic_external_key: item.key }, options),
    feature: () => client.request('modifyFeature', { ...at, feature_external_key: item.key }, options),
    userstory: () => client.request('modifyUserStory', { ...at, card_external_key: item.key }, options),
  }
  const { headers } = await send[item.type]()
  return headers.get('etag') ?? ''
}

export type StoredFields = Required<ItemChange> & { etag: string }

export async function readFields(product: string, key: string): Promise<StoredFields> {
  const { data, headers } = await client.request('getWorkItem', {
    product_external_key: product,
    item_external_key: key,
  })
  return {
    summary: data.summary,
    progress: data.progress,
    owners: data.userId,
    tags: readTags(data.tags),
    points: data.type === 'userstory' ? data.storyPoint : data.estimate,
    etag: headers.get('etag') ?? '',
  }
}

export const sendMove = (product: string, key: string, body: MoveBody) =>
  client.moveWorkItem({ product_external_key: product, item_external_key: key, body })

/** All or none, and none after a change of an item by somebody else. */
export async function sendChanges(
  product: string,
  items: readonly Item[],
  bodyOf: (item: Item) => Record<string, unknown>,
): Promise<void> {
  const body = items.map((item) => ({
    op: 'update' as const,
    type: item.type,
    externalKey: item.key,
    ifMatch: item.etag,
    body: bodyOf(item),
  }))
  await client.bulkBacklog({ product_external_key: product, atomic: 'true', body })
}

export const bodyOfChange = (changeOf: (item: Item) => ItemChange) => (item: Item) => toBody(item.type, changeOf(item))

/** The items below go too, so that the undo brings everything back, or move up. */
export function sendRemoval(
  product: string,
  { key, type }: Pick<Item, 'key' | 'type'>,
  keepsBelow: boolean,
): Promise<unknown> {
  const at = { product_external_key: product, ...(!keepsBelow && { cascade: 'true' as const }) }
  if (type === 'epic') return client.removeEpic({ ...at, epic_external_key: key })
  if (type === 'feature') return client.removeFeature({ ...at, feature_external_key: key })
  return client.removeUserStory({ product_external_key: product, card_external_key: key })
}

export function sendRestore(product: string, { key, type }: Pick<Item, 'key' | 'type'>): Promise<unknown> {
  const at = { product_external_key: product }
  if (type === 'epic') return client.restoreEpic({ ...at, epic_external_key: key })
  if (type === 'feature') return client.restoreFeature({ ...at, feature_external_key: key })
  return client.restoreUserStory({ ...at, card_external_key: key })
}

export interface NewItem {
  type: ItemType
  summary: string
  parent: Item | undefined
}

/** Answers the key of the item. */
export async function sendNewItem(product: string, { type, summary, parent }: NewItem): Promise<string> {
  const at = { product_external_key: product }
  if (type === 'epic') return (await client.createEpic({ ...at, body: { summary } })).externalKey
  if (type === 'feature')
    return (await client.createFeature({ ...at, body: { summary, ...(parent && { epicId: parent.id }) } })).externalKey
  const link = parent && (parent.type === 'epic' ? { epicId: parent.id } : { featureId: parent.id })
  return (await client.createUserStory({ ...at, body: { summary, ...link } })).externalKey
}

interface VersionItems {
  items: readonly string[]
  etag: string
}

/** Changes the items of a version. `known` saves the first read; a change by somebody else merges. */
export async function sendVersionItems(
  { product, version }: { product: string; version: string },
  change: (items: readonly string[]) => string[],
  known?: VersionItems,
): Promise<void> {
  const at = { product_external_key: product, solution_version_external_key: version }
  const read = async (): Promise<VersionItems> => {
    const { data, headers } = await client.request('getSolutionVersion', at)
    return { items: data.items, etag: headers.get('etag') ?? '' }
  }
  let { items, etag } = known ?? (await read())
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await client.request(
        'modifySolutionVersion',
        { ...at, body: { items: change(items) } },
        { ifMatch: etag },
      ))
    } catch (cause) {
      if (attempt === MAX_ATTEMPTS || !isOvertaken(cause)) throw cause
      ;({ items, etag } = await read())
    }
  }
}

/** Adds the items to the version, or takes them out of it. */
export const sendVersion = (product: string, version: string, keys: readonly string[], adds: boolean): Promise<void> =>
  sendVersionItems({ product, version }, (items) => {
    const others = items.filter((key) => !keys.includes(key))
    return adds ? [...others, ...keys] : others
  })

/** Somebody else has changed the record meanwhile. */
export const isOvertaken = (cause: unknown): boolean =>
  cause instanceof GroundworkError &&
  (cause.status === CHANGED_STATUS || cause.issues.some(({ code }) => code === 'precondition_failed'))

export const MAX_ATTEMPTS = 3
export const CHANGED_STATUS = 412
const MAX_CHOICES = 100

export const useTags = (product: string): readonly string[] =>
  useQuery<string[]>({
    queryKey: ['tag', product, 'names'],
    queryFn: async () =>
      (await client.listTags({ product_external_key: product, limit: MAX_CHOICES })).map(({ name }) => name),
  }).data ?? []

export const useVersions = (product: string): readonly Version[] =>
  useQuery<Version[]>({
    queryKey: ['solution_version', product],
    queryFn: () => client.listSolutionVersions({ product_external_key: product, limit: MAX_CHOICES }),
  }).data ?? []
