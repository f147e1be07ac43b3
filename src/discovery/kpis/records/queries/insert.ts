import { type SQL, sql } from 'drizzle-orm'
import { jsonChunks } from '../../../../db/bulk'
import type { Database } from '../../../../db/client'
import { event, eventSql } from '../../../../db/events'
import { currentNumber, takesNumbers } from '../../../../db/numbering'
import { kpiRecords, kpis } from '../../../../db/schema/kpis'
import {
  caller,
  directlyAfter,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
  type Values,
  variants,
} from '../../../../db/statement'
import { type KpiKey, kpi, showing } from '../../fields'
import { MAX_REVISIONS } from '../../schema'
import type { Records } from '../collect'
import { daysOf, lastOfEach } from '../days'
import { FIRST, jsonMembers } from '../members'
import { addToDays, asRow, recountDays } from './days'
import { targetReachedByInsert, targetReachedByReplace } from './target'

const about = { key: kpi.told.key, product: kpi.told.product }
const addressed = sql`FROM ${kpis} WHERE ${kpi.addressed}`

const recordsInserted = event<KpiKey>({ type: 'kpi.records_inserted', ...about, from: addressed })

export const bump = statement<never, Values>(
  sql`UPDATE ${kpis} SET version = version + 1, updated_at = ${caller.now} WHERE ${kpi.addressed}`,
)

// A member key holds seven digits of the number and the moment.
const number = sql`CAST(substr(key, 1, 7) AS INTEGER)`
const at = sql`CAST(substr(f.key, 8) AS INTEGER)`

const takeIds = takesNumbers('kpi_record', sql`${param('count')}`)
const FIRST_ID = inline(FIRST - 1)
const id = sql`${currentNumber('kpi_record')} - ${param('count')} + ${number} - ${FIRST_ID}`

const inserting = (where: SQL) =>
  statement<never, Values>(
    insertInto(
      kpiRecords,
      {
        subscriptionId: caller.subscription,
        kpiId: kpi.id,
        createdAt: sql`CAST(substr(key, 8) AS INTEGER)`,
        id,
        value: sql`value`,
      },
      sql`FROM json_each(${param('records')}) f ${where}`,
    ),
  )

const insertRecords = inserting(sql``)

/** Inserts the valid records of a file, at least one, and returns the KPI with the newest records. */
export function insertKpiRecords(db: Database, { kpi_external_key }: KpiKey, { valid, rejected }: Records) {
  const key = { kpi_external_key }
  const count = valid.values.length
  const days = daysOf(valid)
  return saved(db, key, count, [
    recordsInserted({ count, rejected: rejected.count }, key),
    targetReachedByInsert(key, valid, days),
    bump(key),
    takeIds({ count }),
    ...jsonMembers(valid).map((records) => insertRecords({ ...key, count, records })),
    ...jsonChunks(days.map(asRow)).map((some) => addToDays({ ...key, days: some })),
  ])
}

/** `count` estimates the written rows, because records have no index besides the primary key. */
const saved = (db: Database, key: KpiKey, count: number, statements: Statement[]) =>
  kpi.save(db, {
    guards: kpi.writable(key),
    statements,
    estimatedRows: count,
    answer: kpi.reply(showing(key, MAX_REVISIONS)),
  })

/** Stored records at the moment of the member; several records count as NULL and always differ. */
const there = sql`FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id}
  AND r.created_at = ${at}`
const differs = sql`(SELECT iif(count(*) = 1, max(r.value), NULL) ${there}) IS NOT f.value`

const recordsReplaced = variants<never, Values>((chunks) =>
  eventSql({
    type: 'kpi.records_inserted',
    ...about,
    counted: true,
    from: sql`${addressed} AND (${sql.join(
      Array.from(
        { length: Number(chunks) },
        (_, n) => sql`EXISTS (SELECT 1 FROM json_each(${param(`records${n}`)}) f WHERE ${differs})`,
      ),
      sql` OR `,
    )})`,
  }),
)

const bumpIfTold = statement<never, Values>(
  sql`UPDATE ${kpis} SET version = version + 1, updated_at = ${caller.now} WHERE ${kpi.addressed} AND changes() = 1`,
)

const takeIdsIfTold = takesNumbers('kpi_record', sql`iif(changes() = 1, ${param('count')}, 0)`)

const deleteReplaced = statement<never, Values>(
  sql`DELETE FROM ${kpiRecords} WHERE ${kpiRecords.subscriptionId} = ${caller.subscription}
    AND ${kpiRecords.kpiId} = ${kpi.id} AND (${kpiRecords.createdAt}, ${kpiRecords.id}) IN (
      SELECT r.created_at, r.id FROM json_each(${param('records')}) f CROSS JOIN ${kpiRecords} r
        ON r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id} AND r.created_at = ${at}
      WHERE ${differs})`,
)

const recount = statement<never, Values>(recountDays(sql`${param('days')}`))

const insertMissing = inserting(sql`WHERE NOT EXISTS (SELECT 1 ${there})`)

/** Replaces all records of a moment by the record of the file; an equal record is not written. */
export function upsertKpiRecords(db: Database, { kpi_external_key }: KpiKey, { valid: all, rejected }: Records) {
  const key = { kpi_external_key }
  const valid = lastOfEach(all)
  const count = valid.values.length
  const chunks = jsonMembers(valid)
  const given = Object.fromEntries(chunks.map((records, n) => [`records${n}`, records]))
  const data = JSON.stringify({ count, rejected: rejected.count, replaced: true })
  const told = { ...recordsReplaced(String(chunks.length), { ...key, ...given, '@data': data }), apart: true }
  const bumped = bumpIfTold(key)
  const days = daysOf(valid)
  return saved(db, key, count, [
    told,
    directlyAfter(told, bumped),
    directlyAfter(bumped, takeIdsIfTold({ count })),
    ...chunks.flatMap((records) => [deleteReplaced({ ...key, records }), insertMissing({ ...key, count, records })]),
    targetReachedByReplace(key, valid, days),
    ...jsonChunks(days.map(({ day }) => day)).map((some) => recount({ ...key, days: some, except: null })),
  ])
}
