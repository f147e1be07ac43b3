import type { Operations } from 'groundwork-client'
import type { Versioned } from '../../api/change'
import { client } from '../../api/client'
import { queries, showStored, useQuery } from '../../api/queries'
import type { Interval, Range, View } from './place'

export type ListedKpi = Operations['listKpis']['data'][number]
export type Kpi = Operations['getKpi']['data']
export type Trend = Operations['getKpiTrend']['data']
export type KpiRecord = Kpi['kpi_revisions'][number]
export type KpiFields = Pick<
  Kpi,
  'title' | 'benchmark' | 'benchmarkUnit' | 'benchmarkType' | 'dueDate' | 'statement' | 'aggregate'
>

/** How the requests name a KPI. */
export interface KpiPlace {
  product: string
  key: string
}

export interface Point {
  /** Milliseconds. */
  at: number
  value: number
}

const toPath = ({ product, key }: KpiPlace) => ({ product_external_key: product, kpi_external_key: key })

const DAY_MS = 86_400_000
const MAX_PAGE = 100
/** Records of a sparkline. */
const SPARK_RECORDS = 30

export const useKpis = (product: string) =>
  useQuery<ListedKpi[]>({
    queryKey: ['kpi', 'list', product],
    queryFn: () => collect(client.each('listKpis', listInput(product))),
  })

const listInput = (product: string) => ({
  product_external_key: product,
  linked: 'all' as const,
  limit: MAX_PAGE,
  revisions: SPARK_RECORDS,
})

async function collect<R>(records: AsyncIterable<R>): Promise<R[]> {
  const found: R[] = []
  for await (const record of records) found.push(record)
  return found
}

const SHOWN_RECORDS = 20

async function readKpi(place: KpiPlace): Promise<Versioned<Kpi>> {
  const { data, headers } = await client.request('getKpi', { ...toPath(place), revisions: SHOWN_RECORDS })
  return { record: data, etag: headers.get('etag') ?? '' }
}

const keyOf = ({ product, key }: KpiPlace) => ['kpi', 'one', product, key]

export const useKpi = (place: KpiPlace) =>
  useQuery<Versioned<Kpi>>({ queryKey: keyOf(place), queryFn: () => readKpi(place) })

export const changeOf = (place: KpiPlace) => ({
  read: () => readKpi(place),
  async send(change: Partial<Kpi>, etag: string): Promise<Versioned<Kpi>> {
    await client.request(
      'modifyKpi',
      { ...toPath(place), body: change as Partial<KpiFields> as never },
      { ifMatch: etag },
    )
    return readKpi(place)
  },
  accept(stored: Versioned<Kpi>) {
    showStored(keyOf(place), stored)
    void queries.invalidateQueries({ queryKey: ['kpi', 'list', place.product] })
  },
})

/** The days of the range, from midnight to midnight (UTC). */
function toRange(range: Range): { from: string; to: string } {
  const end = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS
  return { from: new Date(end - range * DAY_MS).toISOString(), to: new Date(end).toISOString() }
}

export const useTrend = (place: KpiPlace, range: Range) =>
  useQuery<Trend>({
    queryKey: ['kpi', 'trend', place.product, place.key, range],
    queryFn: () => client.getKpiTrend({ ...toPath(place), ...toRange(range) }),
  })

export const usePoints = (place: KpiPlace, interval: Interval, range: Range) =>
  useQuery<Point[]>({
    queryKey: ['kpi', 'points', place.product, place.key, interval, range],
    queryFn: async () => {
      const asked = { ...toPath(place), ...toRange(range), interval, limit: MAX_PAGE }
      const found = await collect(client.each('listKpiRecords', asked))
      return found.flatMap((one) => ('start' in one ? [{ at: Date.parse(one.start), value: Number(one.value) }] : []))
    },
  })

export const sendNewKpi = async ({ product }: Pick<View, 'product'>, fields: KpiFields): Promise<string> =>
  (await client.createKpi({ product_external_key: product, body: fields as never })).externalKey ?? ''

export const sendRemoval = (place: KpiPlace) => client.removeKpi(toPath(place))
export const sendRestore = (place: KpiPlace) => client.restoreKpi(toPath(place))

export type Mode = 'insert' | 'upsert'

type InsertedKpi = Operations['insertKpiRecords']['data']
export type DryRun = NonNullable<InsertedKpi['dryRun']>
export type InsertedIds = NonNullable<InsertedKpi['inserted']>

/** What the service would store, without storing anything. */
export async function checkFile(place: KpiPlace, file: File, mode: Mode): Promise<DryRun> {
  const { dryRun } = await client.insertKpiRecords({ ...toPath(place), file, mode, dryRun: 'true' })
  if (!dryRun) throw new Error('The answer has no dry run')
  return dryRun
}

/** Answers the ids of the new records, if any. */
export const sendFile = async (place: KpiPlace, file: File, mode: Mode): Promise<InsertedIds | undefined> =>
  (await client.insertKpiRecords({ ...toPath(place), file, mode, include: 'inserted' })).inserted ?? undefined

/** Removes the records of a file, and brings the records back that they replaced. */
export async function undoFile(
  place: KpiPlace,
  { firstId, lastId }: InsertedIds,
  former: readonly KpiRecord[],
): Promise<void> {
  await client.removeKpiRecord({ ...toPath(place), recordId: firstId, through: lastId })
  const body = former.map(({ value, createdAt }) => ({ value, createdAt }))
  if (body.length) await client.insertKpiRecords({ ...toPath(place), body })
}

export type NewRecord = Pick<KpiRecord, 'value' | 'createdAt'>

/** Answers the new record, if it is among the newest records. `upsert` replaces the records of the same time. */
export async function sendRecord(
  place: KpiPlace,
  { value, createdAt }: NewRecord,
  mode: Mode = 'insert',
): Promise<KpiRecord | undefined> {
  const { kpi_revisions } = await client.insertKpiRecords({ ...toPath(place), mode, body: [{ value, createdAt }] })
  const same = kpi_revisions.filter((one) => Date.parse(one.createdAt) === Date.parse(createdAt))
  return same.sort((one, other) => other.id - one.id)[0]
}

export const sendRecordRemoval = (place: KpiPlace, { id, createdAt }: KpiRecord) =>
  client.removeKpiRecord({ ...toPath(place), recordId: id, createdAt })

export const readAgain = () => queries.invalidateQueries({ queryKey: ['kpi'] })

export const exportAddress = ({ product, key }: KpiPlace): string =>
  `/api/initiatives/${encodeURIComponent(product)}/kpi/${encodeURIComponent(key)}/records/export?format=csv`

/** Takes the row out of the shown list. */
export const listWithout = ({ product, key }: KpiPlace): void => {
  queries.setQueryData<ListedKpi[]>(['kpi', 'list', product], (shown) =>
    shown?.filter(({ externalKey }) => externalKey !== key),
  )
}
