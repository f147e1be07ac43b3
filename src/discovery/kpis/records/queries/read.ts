import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../../db/client/client'
import { makeListReader, type RecordPage } from '../../../../db/records/list'
import { record } from '../../../../db/records/record'
import { kpiDays, kpiRecords, kpis } from '../../../../db/schema/kpis'
import { decodeCursor, encodeCursor } from '../../../../db/sql/cursor'
import { decimal, moment } from '../../../../db/sql/field'
import type { Filter } from '../../../../db/sql/filter'
import {
  boundLimit,
  caller,
  columnList,
  inline,
  param,
  type Statement,
  statement,
  type Values,
} from '../../../../db/sql/statement'
import { invalidValueError, notFoundError } from '../../../../text/errors'
import { type KpiKey, kpi } from '../../fields'
import type { KpiAggregate } from '../../schema'
import { DAY_MS, HUNDREDTHS_PER_HIGH_UNIT, type KpiDay } from '../days'
import { groupByInterval, toKpiInterval } from '../intervals'
import { type KpiInterval, RawRecordsQuery, type RecordInterval, type TimeRange } from '../schema'

export const kpiRecord = record('kpi_record', {
  table: kpiRecords,
  scope: { parent: kpi, by: kpiRecords.kpiId },
  key: { recordId: kpiRecords.id },
  fields: { id: kpiRecords.id, value: decimal(kpiRecords.value), createdAt: moment(kpiRecords.createdAt) },
})

const createTimeFilter = (condition: (name: string) => SQL): Filter<number> => ({ where: condition })

export const rawRecordReader = makeListReader(kpiRecord, RawRecordsQuery, {
  sorts: { createdAt: kpiRecords.createdAt },
  filters: {
    from: createTimeFilter((name) => sql`${kpiRecords.createdAt} >= ${param(name)}`),
    to: createTimeFilter((name) => sql`${kpiRecords.createdAt} < ${param(name)}`),
  },
})

const isDayOfKpi = sql`${kpiDays.subscriptionId} = ${caller.subscription} AND ${kpiDays.kpiId} = ${kpi.id}`
const dayColumns = columnList(kpiDays, [
  ...(['day', 'records', 'sumHigh', 'sumLow', 'least', 'greatest', 'lastAt', 'lastValue'] as const),
])

const selectWholeDays = statement<KpiDay, Values>(sql`SELECT ${dayColumns} FROM ${kpiDays} WHERE ${isDayOfKpi}
  AND ${kpiDays.day} >= ${param('firstDay')} AND ${kpiDays.day} < ${param('endDay')}
  ORDER BY ${kpiDays.day} ${boundLimit('days')}`)

const MAX_RECORDS_OF_CUT_DAY = 200_000

type CutDayRow = { part: string | null }

const hundredthsPerHighUnit = inline(HUNDREDTHS_PER_HIGH_UNIT)
const fromCutRecords = sql`FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id}
  AND r.created_at >= ${param('cutFrom')} AND r.created_at < ${param('cutTo')}`

// JSON array with the members of `Day` in order, with a count of 0 without records; NULL for a day with too many
// records.
const selectCutDay = statement<
  CutDayRow,
  Values
>(sql`SELECT CASE WHEN ${kpiDays.records} <= ${inline(MAX_RECORDS_OF_CUT_DAY)} THEN
    (SELECT json_array(count(*), sum(r.value / ${hundredthsPerHighUnit}), sum(r.value % ${hundredthsPerHighUnit}), min(r.value), max(r.value),
      max(r.created_at), (SELECT r.value ${fromCutRecords} ORDER BY r.created_at DESC, r.id DESC LIMIT 1)) ${fromCutRecords}) END AS "part"
  FROM ${kpiDays} WHERE ${isDayOfKpi} AND ${kpiDays.day} = ${param('day')}`)

// Days beyond any date, for an open range: SQLite has integers of 64 bits and no infinity.
const [FIRST_DAY_OF_OPEN_RANGE, END_DAY_OF_OPEN_RANGE] = [-1_000_000, 4_000_000]

