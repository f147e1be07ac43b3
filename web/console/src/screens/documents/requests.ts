import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'

export type Document = Operations['getDocument']['data']
export type DocumentEvent = Operations['listEvents']['data'][number]
export type Asset = Operations['listAssets']['data'][number]

/** The list leaves the texts out. */
const LISTED_FIELDS = ['externalKey', 'title', 'template', 'updatedAt'] as const
export type ListedDocument = Pick<Document, (typeof LISTED_FIELDS)[number]>

/** How the requests name a document. */
export interface DocumentPlace {
  product: string
  key: string
}

export interface DocumentList {
  documents: ListedDocument[]
  hasMore: boolean
}

const RESOURCE = 'document'
const PAGE = 50

interface DocumentPage {
  documents: ListedDocument[]
  cursor: string | null
}

async function readPage(product: string, q: string, cursor: string | null, signal: AbortSignal): Promise<DocumentPage> {
  const { data, headers } = await client.request(
    'listDocuments',
    {
      ...{ product_external_key: product, limit: PAGE, fields: [...LISTED_FIELDS] },
      ...(q && { q }),
      ...(cursor && { cursor }),
    },
    { signal },
  )
  return { documents: data, cursor: headers.get('x-next-cursor') }
}

/** The newest documents, `pages` pages of them. */
export const useDocumentList = (product: string, q: string, pages: number) =>
  useQuery<DocumentList>({
    queryKey: [RESOURCE, 'list', product, q, pages],
    queryFn: async ({ signal }) => {
      let { documents, cursor } = await readPage(product, q, null, signal)
      for (let page = 1; page < pages && cursor; page++) {
        const next = await readPage(product, q, cursor, signal)
        documents = [...documents, ...next.documents]
        cursor = next.cursor
      }
      return { documents, hasMore: cursor !== null }
    },
    placeholderData: (before) => before,
  })

/** Takes the row out of the shown lists. */
export const listWithout = ({ product, key }: DocumentPlace): void => {
  queries.setQueriesData<DocumentList>(
    { queryKey: [RESOURCE, 'list', product] },
    (list) => list && { ...list, documents: list.documents.filter(({ externalKey }) => externalKey !== key) },
  )
}

export const exportPathOf = (product: string): string =>
  `/api/initiatives/${encodeURIComponent(product)}/documents/export?format=csv`

const toPath = ({ product, key }: DocumentPlace) => ({ product_external_key: product, document_external_key: key })
const keyOf = ({ product, key }: DocumentPlace) => [RESOURCE, 'one', product, key]

async function readDocument(place: DocumentPlace): Promise<Versioned<Document>> {
  const { data, headers } = await client.request('getDocument', toPath(place))
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const useDocument = (place: DocumentPlace) =>
  useQuery<Versioned<Document>>({ queryKey: keyOf(place), queryFn: () => readDocument(place) })

export const readAgain = () => queries.invalidateQueries({ queryKey: [RESOURCE] })

export const changeOf = (place: DocumentPlace) => ({
  read: () => readDocument(place),
  async send({ title, content }: Partial<Document>, etag: string): Promise<Versioned<Document>> {
    const body = { ...(title !== undefined && { title }), ...(content !== undefined && { content }) }
    const { data, headers } = await client.request('modifyDocument', { ...toPath(place), body }, { ifMatch: etag })
    return { record: data, etag: headers.get('etag') ?? '' }
  },
  accept(stored: Versioned<Document>) {
    showStored(keyOf(place), stored)
    for (const name of ['list', 'history']) void queries.invalidateQueries({ queryKey: [RESOURCE, name] })
  },
})

export const sendNewDocument = async (product: string, title: string): Promise<string> =>
  (await client.createDocument({ product_external_key: product, body: { title } })).externalKey

interface TemplateUse {
  product: string
  title: string
  variables: Record<string, string>
}

export const sendTemplateUse = async (templateId: number, body: TemplateUse): Promise<string> =>
  (await client.instantiateTemplate({ templateId, body })).externalKey

export const sendRemoval = (place: DocumentPlace) => client.removeDocument(toPath(place))
export const sendRestore = (place: DocumentPlace) => client.restoreDocument(toPath(place))

const MAX_EVENTS = 50

/** The newest changes of the document, each with the values before. */
export const useHistory = ({ product, key }: DocumentPlace) =>
  useQuery<DocumentEvent[]>({
    queryKey: [RESOURCE, 'history', product, key],
    queryFn: () => client.listEvents({ product, key, order: 'newest', limit: MAX_EVENTS }),
  })

const MAX_FILES = 100
const toAssets = ({ product, key }: DocumentPlace) => ['asset', product, key]

export const useFiles = (place: DocumentPlace) =>
  useQuery<Asset[]>({
    queryKey: toAssets(place),
    queryFn: () => client.listAssets({ product_external_key: place.product, artifactKey: place.key, limit: MAX_FILES }),
  })

const readFilesAgain = (place: DocumentPlace) => queries.invalidateQueries({ queryKey: toAssets(place) })

/** Stores a file, and attaches the file to the document. */
export async function sendFile(place: DocumentPlace, file: File): Promise<void> {
  const { product, key } = place
  const { id } = await client.createAsset({ product_external_key: product, file, fields: { usedAt: 'document' } })
  await client.modifyAsset({ product_external_key: product, assetId: id, body: { artifactKey: key } })
  await readFilesAgain(place)
}

export async function detachFile(place: DocumentPlace, assetId: number): Promise<void> {
  await client.modifyAsset({ product_external_key: place.product, assetId, body: { artifactKey: null } })
  await readFilesAgain(place)
}

export async function attachFile(place: DocumentPlace, assetId: number): Promise<void> {
  await client.modifyAsset({ product_external_key: place.product, assetId, body: { artifactKey: place.key } })
  await readFilesAgain(place)
}
