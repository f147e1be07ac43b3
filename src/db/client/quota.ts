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

const ROWS_PER_WRITE = 10
const SETTLE_THRESHOLD = 1_000
// Changed rows beyond the estimate that are charged inside the batch. Fewer rows are settled afterwards.
const MEASURED = 100
const DAY = 86_400_000
const MAX_WORKSPACES = 10_000

const unchargedRows = new Map<number, number>()

/** Adds rows to charge with the next write; a negative number is a refund. */
function addUnchargedRows(subscriptionId: number, rows: number): void {
  const sum = (unchargedRows.get(subscriptionId) ?? 0) + rows
  if (unchargedRows.size >= MAX_WORKSPACES) unchargedRows.clear()
  unchargedRows.set(subscriptionId, sum)
}

/** Rows a workspace may write per day; 0 means unlimited. */
export const rowsPerDay = ({ WORKSPACE_ROWS_PER_DAY: set }: { WORKSPACE_ROWS_PER_DAY?: string }): number =>
  /^\d{1,12}$/.test(set ?? '') ? Number(set) : 0

const dayOf = (now: number) => Math.floor(now / DAY)

const isToday = sql`${writtenRows.subscriptionId} = ${caller.subscription} AND ${writtenRows.day} >= ${param('@day')}`

export const quotaUsed = {
  when: sql`coalesce((SELECT ${writtenRows.written} FROM ${writtenRows} WHERE ${isToday}), 0) + ${param('@rowsAhead')}
    >= ${param('@rowsPerDay')}`,
  reason: param('@spent'),
}

/** `estimatedRows` is 0 for a write of a single record, because the charge covers a single record. */
export function quotaValues(rows: number, now: number, estimatedRows: number): Values {
  const next = (dayOf(now) + 1) * DAY
  const seconds = Math.ceil((next - now) / 1000)
  const resets = new Date(next).toISOString()
  const message = estimatedRows
    ? `This request writes about ${estimatedRows} database rows, more than the rest of the ${rows} rows that this workspace can write per day. Send fewer records, or repeat the request after ${resets}.`
    : `This workspace has written the ${rows} rows that it can write per day. Repeat the request after ${resets}.`
  return {
    '@day': dayOf(now),
    '@rowsPerDay': rows,
    '@rowsAhead': estimatedRows,
    '@spent': `rate_limited:${seconds}:${message}`,
    '@exceeded': `rate_limited:${seconds}:This request writes more database rows than the rest of the ${rows} rows that this workspace can write per day. Nothing was changed. Choose fewer records, or repeat the request after ${resets}.`,
  }
}

const insertCharge = statement<never, Values>(
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

const ofCaller = sql`${writtenRows.subscriptionId} = ${caller.subscription}`
// The charge itself is a change. total_changes() counts no index rows: without an estimate, a row has an index row.
const changed = sql`(total_changes() - ${writtenRows.changesBefore} - 1)`
const unestimated = sql`iif(${param('@rowsAhead')} > 0, ${changed} - ${param('@rowsAhead')}, 2 * ${changed})`

const measure = statement<{ measured: number }, Values>(sql`UPDATE ${writtenRows}
  SET written = written + ${unestimated}, changes_before = ${unestimated}
  WHERE ${ofCaller} AND ${unestimated} > ${inline(MEASURED)} RETURNING changes_before AS "measured"`)

const refuseExceeded = statement<never, Values>(sql`INSERT INTO refusal SELECT ${param('@exceeded')}
  WHERE changes() = 1 AND EXISTS (SELECT 1 FROM ${writtenRows} WHERE ${ofCaller} AND written > ${param('@rowsPerDay')})`)

/** `quota` is undefined if the batch may exceed the quota. */
export function measuring(estimatedRows: number, quota: Values | undefined): Statement[] {
  const measured = measure({ '@rowsAhead': estimatedRows })
  return quota ? [measured, directlyAfter(measured, refuseExceeded(quota))] : [measured]
}

export interface Charge {
  statement: Statement<never>
  onWritten(written: number, measured: number): void
  onFailed(): void
}

export function prepareCharge(subscriptionId: number, now: number, estimatedRows = 0): Charge {
  const carried = unchargedRows.get(subscriptionId) ?? 0
  unchargedRows.delete(subscriptionId)
  return {
    statement: insertCharge({ '@day': dayOf(now), '@charged': ROWS_PER_WRITE + estimatedRows + carried }),
    onWritten: (written, measured) =>
      addUnchargedRows(subscriptionId, written - ROWS_PER_WRITE - estimatedRows - measured),
    onFailed: () => addUnchargedRows(subscriptionId, carried),
  }
}

export const addWrittenRows = addUnchargedRows

export const hasLargeBalance = (subscriptionId: number): boolean =>
  Math.abs(unchargedRows.get(subscriptionId) ?? 0) >= SETTLE_THRESHOLD
