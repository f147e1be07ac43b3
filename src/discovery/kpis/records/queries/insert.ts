import { type SQL, sql } from 'drizzle-orm'
import { splitIntoJsonArrays } from '../../../../db/client/bulk'
import type { Database } from '../../../../db/client/client'
import type { RecordRow } from '../../../../db/records/record'
import { emitEventsOfMany } from '../../../../db/records/set-events'
import { kpiRecords, kpis } from '../../../../db/schema/kpis'
import { eventSql } from '../../../../db/sql/events'
import { decimalTextSql, momentJson } from '../../../../db/sql/field'
import { lastTakenNumber, takeNumbers } from '../../../../db/sql/numbering'
import {
  caller,
  directlyAfter,
  inline,
  insertInto,
  makeStatementVariants,
  param,
  type Statement,
  statement,
  type Values,
} from '../../../../db/sql/statement'
import { bindRevisions, type KpiKey, kpi } from '../../fields'
import { MAX_REVISIONS_PER_KPI } from '../../schema'
import type { FileRecords } from '../collect'
import { computeDayTotals, keepLastRecordPerMoment } from '../days'
import { FIRST_RECORD_NUMBER, splitIntoEvents, toJsonMembers } from '../members'
import { buildDayRecount, toDayRow, upsertDayTotals } from './days'
import { emitTargetReachedByInsert, emitTargetReachedByReplace } from './target'

const kpiEventTarget = { key: kpi.eventSource.key, product: kpi.eventSource.product }
const fromKpi = sql`FROM ${kpis} WHERE ${kpi.byKey}`

const integerParam = (name: string) => sql`CAST(${param(name)} AS INTEGER)`

// Joins texts, because json_object would parse each record.
const emitRecordsInserted = statement<never, Values>(() =>
  eventSql({
    type: 'kpi.records_inserted',
    ...kpiEventTarget,
    data: sql`(SELECT '{"count":' || count(*) || ',"rejected":' || ${integerParam('rejected')} || ',"records":[' || group_concat(
        '{"id":' || (${lastTakenNumber('kpi_record')} - ${integerParam('count')} + ${integerParam('at')} + 1 + r.key) || ',' || substr(r.value, 2))
      || ']}' FROM json_each(${param('event')}) r)`,
    from: fromKpi,
  }),
)

export const bumpKpiVersion = statement<never, Values>(
  sql`UPDATE ${kpis} SET version = version + 1, updated_at = ${caller.now} WHERE ${kpi.byKey}`,
)

// A member key holds seven digits of the number and the moment.
const recordNumberOfJsonKey = sql`CAST(substr(key, 1, 7) AS INTEGER)`
export const recordTimeOfJsonKey = sql`CAST(substr(f.key, 8) AS INTEGER)`

const takeRecordIds = takeNumbers('kpi_record', sql`${param('count')}`)
const RECORD_ID_OFFSET = inline(FIRST_RECORD_NUMBER - 1)
const idOfRecord = sql`${lastTakenNumber('kpi_record')} - ${param('count')} + ${recordNumberOfJsonKey} - ${RECORD_ID_OFFSET}`

const createRecordInsert = (where: SQL) =>
  statement<never, Values>(
    insertInto(
      kpiRecords,
      {
        subscriptionId: caller.subscription,
        kpiId: kpi.id,
        createdAt: sql`CAST(substr(key, 8) AS INTEGER)`,
        id: idOfRecord,
        value: sql`value`,
      },
      sql`FROM json_each(${param('records')}) f ${where}`,
    ),
  )

const insertAllRecords = createRecordInsert(sql``)

export function insertKpiRecords(db: Database, { kpi_external_key }: KpiKey, { valid, rejected }: FileRecords) {
  const key = { kpi_external_key }
  const count = valid.values.length
  const days = computeDayTotals(valid)
  return saveKpiRecords(db, key, count, [
    bumpKpiVersion(key),
    takeRecordIds({ count }),
    ...Array.from(splitIntoEvents(valid), ({ at, records }) =>
      emitRecordsInserted({ ...key, count, at, event: records, rejected: at === 0 ? rejected.count : 0 }),
    ),
    emitTargetReachedByInsert(key, valid, days),
    ...toJsonMembers(valid).map((records) => insertAllRecords({ ...key, count, records })),
    ...splitIntoJsonArrays(days.map(toDayRow)).map((some) => upsertDayTotals({ ...key, days: some })),
  ])
}

