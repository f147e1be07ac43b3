import type { Operations } from 'groundwork-client'
import { client } from './client'
import { mayFollowEvents, useMe } from './me'
import { useQuery } from './queries'
import { nameOf, useUsers } from './users'

type LoggedEvent = Operations['listEvents']['data'][number]

/** A record as the event log names it. */
export interface ChangedRecord {
  key: string
  /** Key of the product. */
  product?: string | undefined
  /** Such as the time of the last change: another mark asks again. */
  mark: string
  /** Names of the fields in the log, where they differ from the names of the page. */
  fields?: readonly string[]
}

const MAX_CHANGES = 10

/** Who changed one of the fields last. Undefined where the role may not read events. */
export function useChangerName(record: ChangedRecord | undefined, shownFields: readonly string[]): string | undefined {
  const me = useMe().data
  const users = useUsers()
  const { key = '', product, mark, fields = shownFields } = record ?? {}
  const { data } = useQuery<LoggedEvent[]>({
    queryKey: ['history', key, 'changes', mark],
    queryFn: () => client.listEvents({ ...(product && { product }), key, order: 'newest', limit: MAX_CHANGES }),
    enabled: record !== undefined && me !== undefined && mayFollowEvents(me),
  })
  const actor = data?.find(({ previous }) => fields.some((field) => previous && field in previous))?.actor
  const user = users.find(({ id }) => id === actor?.userId)
  return user ? nameOf(user) : (actor?.keyName ?? undefined)
}
