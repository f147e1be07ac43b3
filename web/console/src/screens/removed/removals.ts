import type { Operations } from 'groundwork-client'
import { useEffect } from 'preact/hooks'
import { client } from '../../api/client'
import type { LoggedEvent } from '../../api/events'
import { type Me, mayFollowEvents } from '../../api/me'
import { useProducts } from '../../api/products'
import { useQuery } from '../../api/queries'
import { chosenProduct } from '../../state/product'
import { usePeople } from '../events/requests'
import { nameOfActor } from '../events/types'
import type { Kind } from './kinds'
import { go, readPeriod } from './place'
import { keyOf, type Removed } from './requests'

type EventTypes = Extract<NonNullable<Operations['listEvents']['input']['type']>, readonly unknown[]>

const MAX_TYPES = 20
const MAX_EVENTS = 100

const typeOf = ({ id }: Kind): string => `${id}.deleted`
const RESTORED = '.restored'

/** The newest events of the types. */
async function readNewest(types: readonly string[]): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = []
  for (let from = 0; from < types.length; from += MAX_TYPES) {
    const type = types.slice(from, from + MAX_TYPES) as EventTypes
    found.push(...(await client.listEvents({ type, order: 'newest', limit: MAX_EVENTS })))
  }
  return found.sort((one, other) => other.id - one.id)
}

/** The newest removal that nobody has taken back. Of a record and the records below, the record itself. */
function findNewestRemoval(events: readonly LoggedEvent[]): LoggedEvent | undefined {
  const restored = new Set<string>()
  const left = events.filter(({ type, resourceKey }) => {
    const [resource = ''] = type.split('.')
    const name = `${resource} ${resourceKey}`
    if (type.endsWith(RESTORED)) restored.add(name)
    return !restored.has(name)
  })
  return left.findLast(({ createdAt }) => createdAt === left[0]?.createdAt)
}

/** An address without a kind gets the kind of the newest removal. Undefined until it is known. */
export function useNewestKind(me: Me, kinds: readonly Kind[], isAsked: boolean): Kind | undefined {
  const products = useProducts()
  const isRead = !isAsked && mayFollowEvents(me)
  const { data, error } = useQuery<LoggedEvent[]>({
    queryKey: ['removed', 'newest'],
    queryFn: () => readNewest(kinds.flatMap((kind) => [typeOf(kind), kind.id + RESTORED])),
    enabled: isRead,
    staleTime: 0,
  })
  const keyOfProduct = (event: LoggedEvent) => products.find(({ id }) => id === event.productId)?.externalKey
  const chosen = chosenProduct.value
  const newest = findNewestRemoval(
    (data ?? []).filter((event) => !chosen || !event.productId || keyOfProduct(event) === chosen),
  )
  const isKnown = data !== undefined || error !== null || !isRead
  const kind = isKnown ? (kinds.find((one) => typeOf(one) === newest?.type) ?? kinds[0]) : undefined
  useEffect(() => {
    if (!isAsked && kind)
      go(kind.id, readPeriod(), newest && kind.product === 'path' ? keyOfProduct(newest) : undefined)
  }, [isAsked, kind])
  return kind
}

/** Names who removed a record. Undefined for a role that may not read events. */
export function useRemovers(me: Me, kind: Kind): ((record: Removed) => string) | undefined {
  const people = usePeople()
  const isAllowed = mayFollowEvents(me)
  const { data } = useQuery<LoggedEvent[]>({
    queryKey: [kind.id, 'removed', 'events'],
    queryFn: () => readNewest([typeOf(kind)]),
    enabled: isAllowed,
    staleTime: 0,
  })
  if (!isAllowed) return undefined
  return (record) => {
    const event = data?.find(({ resourceKey }) => resourceKey === keyOf(kind, record))
    return event ? nameOfActor(event, people) : ''
  }
}
