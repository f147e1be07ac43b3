import type { ApiResponse, OperationId } from 'groundwork-client'
import { client } from '../../api/client'
import { queries, useQuery } from '../../api/queries'
import type { Kind } from './kinds'
import { PERIODS, type Period } from './place'

/** A record as its list shows it. */
export type Removed = Readonly<Record<string, unknown>>

export interface RemovedList {
  records: Removed[]
  /** Whether the service has more than the page reads. */
  isCut: boolean
}

const PAGE = 100
/** No list is sorted by the removal: the page reads this many, to show the newest first. */
export const MAX_READ = 500
const DAY_MS = 86_400_000

type Send = (id: OperationId, input: object) => Promise<ApiResponse<unknown>>
const send = client.request as Send

export const keyOf = (kind: Kind, record: Removed): string => String(record[kind.key])
export const removedAt = ({ removedAt = 'deletedAt' }: Kind, record: Removed): string => String(record[removedAt])

async function readRemoved(kind: Kind, product: string | null, period: Period, signal: AbortSignal) {
  const days = PERIODS[period]
  const since = days && new Date(Date.now() - days * DAY_MS).toISOString()
  const ofPerson = kind.names.includes('email') ? ['role'] : []
  const fields = [...new Set(['id', kind.key, ...kind.names, ...ofPerson, kind.removedAt ?? 'deletedAt'])]
  const input = {
    ...{ removed: 'only', limit: PAGE, fields, ...kind.query },
    ...(product && { [kind.product === 'path' ? 'product_external_key' : 'product']: product }),
    ...(since && kind.hasSince !== false && { updatedSince: since }),
  }
  const records: Removed[] = []
  let cursor: string | null = null
  do {
    const page: ApiResponse<unknown> = await send(kind.list, { ...input, ...(cursor && { cursor }) })
    if (signal.aborted) break
    records.push(...(page.data as Removed[]))
    cursor = page.headers.get('x-next-cursor')
  } while (cursor && records.length < MAX_READ)
  return {
    records: records
      .filter((record) => !since || removedAt(kind, record) >= since)
      .sort((one, other) => removedAt(kind, other).localeCompare(removedAt(kind, one))),
    isCut: cursor !== null,
  }
}

export const useRemoved = (kind: Kind, product: string | null | undefined, period: Period) =>
  useQuery<RemovedList>({
    queryKey: [kind.id, 'removed', product, period],
    queryFn: ({ signal }) => readRemoved(kind, product ?? null, period, signal),
    enabled: kind.product !== 'path' || Boolean(product),
    staleTime: 0,
  })

interface Target {
  kind: Kind
  product: string | null | undefined
  record: Removed
}

const toPath = ({ kind, product, record }: Target) => ({
  [kind.keyParam]: kind.key === 'id' ? Number(keyOf(kind, record)) : keyOf(kind, record),
  ...(kind.product === 'path' && { product_external_key: product }),
})

const readAgain = (kind: Kind) => queries.invalidateQueries({ queryKey: [kind.id] })

export async function sendRestore(target: Target): Promise<void> {
  await send(target.kind.restore, toPath(target))
  await readAgain(target.kind)
}

/** Whether the removal took the items below, which then have its time. */
export async function tookItemsBelow({ kind, product, record }: Target): Promise<boolean> {
  if (kind.id !== 'epic' && kind.id !== 'feature') return false
  const at = removedAt(kind, record)
  const below = client.each('listAllWorkItems', {
    ...{ product: product ?? '', removed: 'only', updatedSince: at, limit: PAGE },
    fields: ['epicId', 'featureId', 'deletedAt'],
  })
  for await (const { epicId, featureId, deletedAt } of below)
    if (deletedAt === at && (kind.id === 'epic' ? epicId : featureId) === record.id) return true
  return false
}

export async function sendRemoval(target: Target, cascades: boolean): Promise<void> {
  const { kind } = target
  if (!kind.remove) return
  await send(kind.remove, { ...toPath(target), ...(cascades && { cascade: 'true' }) })
  await readAgain(kind)
}
