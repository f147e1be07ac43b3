import type * as z from 'zod'
import type { Store } from '../../../db/client/client'
import { canRead, PEOPLE_AREAS } from '../../../http/auth'
import type { EventLinks } from '../../events/schema'
import type { DeliveryReader } from './body'
import type { DueDelivery } from './queries/claim'
import { findLinkedNames, type ItemNames } from './queries/links'

export type DeliveryLinks = z.output<typeof EventLinks>

interface ItemReferences {
  id: number
  epicId: number
  featureId: number
  userId: number[]
}

const ITEM_EVENT_PATTERN = /^(?:epic|feature|userstory)\.(?:created|updated|deleted|restored)$/

/** The item of an event, with the parents and assignees; undefined for events of other records. */
function readItemReferences({ type, data }: DueDelivery): ItemReferences | undefined {
  if (data === null || !ITEM_EVENT_PATTERN.test(type)) return undefined
  const { id, epicId = 0, featureId = 0, userId = [] } = JSON.parse(data) as Partial<ItemReferences>
  return typeof id === 'number' ? { id, epicId, featureId, userId: Array.isArray(userId) ? userId : [] } : undefined
}

/** Names by which another system knows an item, its parents and its assignees, by the id of the event. */
export async function findLinks(
  store: Store,
  subscriptionId: number,
  due: readonly DueDelivery[],
  reader: DeliveryReader,
): Promise<ReadonlyMap<number, DeliveryLinks>> {
  const referencesByEvent = new Map(due.flatMap((one) => pairWithEvent(one, readItemReferences(one))))
  if (referencesByEvent.size === 0) return new Map()
  const all = [...referencesByEvent.values()]
  const items = new Set(all.flatMap(({ id, epicId, featureId }) => [id, epicId, featureId]).filter((id) => id > 0))
  const people = new Set(canRead(reader, ...PEOPLE_AREAS) ? all.flatMap(({ userId }) => userId) : [])
  const names = await findLinkedNames(store, subscriptionId, { items: [...items], people: [...people] })
  return new Map(
    [...referencesByEvent].flatMap(([eventId, references]) =>
      pairWithEvent({ eventId }, buildLinks(references, names)),
    ),
  )
}

const pairWithEvent = <T>({ eventId }: Pick<DueDelivery, 'eventId'>, value: T | undefined): [number, T][] =>
  value === undefined ? [] : [[eventId, value]]

function buildLinks(
  { id, epicId, featureId, userId }: ItemReferences,
  { namesById, addressById }: Awaited<ReturnType<typeof findLinkedNames>>,
): DeliveryLinks | undefined {
  const own = namesById.get(id)
  const previousKeys = own ? (JSON.parse(own.previousKeys) as string[]) : []
  const [externalIds, epicExternalIds, featureExternalIds] = [id, epicId, featureId].map((one) =>
    readExternalIds(namesById.get(one)),
  )
  const assignees = userId.flatMap((one) => addressById.get(one) ?? [])
  const links: DeliveryLinks = {
    ...(own && previousKeys.length > 0 && { externalKey: own.externalKey, previousKeys }),
    ...(externalIds && { externalIds }),
    ...(epicExternalIds && { epicExternalIds }),
    ...(featureExternalIds && { featureExternalIds }),
    ...(assignees.length > 0 && { assignees }),
  }
  return Object.keys(links).length > 0 ? links : undefined
}

function readExternalIds(names: ItemNames | undefined): Record<string, string> | undefined {
  const pairs = names ? (JSON.parse(names.externalIds) as [source: string, id: string][]) : []
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined
}