export function buildDaysInRange(key: KpiKey, { from, to }: TimeRange, most: number) {
  const [first, end] = [
    from === undefined ? FIRST_DAY_OF_OPEN_RANGE : Math.floor(from / DAY_MS),
    to === undefined ? END_DAY_OF_OPEN_RANGE : Math.floor(to / DAY_MS),
  ]
  const cutAtStart = from !== undefined && from % DAY_MS !== 0
  const cutAtEnd = to !== undefined && to % DAY_MS !== 0 && !(cutAtStart && end === first)
  const whole = selectWholeDays({ ...key, firstDay: cutAtStart ? first + 1 : first, endDay: end, days: most })
  const cut = (path: string, day: number) => ({
    path,
    day,
    read: selectCutDay({
      ...key,
      day,
      cutFrom: Math.max(from ?? day * DAY_MS, day * DAY_MS),
      cutTo: Math.min(to ?? (day + 1) * DAY_MS, (day + 1) * DAY_MS),
    }),
  })
  const before = cutAtStart ? [cut('/query/from', first)] : []
  const behind = cutAtEnd ? [cut('/query/to', end)] : []
  return {
    statements: [whole, ...[...before, ...behind].map(({ read }) => read)] as Statement[],
    days([found = [], ...parts]: readonly unknown[][]): KpiDay[] {
      const read = (cuts: typeof before, from: number) =>
        cuts.flatMap(({ path, day }, n) => toCutDay(path, day, parts[from + n]?.[0] as CutDayRow | undefined))
      // If the whole days fill the page, the last cut day lies beyond the page.
      return [...read(before, 0), ...(found as KpiDay[]), ...(found.length < most ? read(behind, before.length) : [])]
    },
  }
}

function toCutDay(path: string, day: number, cut: CutDayRow | undefined): KpiDay[] {
  if (!cut) return []
  if (cut.part === null) {
    throw invalidValueError(
      path,
      `The day of this time has more than ${MAX_RECORDS_OF_CUT_DAY.toLocaleString('en-US')} records. Send midnight in UTC.`,
    )
  }
  const [records = 0, sumHigh = 0, sumLow = 0, least = 0, greatest = 0, lastAt = 0, lastValue = 0] = JSON.parse(
    cut.part,
  ) as number[]
  return records === 0 ? [] : [{ day, records, sumHigh, sumLow, least, greatest, lastAt, lastValue }]
}

const selectKpiAggregate = statement<{ aggregate: KpiAggregate }, Values>(
  sql`SELECT ${kpis.aggregate} AS "aggregate" FROM ${kpis} WHERE ${kpi.byKey}`,
)

const MAX_DAYS_BY_INTERVAL = { day: 1, week: 7, month: 31 } as const satisfies Record<RecordInterval, number>

interface IntervalQuery extends TimeRange {
  interval: RecordInterval
  limit: number
  cursor?: string | undefined
}

export async function listIntervals(
  db: Database,
  key: KpiKey,
  asked: IntervalQuery,
): Promise<RecordPage<z.input<typeof KpiInterval>>> {
  const { interval, limit, cursor, to } = asked
  const place = decodeCursor(interval, cursor)?.id
  const from = place === undefined ? asked.from : Math.max(place * DAY_MS, asked.from ?? place * DAY_MS)
  const range = buildDaysInRange(key, { from, to }, (limit + 1) * MAX_DAYS_BY_INTERVAL[interval])
  const [[found], ...rows] = await db.read(selectKpiAggregate(key), ...range.statements)
  if (!found) throw notFoundError(kpi.missing)
  const groups = groupByInterval(range.days(rows), interval)
  const next = groups[limit]
  return {
    data: groups.slice(0, limit).map((group) => toKpiInterval(group, found.aggregate)),
    ...(next && { next: { cursor: encodeCursor(interval, { value: null, id: next[0] }) } }),
  }
}
