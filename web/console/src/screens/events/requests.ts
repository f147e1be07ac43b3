import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import type { LoggedEvent } from '../../api/events'
import { useQuery } from '../../api/queries'
import type { Filters } from './place'

type Query = Operations['listEvents']['input']
export type Person = Operations['listUsers']['data'][number]

export interface EventPage {
  events: readonly LoggedEvent[]
  /** Undefined at the end of the log. */
  next: number | undefined
}

const PAGE = 50
/** A page of a rare event can be empty: each reads 10,000 events. */
const MAX_EMPTY_PAGES = 5
const MAX_PEOPLE = 100

/** Midnight of the day at the place of the person, or of the day after. */
function toMoment(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

const toQuery = ({ type, key, person, from, to }: Filters): Query => ({
  ...(type && { type: type as Extract<Query['type'], string> }),
  ...(key && { key }),
  ...(person && { actor: Number(person) }),
  ...(from && { from: toMoment(from) }),
  ...(to && { to: toMoment(to, 1) }),
})

const nextOf = (headers: Headers): number | undefined =>
  Number(/[?&]after=(\d+)/.exec(headers.get('link') ?? '')?.[1]) || undefined

/** Events before the event `before`, newest first. */
export async function readEvents(filters: Filters, before?: number): Promise<EventPage> {
  let next = before
  for (let empty = 0; empty < MAX_EMPTY_PAGES; empty++) {
    const page = { ...toQuery(filters), order: 'newest' as const, limit: PAGE, ...(next && { after: next }) }
    const { data, headers } = await client.request('listEvents', page)
    next = nextOf(headers)
    if (data.length || !next) return { events: data, next }
  }
  return { events: [], next }
}

export const usePeople = (): readonly Person[] =>
  useQuery<Person[]>({
    queryKey: ['user', 'of-events'],
    queryFn: () => client.listUsers({ limit: MAX_PEOPLE, role: ['owner', 'admin', 'member', 'viewer'] }),
  }).data ?? []

export const nameOf = ({ firstName, lastName, email }: Person): string => `${firstName} ${lastName}`.trim() || email
