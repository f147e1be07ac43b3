import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { mailPreferences } from '../../db/schema/notices'
import { caller, inline } from '../../db/sql/statement'

/** Join of the preferences of a person, who has none before the first choice. */
export const joinPreferences = (user: SQLWrapper) => sql`LEFT JOIN ${mailPreferences}
  ON ${mailPreferences.subscriptionId} = ${caller.subscription} AND ${mailPreferences.userId} = ${user}`

export const kindIsStopped = (kind: SQLWrapper) => sql`(${mailPreferences.stoppedKinds} IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(${mailPreferences.stoppedKinds}) WHERE value = ${kind}))`

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// Digests leave at six in the morning, UTC.
const DAILY_AT_MS = 6 * HOUR_MS
// Weekly digests leave on Mondays. The first Monday is 5 January 1970.
const WEEKLY_AT_MS = 4 * DAY_MS + DAILY_AT_MS

/** The first moment of a schedule at or after `at`. */
const nextOf = (at: SQLWrapper, periodMs: number, firstMs: number): SQL => {
  const [period, first] = [inline(periodMs), inline(firstMs)]
  return sql`((CAST(${at} AS INTEGER) - ${first} + ${period} - 1) / ${period} * ${period} + ${first})`
}

/** The time of the next mail about something that is due at `at`. */
export const digestDueAt = (at: SQLWrapper): SQL => sql`CASE ${mailPreferences.digest}
  WHEN 'daily' THEN ${nextOf(at, DAY_MS, DAILY_AT_MS)} WHEN 'weekly' THEN ${nextOf(at, 7 * DAY_MS, WEEKLY_AT_MS)} ELSE ${at} END`
