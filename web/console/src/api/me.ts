import type { Operations } from 'groundwork-client'
import { client } from './client'
import { useQuery } from './queries'

export type Me = Operations['getMe']['data']

const options = { queryKey: ['me'], queryFn: () => client.getMe(), staleTime: Number.POSITIVE_INFINITY }

export const useMe = () => useQuery<Me>(options)

export type Area =
  | 'products'
  | 'backlog'
  | 'feedback'
  | 'segments'
  | 'mail'
  | 'kpis'
  | 'personas'
  | 'files'
  | 'webhooks'

const has = ({ scopes }: Me, needed: string): boolean => scopes.some((scope) => scope === '*' || scope === needed)

/** Whether the service would allow a change in the area. A screen hides what it would refuse. */
export const mayChange = (me: Me, area: Area): boolean => has(me, `${area}:write`)

/** Whether the service would answer. The scope `*` stands for everything. */
export const maySee = (me: Me, scope: string | undefined): boolean => scope === undefined || has(me, scope)

/** Others read again when they come back to the page. */
export const mayFollowEvents = (me: Me): boolean => has(me, 'events:read')
