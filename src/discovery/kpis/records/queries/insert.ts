import { type SQL, sql } from 'drizzle-orm'
import { splitIntoJsonArrays } from '../../../../db/client/bulk'
import type { Database } from '../../../../db/client/client'
import { kpiRecords, kpis } from '../../../../db/schema/kpis'
import { eventSql, makeEventStatement } from '../../../../db/sql/events'
import { lastTakenNumber, takeNumbers } from '../../../../db/sql/numbering'
import {
  caller,
  directlyAfter,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
  statementVariants,
  type Values,
} from '../../../../db/sql/statement'
import { type KpiKey, kpi, withRevisions } from '../../fields'
import { MAX_REVISIONS } from '../../schema'
import type { Records } from '../collect'
import { lastOfEachMoment, totalsByDay } from '../days'
import { FIRST_NUMBER, toJsonMembers } from '../members'
import { addToDays, recountDays, toRow } from './days'
import { emitTargetReachedByInsert, emitTargetReachedByReplace } from './target'

const eventTarget = { key: kpi.eventSource.key, product: kpi.eventSource.product }
const fromKpi = sql`FROM ${kpis} WHERE ${kpi.byKey}`

const emitRecordsInserted = makeEventStatement<KpiKey>({ type: 'kpi.records_inserted', ...eventTarget, from: fromKpi })

export const bumpVersion = statement<never, Values>(
  sql`UPDATE ${kpis} SET version = version + 1, updated_at = ${caller.now} WHERE ${kpi.byKey}`,
)

// A member key holds seven digits of the number and the moment.
const memberNumber = sql`CAST(substr(key, 1, 7) AS INTEGER)`
const memberMoment = sql`CAST(substr(f.key, 8) AS INTEGER)`

const takeIds = takeNumbers('kpi_record', sql`${param('count')}`)
const FIRST_ID = inline(FIRST_NUMBER - 1)
const recordId = sql`${lastTakenNumber('kpi_record')} - ${param('count')} + ${memberNumber} - ${FIRST_ID}`

const insertWhere = (where: SQL) =>
  statement<never, Values>(
    insertInto(
      kpiRecords,
      {
        subscriptionId: caller.subscription,
        kpiId: kpi.id,
        createdAt: sql`CAST(substr(key, 8) AS INTEGER)`,
        id: recordId,
        value: sql`value`,
      },
      sql`FROM json_each(${param('records')}) f ${where}`,
    ),
  )

const insertRecords = insertWhere(sql``)

export function insertKpiRecords(db: Database, { kpi_external_key }: KpiKey, { valid, rejected }: Records) {
  const key = { kpi_external_key }
  const count = valid.values.length
  const days = totalsByDay(valid)
  return saveRecords(db, key, count, [
    emitRecordsInserted({ count, rejected: rejected.count }, key),
    emitTargetReachedByInsert(key, valid, days),
    bumpVersion(key),
    takeIds({ count }),
    ...toJsonMembers(valid).map((records) => insertRecords({ ...key, count, records })),
    ...splitIntoJsonArrays(days.map(toRow)).map((some) => addToDays({ ...key, days: some })),
  ])
}

const saveRecords = (db: Database, key: KpiKey, count: number, statements: Statement[]) =>
  kpi.save(db, {
    guards: kpi.writeGuards(key),
    statements,
    estimatedRows: count,
    returning: kpi.returningByKey(withRevisions(key, MAX_REVISIONS)),
  })

/** Several records count as NULL and always differ. */
const fromStoredRecords = sql`FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id}
  AND r.created_at = ${memberMoment}`
const recordDiffers = sql`(SELECT iif(count(*) = 1, max(r.value), NULL) ${fromStoredRecords}) IS NOT f.value`

const emitRecordsReplaced = statementVariants<never, Values>((chunks) =>
  eventSql({
    type: 'kpi.records_inserted',
    ...eventTarget,
    keepsChanges: true,
    from: sql`${fromKpi} AND (${sql.join(
      Array.from(
        { length: Number(chunks) },
        (_, n) => sql`EXISTS (SELECT 1 FROM json_each(${param(`records${n}`)}) f WHERE ${recordDiffers})`,
      ),
      sql` OR `,
    )})`,
  }),
)

const bumpIfEmitted = statement<never, Values>(
  sql`UPDATE ${kpis} SET version = version + 1, updated_at = ${caller.now} WHERE ${kpi.byKey} AND changes() = 1`,
)

const takeIdsIfEmitted = takeNumbers('kpi_record', sql`iif(changes() = 1, ${param('count')}, 0)`)

const deleteReplaced = statement<never, Values>(
  sql`DELETE FROM ${kpiRecords} WHERE ${kpiRecords.subscriptionId} = ${caller.subscription}
    AND ${kpiRecords.kpiId} = ${kpi.id} AND (${kpiRecords.createdAt}, ${kpiRecords.id}) IN (
      SELECT r.created_at, r.id FROM json_each(${param('records')}) f CROSS JOIN ${kpiRecords} r
        ON r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id} AND r.created_at = ${memberMoment}
      WHERE ${recordDiffers})`,
)

const recountStoredDays = statement<never, Values>(recountDays(sql`${param('days')}`))

const insertMissing = insertWhere(sql`WHERE NOT EXISTS (SELECT 1 ${fromStoredRecords})`)

export function upsertKpiRecords(db: Database, { kpi_external_key }: KpiKey, { valid: all, rejected }: Records) {
  const key = { kpi_external_key }
  const valid = lastOfEachMoment(all)
  const count = valid.values.length
  const chunks = toJsonMembers(valid)
  const chunkValues = Object.fromEntries(chunks.map((records, n) => [`records${n}`, records]))
  const data = JSON.stringify({ count, rejected: rejected.count, replaced: true })
  const emitted = {
    ...emitRecordsReplaced(String(chunks.length), { ...key, ...chunkValues, '@data': data }),
    bindsRows: true,
  }
  const bumped = bumpIfEmitted(key)
  const days = totalsByDay(valid)
  return saveRecords(db, key, count, [
    emitted,
    directlyAfter(emitted, bumped),
    directlyAfter(bumped, takeIdsIfEmitted({ count })),
    ...chunks.flatMap((records) => [deleteReplaced({ ...key, records }), insertMissing({ ...key, count, records })]),
    emitTargetReachedByReplace(key, valid, days),
    ...splitIntoJsonArrays(days.map(({ day }) => day)).map((some) =>
      recountStoredDays({ ...key, days: some, except: null }),
    ),
  ])
}
