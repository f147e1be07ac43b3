import { sql } from 'drizzle-orm'
import { writtenRows } from '../schema/tenancy'
import {
  caller,
  directlyAfter,
  inline,
  insertInto,
  param,
  type Statement,
  statement,
  type Values,
} from '../sql/statement'

/*
 * Each batch is charged an estimate in advance, because D1 reports the written rows (index rows included) only
 * afterwards. A batch beyond its estimate is charged the changes at its end, and refused as a whole beyond the quota.
 * The difference to D1's count joins the next charge of this isolate; a large difference is charged at once, after the
 * response. An ending isolate loses at most a small difference.
 */

const ESTIMATED_ROWS_PER_WRITE = 10
const SETTLE_THRESHOLD_ROWS = 1_000
// Changed rows beyond the estimate that are charged inside the batch. Fewer rows are settled afterwards.
const MIN_MEASURED_ROWS = 100
const DAY_MS = 86_400_000
const MAX_CACHED_WORKSPACES = 10_000

const unchargedRowsByWorkspace = new Map<number, number>()

/** Adds rows to charge with the next write; a negative number is a refund. */
export function addUnchargedRows(subscriptionId: number, rows: number): void {
  const sum = (unchargedRowsByWorkspace.get(subscriptionId) ?? 0) + rows
  if (unchargedRowsByWorkspace.size >= MAX_CACHED_WORKSPACES) unchargedRowsByWorkspace.clear()
  unchargedRowsByWorkspace.set(subscriptionId, sum)
}

/** Rows a workspace may write per day; 0 means unlimited. */
export const readRowsPerDay = ({ WORKSPACE_ROWS_PER_DAY: set }: { WORKSPACE_ROWS_PER_DAY?: string }): number =>
  /^\d{1,12}$/.test(set ?? '') ? Number(set) : 0

const dayNumberOf = (now: number) => Math.floor(now / DAY_MS)

const isChargeOfToday = sql`${writtenRows.subscriptionId} = ${caller.subscription} AND ${writtenRows.day} >= ${param('@day')}`

export const quotaUsedUp = {
  when: sql`coalesce((SELECT ${writtenRows.written} FROM ${writtenRows} WHERE ${isChargeOfToday}), 0) + ${param('@rowsAhead')}
    >= ${param('@rowsPerDay')}`,
  reason: param('@spent'),
}

/** `estimatedRows` is 0 for a write of a single record, because the charge covers a single record. */
export function makeQuotaValues(rows: number, now: number, estimatedRows: number): Values {
  const next = (dayNumberOf(now) + 1) * DAY_MS
  const seconds = Math.ceil((next - now) / 1000)
  const resets = new Date(next).toISOString()
  const message = estimatedRows
    ? `This request writes about ${estimatedRows} database rows, more than the rest of the ${rows} rows that this workspace can write per day. Send fewer records, or repeat the request after ${resets}.`
    : `This workspace has written the ${rows} rows that it can write per day. Repeat the request after ${resets}.`
  return {
    '@day': dayNumberOf(now),
    '@rowsPerDay': rows,
    '@rowsAhead': estimatedRows,
    '@spent': `rate_limited:${seconds}:${message}`,
    '@exceeded': `rate_limited:${seconds}:This request writes more database rows than the rest of the ${rows} rows that this workspace can write per day. Nothing was changed. Choose fewer records, or repeat the request after ${resets}.`,
  }
}

const insertRowCharge = statement<never, Values>(
  insertInto(
    writtenRows,
    {
      subscriptionId: caller.subscription,
      day: param('@day'),
      written: param('@charged'),
      changesBefore: sql`total_changes()`,
    },
    sql`WHERE true ON CONFLICT (subscription_id) DO UPDATE SET day = max(day, excluded.day),
      changes_before = excluded.changes_before, written = excluded.written + CASE WHEN excluded.day > day THEN 0 ELSE written END`,
  ),
)

const isChargeOfCaller = sql`${writtenRows.subscriptionId} = ${caller.subscription}`
// The charge itself is a change. total_changes() counts no index rows: without an estimate, a row has an index row.
const changedRowCount = sql`(total_changes() - ${writtenRows.changesBefore} - 1)`
const unestimatedRowCount = sql`iif(${param('@rowsAhead')} > 0, ${changedRowCount} - ${param('@rowsAhead')}, 2 * ${changedRowCount})`

const chargeUnestimatedRows = statement<{ measured: number }, Values>(sql`UPDATE ${writtenRows}
  SET written = written + ${unestimatedRowCount}, changes_before = ${unestimatedRowCount}
  WHERE ${isChargeOfCaller} AND ${unestimatedRowCount} > ${inline(MIN_MEASURED_ROWS)} RETURNING changes_before AS "measured"`)

const refuseExceededQuota = statement<never, Values>(sql`INSERT INTO refusal SELECT ${param('@exceeded')}
  WHERE changes() = 1 AND EXISTS (SELECT 1 FROM ${writtenRows} WHERE ${isChargeOfCaller} AND written > ${param('@rowsPerDay')})`)

/** `quota` is undefined if the batch may exceed the quota. */
export function makeFinalCharge(estimatedRows: number, quota: Values | undefined): Statement[] {
  const measured = chargeUnestimatedRows({ '@rowsAhead': estimatedRows })
  return quota ? [measured, directlyAfter(measured, refuseExceededQuota(quota))] : [measured]
}

export interface RowCharge {
  statement: Statement<never>
  onWritten(written: number, measured: number): void
  onFailed(): void
}

export function prepareRowCharge(subscriptionId: number, now: number, estimatedRows = 0): RowCharge {
  const carried = unchargedRowsByWorkspace.get(subscriptionId) ?? 0
  unchargedRowsByWorkspace.delete(subscriptionId)
  return {
    statement: insertRowCharge({
      '@day': dayNumberOf(now),
      '@charged': ESTIMATED_ROWS_PER_WRITE + estimatedRows + carried,
    }),
    onWritten: (written, measured) =>
      addUnchargedRows(subscriptionId, written - ESTIMATED_ROWS_PER_WRITE - estimatedRows - measured),
    onFailed: () => addUnchargedRows(subscriptionId, carried),
  }
}

export const hasLargeRowBalance = (subscriptionId: number): boolean =>
  Math.abs(unchargedRowsByWorkspace.get(subscriptionId) ?? 0) >= SETTLE_THRESHOLD_ROWS
