import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'

export type Entry = Operations['getChangelogEntry']['data']
export type Preview = Operations['previewChangelogEntry']['data']
export type Version = Operations['listSolutionVersions']['data'][number]

export const STATUSES = ['draft', 'scheduled', 'published'] as const
export type Status = (typeof STATUSES)[number]
export const NOTIFY_CHOICES = ['later', 'now', 'none'] as const
export type Notify = (typeof NOTIFY_CHOICES)[number]

/** The list leaves the texts out. */
const LISTED_FIELDS = ['externalKey', 'title', 'status', 'labels', 'publishAt', 'publishedAt', 'createdAt'] as const
export type ListedEntry = Pick<Entry, (typeof LISTED_FIELDS)[number]>

export interface ListRequest {
  product: string | null
  q: string
  status: Status | ''
}

export interface EntryList {
  entries: ListedEntry[]
  hasMore: boolean
}

const RESOURCE = 'changelog_entry'
const PAGE = 50

const keyOfList = ({ product, q, status }: ListRequest) => [RESOURCE, 'list', product, q, status]

interface EntryPage {
  entries: ListedEntry[]
  cursor: string | null
}

async function readPage(request: ListRequest, cursor: string | null, signal: AbortSignal): Promise<EntryPage> {
  const { product, q, status } = request
  const { data, headers } = await client.request(
    'listChangelogEntries',
    {
      ...{ limit: PAGE, fields: [...LISTED_FIELDS] },
      ...(product && { product }),
      ...(q && { q }),
      ...(status && { status: [status] }),
      ...(cursor && { cursor }),
    },
    { signal },
  )
  return { entries: data, cursor: headers.get('x-next-cursor') }
}

/** The newest entries, `pages` pages of them. */
export const useEntryList = (request: ListRequest, pages: number) =>
  useQuery<EntryList>({
    queryKey: [...keyOfList(request), pages],
    queryFn: async ({ signal }) => {
      let { entries, cursor } = await readPage(request, null, signal)
      for (let page = 1; page < pages && cursor; page++) {
        const next = await readPage(request, cursor, signal)
        entries = [...entries, ...next.entries]
        cursor = next.cursor
      }
      return { entries, hasMore: cursor !== null }
    },
    placeholderData: (before) => before,
  })

/** Takes the row out of the shown lists. */
export const listWithout = (key: string): void => {
  queries.setQueriesData<EntryList>(
    { queryKey: [RESOURCE, 'list'] },
    (list) => list && { ...list, entries: list.entries.filter(({ externalKey }) => externalKey !== key) },
  )
}

const toPath = (key: string) => ({ changelog_external_key: key })
const keyOf = (key: string) => [RESOURCE, 'one', key]

async function readEntry(key: string): Promise<Versioned<Entry>> {
  const { data, headers } = await client.request('getChangelogEntry', toPath(key))
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const useEntry = (key: string) =>
  useQuery<Versioned<Entry>>({ queryKey: keyOf(key), queryFn: () => readEntry(key) })

export const usePreview = (key: string) =>
  useQuery<Preview>({
    queryKey: [RESOURCE, 'preview', key],
    queryFn: () => client.previewChangelogEntry(toPath(key)),
  })

export const readAgain = () => queries.invalidateQueries({ queryKey: [RESOURCE] })

export const changeOf = (key: string) => ({
  read: () => readEntry(key),
  async send(change: Partial<Entry>, etag: string): Promise<Versioned<Entry>> {
    const body = change as Operations['modifyChangelogEntry']['input']['body']
    const { data, headers } = await client.request('modifyChangelogEntry', { ...toPath(key), body }, { ifMatch: etag })
    return { record: data, etag: headers.get('etag') ?? '' }
  },
  accept(stored: Versioned<Entry>) {
    showStored(keyOf(key), stored)
    for (const name of ['list', 'preview']) void queries.invalidateQueries({ queryKey: [RESOURCE, name] })
  },
})

export const sendNewEntry = async (title: string, product: string): Promise<string> =>
  (await client.createChangelogEntry({ body: { title, ...(product && { product }) } })).externalKey

export const sendPublication = (key: string, notify: Notify) =>
  client.publishChangelogEntry({ ...toPath(key), body: { notify } })
export const sendSchedule = (key: string, publishAt: string | null, notify?: Notify) =>
  client.modifyChangelogEntry({ ...toPath(key), body: { publishAt, ...(notify && { notify }) } })
export const takeBack = (key: string) => client.unpublishChangelogEntry(toPath(key))
export const sendRemoval = (key: string) => client.removeChangelogEntry(toPath(key))
export const sendRestore = (key: string) => client.restoreChangelogEntry(toPath(key))

/** Answers the id of the stored file. */
export const sendCover = async (product: string, file: File): Promise<number> =>
  (await client.createAsset({ product_external_key: product, file, fields: {} })).id

const MAX_VERSIONS = 100

/** The newest versions of the product. */
export const useVersions = (product: string | null): readonly Version[] =>
  useQuery<Version[]>({
    queryKey: ['solution_version', 'newest', product],
    queryFn: () => client.listSolutionVersions({ product_external_key: product ?? '', limit: MAX_VERSIONS }),
    enabled: product !== null,
  }).data ?? []
