import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'

export type Segment = Operations['getSegment']['data']
export type ListedSegment = Operations['listSegments']['data'][number]
export type SegmentFields = NonNullable<Operations['modifySegment']['input']['body']>
export type NewSegment = Operations['createSegment']['input']['body']
export type Preview = Operations['previewSegment']['data']
export type Member = Operations['listSegmentUsers']['data'][number]
export type Mailing = Operations['listEmails']['data'][number]

const RESOURCE = 'segment'
const MAX_PAGE = 100
export const MEMBER_PAGE = 50
const MAX_MAILINGS = 5

export const EXPORT_ADDRESS = '/api/v2/segments/export?format=csv'

export const useSegmentList = () =>
  useQuery<ListedSegment[]>({
    queryKey: [RESOURCE, 'list'],
    queryFn: async () => {
      const found: ListedSegment[] = []
      for await (const segment of client.each('listSegments', { sort: 'name', limit: MAX_PAGE })) found.push(segment)
      return found
    },
  })

async function readSegment(segmentId: number): Promise<Versioned<Segment>> {
  const { data, headers } = await client.request('getSegment', { segmentId })
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const useSegment = (segmentId: number) =>
  useQuery<Versioned<Segment>>({ queryKey: [RESOURCE, 'one', segmentId], queryFn: () => readSegment(segmentId) })

export const changeOf = (segmentId: number) => ({
  read: () => readSegment(segmentId),
  async send(change: Partial<Segment>, etag: string): Promise<Versioned<Segment>> {
    await client.request('modifySegment', { segmentId, body: change as SegmentFields }, { ifMatch: etag })
    return readSegment(segmentId)
  },
  accept(stored: Versioned<Segment>) {
    showStored([RESOURCE, 'one', segmentId], stored)
    void queries.invalidateQueries({ queryKey: [RESOURCE, 'list'] })
  },
})

export const readListAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: [RESOURCE, 'list'] })
export const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: [RESOURCE] })

export const sendRemoval = (segmentId: number) => client.removeSegment({ segmentId })
export const sendRestore = (segmentId: number) => client.restoreSegment({ segmentId })

/** Takes the row out of the shown list. */
export const listWithout = (segmentId: number): void => {
  queries.setQueryData<ListedSegment[]>([RESOURCE, 'list'], (shown) => shown?.filter(({ id }) => id !== segmentId))
}

export const useMailings = (segmentId: number) =>
  useQuery<Mailing[]>({
    queryKey: ['email', 'segment', segmentId],
    queryFn: () => client.listEmails({ segmentId, limit: MAX_MAILINGS }),
  })

interface MemberPage {
  members: Member[]
  hasMore: boolean
}

export const useMembers = (segmentId: number, limit: number) =>
  useQuery<MemberPage>({
    queryKey: [RESOURCE, 'members', segmentId, limit],
    queryFn: async () => {
      const members: Member[] = []
      for await (const member of client.each('listSegmentUsers', { segmentId, limit: MEMBER_PAGE })) {
        if (members.length === limit) return { members, hasMore: true }
        members.push(member)
      }
      return { members, hasMore: false }
    },
  })

const MAX_PENDING = 1_000

/** Ids of the newest members whose confirmation is pending. */
export const usePending = ({ id: segmentId, doubleOptIn }: Segment) =>
  useQuery<number[]>({
    queryKey: [RESOURCE, 'pending', segmentId],
    queryFn: async () => {
      const ids: number[] = []
      const pages = client.each('listSegmentConfirmations', { segmentId, status: 'pending', limit: MAX_PAGE })
      for await (const { userId } of pages) if (ids.push(userId) === MAX_PENDING) break
      return ids
    },
    enabled: doubleOptIn,
  })

export const sendRequests = (segmentId: number, userIds: number[]) =>
  client.requestSegmentConfirmations({ segmentId, body: { userIds } })

/** Known people keep their names; a new address becomes a person. Nobody is invited. */
export const sendMembers = (segmentId: number, emails: readonly string[]) =>
  client.bulkCreateUsersInSegment({ segmentId, body: emails.map((email) => ({ email })) })

export const sendMemberRemoval = (segmentId: number, userId: number) =>
  client.manageSegmentUsers({ body: { action: 'remove', userIds: [userId], fromSegmentId: segmentId } })

export interface KnownPeople {
  /** Such as `10000+`. */
  total: string
  /** Values of the custom attributes of the newest people, by name. */
  attributes: ReadonlyMap<string, ReadonlySet<string>>
}

/** The attributes that the rules can name. */
export const useKnownPeople = () =>
  useQuery<KnownPeople>({
    queryKey: ['member', 'known'],
    queryFn: async () => {
      const { data, headers } = await client.request('listMembers', { limit: MAX_PAGE, count: 'true' })
      const attributes = new Map<string, Set<string>>()
      for (const [name, value] of data.flatMap((member) => Object.entries(member.attributes)))
        attributes.set(name, (attributes.get(name) ?? new Set()).add(String(value)))
      return { total: headers.get('x-total-count') ?? String(data.length), attributes }
    },
  })
