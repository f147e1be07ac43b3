import { sql } from 'drizzle-orm'
import { logWarning } from '../../text/log'
import { log, writtenRows } from '../schema/tenancy'
import { isEventAfter, lastEventId } from '../sql/log'
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
 * Two quotas of a workspace share a row: rows written per day, and bytes stored. The bytes are an estimate: each charge
 * adds rows, bound texts and events, and the cron replaces the sum by a measurement (src/workspace/usage).
 *
 * Each batch is charged an estimate in advance, because D1 reports the written rows (index rows included) only
 * afterwards. A batch beyond its estimate is charged the changes at its end, and refused as a whole beyond the quota.
 * The difference to D1's count joins the next charge of this isolate; a large difference is charged at once, after the
 * response. An ending isolate loses at most a small difference.
 */

const ESTIMATED_ROWS_PER_WRITE = 10
const SETTLE_THRESHOLD_ROWS = 1_000
const SETTLE_THRESHOLD_BYTES = 1_000_000
// A row without its texts, or an index row: some integers and a place in a page.
const BYTES_PER_ROW = inline(60)
// Changed rows beyond the estimate that are charged inside the batch. Fewer rows are settled afterwards.
// total_changes() also counts the merges of the full-text indexes: 80 rows every 32 writes, and seldom several hundred.
const MIN_MEASURED_ROWS = 1_000
const DAY_MS = 86_400_000
/** Time between two measurements of the bytes of a workspace. */
export const MEASURE_INTERVAL_MS = 3_600_000
const MAX_CACHED_WORKSPACES = 10_000

interface Usage {
  rows: number
  /** Bytes of texts. */
  texts: number
}

const NO_USAGE: Usage = { rows: 0, texts: 0 }
const unchargedUsageByWorkspace = new Map<number, Usage>()

const unchargedUsageOf = (subscriptionId: number) => unchargedUsageByWorkspace.get(subscriptionId) ?? NO_USAGE

/** Adds usage to charge with the next write; negative rows are a refund. */
export function addUnchargedUsage(subscriptionId: number, { rows, texts }: Usage): void {
  const before = unchargedUsageOf(subscriptionId)
  if (unchargedUsageByWorkspace.size >= MAX_CACHED_WORKSPACES) unchargedUsageByWorkspace.clear()
  unchargedUsageByWorkspace.set(subscriptionId, { rows: before.rows + rows, texts: before.texts + texts })
}

/** Length of the distinct bound texts, about the bytes that a batch stores beside its events. */
export function lengthOfBoundTexts(statements: readonly Statement[]): number {
  const texts = new Set<string>()
  for (const { values } of statements)
    for (const value of Object.values(values)) if (typeof value === 'string') texts.add(value)
  return [...texts].reduce((sum, { length }) => sum + length, 0)
}

export interface WorkspaceQuotas {
  /** Rows a workspace may write per day; 0 means unlimited. */
  rowsPerDay: number
  /** Bytes a workspace may store in the database; 0 means unlimited. */
  bytes: number
}

const readQuota = (set = ''): number => (/^\d{1,12}$/.test(set) ? Number(set) : 0)

export const readQuotas = (settings: {
  WORKSPACE_ROWS_PER_DAY?: string
  WORKSPACE_BYTES?: string
}): WorkspaceQuotas => ({
  rowsPerDay: readQuota(settings.WORKSPACE_ROWS_PER_DAY),
  bytes: readQuota(settings.WORKSPACE_BYTES),
})

export const chargesUsage = ({ rowsPerDay, bytes }: WorkspaceQuotas): boolean => rowsPerDay > 0 || bytes > 0

export const UNLIMITED: WorkspaceQuotas = { rowsPerDay: 0, bytes: 0 }

export const dayNumberOf = (now: number) => Math.floor(now / DAY_MS)

export const endOfDay = (now: number) => (dayNumberOf(now) + 1) * DAY_MS

const isChargeOfToday = sql`${writtenRows.subscriptionId} = ${caller.subscription} AND ${writtenRows.day} >= ${param('@day')}`

export const quotaUsedUp = {
  when: sql`coalesce((SELECT ${writtenRows.written} FROM ${writtenRows} WHERE ${isChargeOfToday}), 0) + ${param('@rowsAhead')}
    >= ${param('@rowsPerDay')}`,
  reason: param('@spent'),
}

