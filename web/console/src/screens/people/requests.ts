import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { type Me, maySee } from '../../api/me'
import { queries, useQuery } from '../../api/queries'
import type { View } from './place'

export type Person = Operations['listMembers']['data'][number]
export type AttributeValue = string | number | boolean
type MemberBody = NonNullable<Operations['modifyMember']['input']['body']>

const RESOURCE = 'member'
export const PAGE = 50

export const EXPORT_ADDRESS = '/api/v2/idea-manager/members/export?format=csv'

interface PeoplePage {
  people: Person[]
  hasMore: boolean
  /** Such as `10000+`. */
  total: string | undefined
}

/** A page with a filter may be short or empty, and still have a next page. */
async function readPeople({ q, segment, attribute }: View, limit: number, signal: AbortSignal): Promise<PeoplePage> {
  const filters = {
    ...(q && { q }),
    ...(segment !== undefined && { segmentId: segment }),
    ...(attribute && { [`attributes.${attribute.name}` as const]: attribute.value }),
  }
  const people: Person[] = []
  let total: string | undefined
  let cursor: string | undefined
  do {
    const page = { ...filters, limit: PAGE, ...(cursor ? { cursor } : { count: 'true' as const }) }
    const { data, headers } = await client.request('listMembers', page, { signal })
    people.push(...data)
    total ??= headers.get('x-total-count') ?? undefined
    cursor = headers.get('x-next-cursor') ?? undefined
  } while (cursor && people.length < limit)
  return { people, hasMore: cursor !== undefined, total }
}

export const usePeople = (view: View, limit: number) =>
  useQuery<PeoplePage>({
    queryKey: [RESOURCE, 'people', view, limit],
    queryFn: ({ signal }) => readPeople(view, limit, signal),
  })

export const readPeopleAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: [RESOURCE] })

/** Nobody removes people whose role has scopes that the own role lacks. */
export function mayRemove(me: Me, { id, role }: Pick<Person, 'id' | 'role'>): boolean {
  if (id === me.user?.id || !maySee(me, 'segments:write')) return false
  if (role === 'owner') return maySee(me, '*')
  return role !== 'admin' || maySee(me, 'products:write')
}

const PREFIX = 'attributes.'

/** Names and attributes in one row of fields, so that changes of different attributes merge. */
export type PersonFields = Record<string, AttributeValue | null>

export const toAttributeField = (name: string): string => PREFIX + name
export const nameOfField = (field: string): string | undefined =>
  field.startsWith(PREFIX) ? field.slice(PREFIX.length) : undefined

const toFields = ({ firstName, lastName, attributes }: Person): PersonFields => ({
  ...{ firstName, lastName },
  ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [toAttributeField(name), value])),
})

export function toBody(fields: Partial<PersonFields>): MemberBody {
  const attributes = Object.entries(fields).flatMap(([field, value]) => {
    const name = nameOfField(field)
    return name === undefined ? [] : [[name, value ?? null] as const]
  })
  const { firstName, lastName } = fields
  return {
    ...(firstName !== undefined && { firstName: String(firstName) }),
    ...(lastName !== undefined && { lastName: String(lastName) }),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
  }
}

export async function readPerson(memberId: number): Promise<Versioned<PersonFields>> {
  const { data, headers } = await client.request('getMember', { memberId })
  return { record: toFields(data), etag: headers.get('etag') ?? '' }
}

export async function sendPerson(
  memberId: number,
  fields: Partial<PersonFields>,
  etag: string,
): Promise<Versioned<PersonFields>> {
  const { data, headers } = await client.request('modifyMember', { memberId, body: toBody(fields) }, { ifMatch: etag })
  return { record: toFields(data), etag: headers.get('etag') ?? '' }
}
