import type { Operations } from 'groundwork-client'
import { client } from '../../api/client'
import { queries, useQuery } from '../../api/queries'
import type { Filters } from './place'
import { texts } from './texts/texts'

export type Suppression = Operations['listSuppressions']['data'][number]
export type Segment = Operations['listSegments']['data'][number]

const RESOURCE = 'suppression'
export const PAGE = 100
const MAX_SEGMENTS = 100

export interface Suppressions {
  records: Suppression[]
  hasMore: boolean
}

async function readSuppressions({ email, reason }: Filters, limit: number): Promise<Suppressions> {
  const records: Suppression[] = []
  const pages = client.each('listSuppressions', {
    limit: PAGE,
    ...(email && { email }),
    ...(reason && { reason: [reason] }),
  })
  for await (const suppression of pages) {
    if (records.length === limit) return { records, hasMore: true }
    records.push(suppression)
  }
  return { records, hasMore: false }
}

export const useSuppressions = (filters: Filters, limit: number) =>
  useQuery<Suppressions>({
    queryKey: [RESOURCE, 'list', filters, limit],
    queryFn: () => readSuppressions(filters, limit),
  })

export const useSegments = () =>
  useQuery<Segment[]>({
    queryKey: ['segment', 'names'],
    queryFn: () => client.listSegments({ limit: MAX_SEGMENTS, sort: ['name'] }),
  }).data ?? []

/** What the suppression stops. */
export function describeScope({ segmentId }: Pick<Suppression, 'segmentId'>, segments: readonly Segment[]): string {
  if (segmentId === null) return texts.allMail
  return texts.mailOf(segments.find(({ id }) => id === segmentId)?.name ?? texts.removedSegment)
}

const readAgain = () => queries.invalidateQueries({ queryKey: [RESOURCE] })

export async function sendSuppression(email: string, segmentId: number | null): Promise<void> {
  await client.createSuppression({ body: { email, segmentId } })
  await readAgain()
}

export async function sendRemoval({ id }: Suppression): Promise<void> {
  await client.removeSuppression({ suppressionId: id })
  await readAgain()
}
