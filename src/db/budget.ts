import { sql } from 'drizzle-orm'
import { writtenRows } from './schema/tenancy'
import { caller, insertInto, param, type Statement, statement, type Values } from './statement'

/*
 * What a workspace may write in a day, in rows as D1 bills them: those of indexes too. What a batch writes is known when it is
 * done. So each is charged what a create writes about, and what D1 has counted beyond (or below) that goes with the next
 * charge of this isolate; where that is much, at once, after the answer. An isolate that ends takes at most that much with it.
 */

const CHARGED = 10
const AT_ONCE = 1_000
const DAY = 86_400_000
const MAX_REMEMBERED = 10_000

const owed = new Map<number, number>()

/** Takes back a charge that came to nothing, or adds what is known by now. */
function owe(subscriptionId: number, rows: number): void {
  const sum = (owed.get(subscriptionId) ?? 0) + rows
  if (owed.size >= MAX_REMEMBERED) owed.clear()
  owed.set(subscriptionId, sum)
}

/** How many rows a workspace may write in a day, as it is set; 0 for any number. */
export const rowsPerDay = ({ WORKSPACE_ROWS_PER_DAY: set }: { WORKSPACE_ROWS_PER_DAY?: string }): number =>
  /^\d{1,12}$/.test(set ?? '') ? Number(set) : 0

const day = (now: number) => Math.floor(now / DAY)

const today = sql`${writtenRows.subscriptionId} = ${caller.subscription} AND ${writtenRows.day} >= ${param('@day')}`

/** Refuses a write that the rest of the workspace's rows of the day does not cover: condition and reason. */
export const spent = {
  when: sql`coalesce((SELECT ${writtenRows.written} FROM ${writtenRows} WHERE ${today}), 0) + ${param('@rowsAhead')}
    >= ${param('@rowsPerDay')}`,
  reason: param('@spent'),
}

/** The values that `spent` binds. `estimatedRows` is zero for a write of one record, which the charge covers. */
export function spending(rows: number, now: number, estimatedRows: number): Values {
  const next = (day(now) + 1) * DAY
  const seconds = Math.ceil((next - now) / 1000)
  const resets = new Date(next).toISOString()
  const message = estimatedRows
    ? `This request writes about ${estimatedRows} database rows, more than are left of the ${rows} rows that this workspace may write in a day. Send fewer records, or repeat the request after ${resets}.`
    : `This workspace has written the ${rows} rows that it may write in a day. It may go on at ${resets}.`
  return {
    '@day': day(now),
    '@rowsPerDay': rows,
    '@rowsAhead': estimatedRows,
    '@spent': `rate_limited:${seconds}:${message}`,
  }
}

const charge = statement<never, Values>(
  insertInto(
    writtenRows,
    { subscriptionId: caller.subscription, day: param('@day'), written: param('@charged') },
    sql`WHERE true ON CONFLICT (subscription_id) DO UPDATE SET day = max(day, excluded.day),
      written = excluded.written + CASE WHEN excluded.day > day THEN 0 ELSE written END`,
  ),
)

export interface Charge {
  statement: Statement<never>
  /** Once the batch is done, with the rows that D1 has counted. */
  done(written: number): void
  /** Where it was not. */
  failed(): void
}

/** Charges a batch in itself: one record, and `estimatedRows` of further records. Later writes settle the difference. */
export function charging(subscriptionId: number, now: number, estimatedRows = 0): Charge {
  const carried = owed.get(subscriptionId) ?? 0
  owed.delete(subscriptionId)
  return {
    statement: charge({ '@day': day(now), '@charged': CHARGED + estimatedRows + carried }),
    done: (written) => owe(subscriptionId, written - CHARGED - estimatedRows),
    failed: () => owe(subscriptionId, carried),
  }
}

/** Notes what was written by a batch that was not charged. */
export const wrote = owe

/** Whether the workspace owes, or is owed, so much here that it is noted at once. */
export const owesMuch = (subscriptionId: number): boolean => Math.abs(owed.get(subscriptionId) ?? 0) >= AT_ONCE
