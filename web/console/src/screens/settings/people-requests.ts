import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, useQuery } from '../../api/queries'
import { portalOrigin } from '../../state/portal-origin'

export type Person = Operations['listUsers']['data'][number]
export type Role = Person['role']

export interface PersonFields {
  email: string
  firstName: string
  lastName: string
  role: Role
}

export type Invitation = NonNullable<Operations['getMember']['data']['invitation']>

export const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer', 'idm_member']

export const GROUPS = { team: ['owner', 'admin', 'member', 'viewer'], portal: ['idm_member'] } as const
export type Group = keyof typeof GROUPS

export const PAGE = 100

export async function readPeople(group: Group, limit: number): Promise<{ people: Person[]; hasMore: boolean }> {
  const people: Person[] = []
  for await (const person of client.each('listUsers', { role: [...GROUPS[group]], sort: ['email'], limit: PAGE })) {
    if (people.length === limit) return { people, hasMore: true }
    people.push(person)
  }
  return { people, hasMore: false }
}

export const readPeopleAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['user'] })

export const sendRemoval = ({ id }: Person) => client.removeUser({ userId: id })

export async function sendRestore({ id }: Person): Promise<void> {
  await client.restoreUser({ userId: id })
  await readPeopleAgain()
}

const toFields = ({ email, firstName, lastName, role }: PersonFields): PersonFields => ({
  ...{ email, firstName, lastName, role },
})

export async function readPerson(userId: number): Promise<Versioned<PersonFields>> {
  const { data, headers } = await client.request('getUser', { userId })
  return { record: toFields(data), etag: headers.get('etag') ?? '' }
}

export async function sendPerson(
  userId: number,
  body: Partial<PersonFields>,
  etag: string,
): Promise<Versioned<PersonFields>> {
  const { data, headers } = await client.request('modifyUser', { userId, body }, { ifMatch: etag })
  return { record: toFields(data), etag: headers.get('etag') ?? '' }
}

const keyOfInvitation = (id: number) => ['member', 'invitation', id]

/** A user is a member with the same id. */
export const useInvitation = (id: number) =>
  useQuery<Invitation | null>({
    queryKey: keyOfInvitation(id),
    queryFn: async () => (await client.getMember({ memberId: id })).invitation,
  })

/** Answers the reason if the service sends no invitation. */
export async function sendInvitation(id: number): Promise<string | undefined> {
  const { inviteResults } = await client.reinviteMembers({ body: { userIds: [id] } })
  const refused = inviteResults.find(({ success }) => !success)
  await queries.invalidateQueries({ queryKey: keyOfInvitation(id) })
  return refused?.message
}

/** Visitors of the portal sign in there, and the team signs in to the console. Null without a portal. */
export function useSignInAddress(role: Role): string | null | undefined {
  const isVisitor = role === 'idm_member'
  const { data: slug } = useQuery<string | null>({
    queryKey: ['portal', 'slug'],
    queryFn: async () => (await client.getPortalSettings()).slug,
    enabled: isVisitor,
  })
  if (!isVisitor) return `${location.origin}/sign-in?next=/console`
  return slug && `${portalOrigin}/p/${slug}/sign-in`
}