// A request that changes nothing takes no ids, and leaves the time of the change.
const returningInserted = kpi.returningWhere<RecordRow & { lastId: number | null }>(kpi.byKey, {
  version: kpis.version,
  lastId: sql`iif(${kpis.updatedAt} = ${caller.now}, ${lastTakenNumber('kpi_record')}, NULL)`,
})

async function saveKpiRecords(db: Database, key: KpiKey, count: number, statements: Statement[]) {
  const { rows } = await db.write({
    guards: kpi.writeGuards(key),
    statements,
    estimatedRows: count,
    returning: returningInserted(bindRevisions(key, MAX_REVISIONS_PER_KPI)),
  })
  const lastId = rows[0]?.lastId ?? null
  const inserted = lastId === null ? null : { firstId: lastId - count + 1, lastId }
  return { ...kpi.toReply(rows).data, inserted }
}

/** Several records count as NULL and always differ. */
const fromStoredRecordsAtTime = sql`FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id}
  AND r.created_at = ${recordTimeOfJsonKey}`
export const storedRecordDiffers = sql`(SELECT iif(count(*) = 1, max(r.value), NULL) ${fromStoredRecordsAtTime}) IS NOT f.value`

const bumpKpiVersionIfChanged = makeStatementVariants<never, Values>(
  (chunks) =>
    sql`UPDATE ${kpis} SET version = version + 1, updated_at = ${caller.now} WHERE ${kpi.byKey} AND (${sql.join(
      Array.from(
        { length: Number(chunks) },
        (_, n) => sql`EXISTS (SELECT 1 FROM json_each(${param(`records${n}`)}) f WHERE ${storedRecordDiffers})`,
      ),
      sql` OR `,
    )})`,
)

const takeRecordIdsIfChanged = takeNumbers('kpi_record', sql`iif(changes() = 1, ${param('count')}, 0)`)

const emitRecordsReplaced = statement<never, Values>(
  emitEventsOfMany(
    {
      type: 'kpi.records_inserted',
      ...kpiEventTarget,
      from: sql`CROSS JOIN ${kpis} ON ${kpis.id} = owner`,
      more: sql`, 'rejected', iif(part = 0, ${integerParam('rejected')}, 0), 'replaced', json('true')`,
    },
    'records',
    sql`SELECT ${kpi.id} AS owner, ${idOfRecord} AS member, ${recordTimeOfJsonKey} AS at, f.value AS value
      FROM json_each(${param('records')}) f WHERE ${storedRecordDiffers}`,
    sql`json_object('id', member, 'value', ${decimalTextSql(sql`value`)}, 'createdAt', ${momentJson(sql`at`)})`,
  ),
)

const deleteReplacedRecords = statement<never, Values>(
  sql`DELETE FROM ${kpiRecords} WHERE ${kpiRecords.subscriptionId} = ${caller.subscription}
    AND ${kpiRecords.kpiId} = ${kpi.id} AND (${kpiRecords.createdAt}, ${kpiRecords.id}) IN (
      SELECT r.created_at, r.id FROM json_each(${param('records')}) f CROSS JOIN ${kpiRecords} r
        ON r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id} AND r.created_at = ${recordTimeOfJsonKey}
      WHERE ${storedRecordDiffers})`,
)

const recountStoredDays = statement<never, Values>(buildDayRecount(sql`${param('days')}`))

const insertMissingRecords = createRecordInsert(sql`WHERE NOT EXISTS (SELECT 1 ${fromStoredRecordsAtTime})`)

export function upsertKpiRecords(db: Database, { kpi_external_key }: KpiKey, { valid: all, rejected }: FileRecords) {
  const key = { kpi_external_key }
  const valid = keepLastRecordPerMoment(all)
  const count = valid.values.length
  const chunks = toJsonMembers(valid)
  const chunkValues = Object.fromEntries(chunks.map((records, n) => [`records${n}`, records]))
  const bumped = { ...bumpKpiVersionIfChanged(String(chunks.length), { ...key, ...chunkValues }), bindsRows: true }
  const days = computeDayTotals(valid)
  return saveKpiRecords(db, key, count, [
    bumped,
    directlyAfter(bumped, takeRecordIdsIfChanged({ count })),
    ...chunks.flatMap((records, n) => [
      emitRecordsReplaced({ ...key, count, records, rejected: n === 0 ? rejected.count : 0 }),
      deleteReplacedRecords({ ...key, records }),
      insertMissingRecords({ ...key, count, records }),
    ]),
    emitTargetReachedByReplace(key, valid, days),
    ...splitIntoJsonArrays(days.map(({ day }) => day)).map((some) =>
      recountStoredDays({ ...key, days: some, except: null }),
    ),
  ])
}
