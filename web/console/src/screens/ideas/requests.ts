import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import type { Filters } from './filters'
import { texts } from './texts/texts'

export type Idea = Operations['getFeedbackItem']['data']
export type Status = Operations['listFeedbackStatuses']['data'][number]
export type Comment = Operations['listComments']['data'][number]
export type StatusUpdate = Operations['listStatusUpdates']['data'][number]
export type Tag = Operations['listTags']['data'][number]

/** The list shows these fields only, and leaves comments and texts out. */
const LISTED_FIELDS = [
  'external_key',
  'title',
  'status_id',
  'visibility_level',
  'is_pinned',
  'vote',
  'comment',
  'created_at',
  'tags',
  'user',
  'product_id',
  'work_item_external_id',
] as const
export type ListedIdea = Pick<Idea, (typeof LISTED_FIELDS)[number]>

const PAGE = 50

export interface IdeaPage {
  ideas: readonly ListedIdea[]
  cursor: string | undefined
  /** Such as `37` or `10000+`. */
  total: string | undefined
}

export interface ListRequest extends Filters {
  product: string | null
}

export async function readIdeas(request: ListRequest, cursor?: string, signal?: AbortSignal): Promise<IdeaPage> {
  const { q, status, tag, level, sort, product } = request
  const { data, headers } = await client.request(
    'listFeedbackItems',
    {
      ...{ sort, limit: PAGE, fields: [...LISTED_FIELDS] },
      ...(q && { q }),
      ...(status && { status }),
      ...(tag && { tag }),
      ...(level && { visibility_level: level }),
      ...(product && { product }),
      ...(cursor ? { cursor } : { count: 'true' as const }),
    },
    signal ? { signal } : {},
  )
  return {
    ideas: data,
    cursor: headers.get('x-next-cursor') ?? undefined,
    total: headers.get('x-total-count') ?? undefined,
  }
}

/** The file of the ideas that the filters find. */
export function exportPathOf({ q, status, tag, level, product }: ListRequest): string {
  const given = { format: 'csv', q, status, tag, visibility_level: level, product: product ?? '' }
  return `/api/feedback-items/export?${new URLSearchParams(Object.entries(given).filter(([, value]) => value))}`
}

export async function readIdea(key: string): Promise<Versioned<Idea>> {
  const { data, headers } = await client.request('getFeedbackItem', { feedback_external_key: key })
  return { record: data, etag: headers.get('etag') ?? '' }
}

/** Fields of an idea that the inbox changes. */
export async function sendIdea(key: string, change: Partial<Idea>, etag: string): Promise<Versioned<Idea>> {
  const { tags, title, status_id, visibility_level, is_pinned } = change
  const { data, headers } = await client.request(
    'modifyFeedbackItem',
    {
      feedback_external_key: key,
      body: {
        ...(title !== undefined && { title }),
        ...(tags && { tags: tags.map((tag) => tag.key) }),
        ...(status_id !== undefined && { status_id, notify: 'none' as const }),
        ...(visibility_level !== undefined && { visibility_level: visibility_level as 'approved' | 'rejected' }),
        ...(is_pinned !== undefined && { is_pinned: is_pinned ?? false }),
      },
    },
    { ifMatch: etag },
  )
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const MAX_TITLE = 500

const MAX_STATUSES = 100
const statusOptions = {
  queryKey: ['feedback_status'],
  queryFn: () => client.listFeedbackStatuses({ limit: MAX_STATUSES }),
}
export const useStatuses = (): readonly Status[] => useQuery<Status[]>(statusOptions).data ?? []

const MAX_TAGS = 100
export const useTags = (product: string | undefined): readonly Tag[] =>
  useQuery<Tag[]>({
    queryKey: ['tag', product],
    queryFn: () => client.listTags({ product_external_key: product ?? '', limit: MAX_TAGS }),
    enabled: product !== undefined,
  }).data ?? []

export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()

export const authorOf = ({ user }: Pick<Idea, 'user'>): string => nameOf(user) || user.email || texts.anonymous