/** `estimatedRows` is 0 for a write of a single record, because the charge covers a single record. */
export function makeQuotaValues(rows: number, now: number, estimatedRows: number): Values {
  const next = endOfDay(now)
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

const isChargeOfCaller = sql`${writtenRows.subscriptionId} = ${caller.subscription}`

/** Condition of a guard: the workspace stores its quota of bytes, or a bulk write would exceed the quota. */
export const bytesUsedUp = sql`coalesce((SELECT ${writtenRows.bytes} FROM ${writtenRows} WHERE ${isChargeOfCaller}), 0)
  + ${param('@rowsAhead')} * ${BYTES_PER_ROW} >= ${param('@workspaceBytes')}`

export const makeBytesQuotaValues = (bytes: number, estimatedRows: number) => ({
  '@rowsAhead': estimatedRows,
  '@workspaceBytes': bytes,
  '@bytesUsedUp': `rate_limited:${MEASURE_INTERVAL_MS / 1000}:This workspace can store about ${bytes} bytes in the database, and has no room for this request. Remove records: their space is free 30 days later. Or ask the operator of the service for a larger WORKSPACE_BYTES.`,
})

const uncountedEventBytes = sql`(SELECT coalesce(sum(octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)), 0)
  FROM ${log} WHERE ${isEventAfter(sql`written_rows.counted_event`)})`
const chargedBytes = sql`${param('@charged')} * ${BYTES_PER_ROW} + ${param('@texts')}`

const makeCharge = (countsBytes: boolean) =>
  statement<never, Values>(
    insertInto(
      writtenRows,
      {
        subscriptionId: caller.subscription,
        day: param('@day'),
        written: param('@charged'),
        changesBefore: sql`total_changes()`,
        ...(countsBytes && { bytes: chargedBytes, countedEvent: lastEventId }),
      },
      sql`WHERE true ON CONFLICT (subscription_id) DO UPDATE SET day = max(day, excluded.day),
      ${countsBytes ? sql`bytes = max(0, bytes + excluded.bytes + ${uncountedEventBytes}), counted_event = excluded.counted_event,` : sql``}
      changes_before = excluded.changes_before, written = excluded.written + CASE WHEN excluded.day > day THEN 0 ELSE written END`,
    ),
  )
const insertRowCharge = makeCharge(false)
// Events count with the next charge, because a batch is charged before its events exist.
const insertRowAndByteCharge = makeCharge(true)

// The charge itself is a change. total_changes() counts no index rows: without an estimate, a row has an index row.
const changedRowCount = sql`(total_changes() - ${writtenRows.changesBefore} - 1)`
const unestimatedRowCount = sql`iif(${param('@rowsAhead')} > 0, ${changedRowCount} - ${param('@rowsAhead')}, 2 * ${changedRowCount})`

const chargeUnestimatedRows = statement<{ measured: number }, Values>(sql`UPDATE ${writtenRows}
  SET written = written + ${unestimatedRowCount}, bytes = bytes + ${unestimatedRowCount} * ${BYTES_PER_ROW}, changes_before = ${unestimatedRowCount}
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

function prepareCharge(
  subscriptionId: number,
  now: number,
  { rows = 0, texts = 0, countsBytes = false }: Partial<Usage> & { countsBytes?: boolean } = {},
): RowCharge {
  const carried = unchargedUsageOf(subscriptionId)
  unchargedUsageByWorkspace.delete(subscriptionId)
  return {
    statement: (countsBytes ? insertRowAndByteCharge : insertRowCharge)({
      '@day': dayNumberOf(now),
      '@charged': ESTIMATED_ROWS_PER_WRITE + rows + carried.rows,
      ...(countsBytes && { '@texts': texts + carried.texts }),
    }),
    onWritten: (written, measured) =>
      addUnchargedUsage(subscriptionId, { rows: written - ESTIMATED_ROWS_PER_WRITE - rows - measured, texts: 0 }),
    onFailed: () => addUnchargedUsage(subscriptionId, carried),
  }
}

function hasLargeBalance(subscriptionId: number): boolean {
  const { rows, texts } = unchargedUsageOf(subscriptionId)
  return Math.abs(rows) >= SETTLE_THRESHOLD_ROWS || texts >= SETTLE_THRESHOLD_BYTES
}

interface ChargedWrite {
  quotas: WorkspaceQuotas
  now: number
  estimatedRows: number
  statements: readonly Statement[]
}

export function prepareWriteCharge(
  subscriptionId: number,
  { quotas, now, estimatedRows, statements }: ChargedWrite,
): RowCharge | undefined {
  if (!chargesUsage(quotas)) return undefined
  const countsBytes = quotas.bytes > 0
  const texts = countsBytes ? lengthOfBoundTexts(statements) : 0
  return prepareCharge(subscriptionId, now, { rows: estimatedRows, texts, countsBytes })
}

/** Charges the usage of this isolate, if large. */
export async function settleUsage(
  subscriptionId: number,
  { quotas, now }: { quotas: WorkspaceQuotas; now: number },
  run: (charge: Statement) => Promise<{ rowsWritten: number }>,
): Promise<void> {
  if (!chargesUsage(quotas) || !hasLargeBalance(subscriptionId)) return
  const charge = prepareCharge(subscriptionId, now, { countsBytes: quotas.bytes > 0 })
  try {
    const { rowsWritten } = await run(charge.statement)
    charge.onWritten(rowsWritten, 0)
  } catch (cause) {
    charge.onFailed()
    logWarning('The written rows of a workspace were not counted; the next write counts the rows.', {}, cause)
  }
}
