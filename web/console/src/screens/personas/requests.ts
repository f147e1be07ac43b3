import { GroundworkError, type Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { showStored, useQuery } from '../../api/queries'

export type ListedPersona = Operations['listPersonas']['data'][number]
export type Persona = Operations['getPersona']['data']
export type BoardSegment = Operations['listBoardSegments']['data'][number]
export type SegmentFields = Pick<BoardSegment, 'name' | 'color'> & Partial<Pick<BoardSegment, 'order'>>
export type NewPersona = Pick<Persona, 'name'> &
  Partial<{ occupation: string; boardSegmentId: number; product: string }>

const MAX_PAGE = 100

/** The personas of the workspace and the segments of their board. */
export interface Cast {
  personas: readonly ListedPersona[]
  segments: readonly BoardSegment[]
}

async function collect<R>(records: AsyncIterable<R>): Promise<R[]> {
  const found: R[] = []
  for await (const record of records) found.push(record)
  return found
}

export async function readCast(signal: AbortSignal): Promise<Cast> {
  const [personas, segments] = await Promise.all([
    collect(client.each('listPersonas', { limit: MAX_PAGE }, { signal })),
    collect(client.each('listBoardSegments', { limit: MAX_PAGE }, { signal })),
  ])
  return { personas, segments }
}

const toPath = (key: string) => ({ persona_external_key: key })

export async function readPersona(key: string): Promise<Versioned<Persona>> {
  const { data, headers } = await client.request('getPersona', toPath(key))
  return { record: data, etag: headers.get('etag') ?? '' }
}

const keyOf = (key: string) => ['persona', 'one', key]

export const usePersona = (key: string) =>
  useQuery<Versioned<Persona>>({ queryKey: keyOf(key), queryFn: () => readPersona(key) })

async function sendPersona(key: string, change: Partial<Persona>, etag: string): Promise<Versioned<Persona>> {
  const { data, headers } = await client.request(
    'modifyPersona',
    { ...toPath(key), body: change as never },
    { ifMatch: etag },
  )
  return { record: data, etag: headers.get('etag') ?? '' }
}

export const changeOf = (key: string, onStored: () => void) => ({
  read: () => readPersona(key),
  send: (change: Partial<Persona>, etag: string) => sendPersona(key, change, etag),
  accept(stored: Versioned<Persona>) {
    showStored(keyOf(key), stored)
    onStored()
  },
})

const MAX_ATTEMPTS = 5
const CHANGED_STATUS = 412

/** Changes the segment from the segment that the person saw. Answers the persona if somebody else has moved it meanwhile. */
export async function sendMove(key: string, from: number | null, to: number | null): Promise<Persona | undefined> {
  for (let attempt = 1; ; attempt++) {
    const { record, etag } = await readPersona(key)
    if (record.boardSegmentId === to) return undefined
    if (record.boardSegmentId !== from) return record
    try {
      showStored(keyOf(key), await sendPersona(key, { boardSegmentId: to }, etag))
      return undefined
    } catch (error) {
      const isChanged = error instanceof GroundworkError && error.status === CHANGED_STATUS
      if (!isChanged || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

export const sendNewPersona = async (fields: NewPersona): Promise<string> =>
  (await client.createPersona({ body: fields })).externalKey
export const sendRemoval = (key: string) => client.removePersona(toPath(key))
export const sendRestore = (key: string) => client.restorePersona(toPath(key))

/** Stores the picture among the files of a product, and answers its address. */
export async function sendPicture(product: string, file: File): Promise<string> {
  const { id } = await client.createAsset({ product_external_key: product, file })
  const path = `/api/initiatives/${encodeURIComponent(product)}/assets/${id}/download`
  return new URL(path, location.origin).href
}

async function readSegment(id: number): Promise<Versioned<BoardSegment>> {
  const { data, headers } = await client.request('getBoardSegment', { boardSegmentId: id })
  return { record: data, etag: headers.get('etag') ?? '' }
}

const keyOfSegment = (id: number) => ['board_segment', 'one', id]

export const useSegment = (id: number) =>
  useQuery<Versioned<BoardSegment>>({ queryKey: keyOfSegment(id), queryFn: () => readSegment(id) })

export const changeOfSegment = (id: number, onStored: () => void) => ({
  read: () => readSegment(id),
  async send(change: Partial<BoardSegment>, etag: string): Promise<Versioned<BoardSegment>> {
    const body = change as Partial<SegmentFields>
    const input = { boardSegmentId: id, body }
    const { data, headers } = await client.request('modifyBoardSegment', input, { ifMatch: etag })
    return { record: data, etag: headers.get('etag') ?? '' }
  },
  accept(stored: Versioned<BoardSegment>) {
    showStored(keyOfSegment(id), stored)
    onStored()
  },
})

export const sendNewSegment = (fields: SegmentFields) => client.createBoardSegment({ body: fields })
export const sendSegmentRemoval = (id: number) => client.removeBoardSegment({ boardSegmentId: id })
export const sendSegmentRestore = (id: number) => client.restoreBoardSegment({ boardSegmentId: id })
