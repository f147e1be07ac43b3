import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { log } from '../schema/tenancy'
import { caller, inline } from './statement'

const ZERO_EVENT_ID = inline(0)

/** The workspace in the high bits. The cast is needed because D1 binds numbers as reals, too inexact for such sums. */
export const logPlaceOf = (id: SQLWrapper) => sql`((${caller.subscription} << 32) + CAST(${id} AS INTEGER))`

export const isEventAfter = (id: SQLWrapper) =>
  sql`${log.place} > ${logPlaceOf(id)} AND ${log.place} < ((${caller.subscription} + 1) << 32)`

export const isEventOfWorkspace = isEventAfter(ZERO_EVENT_ID)

export const lastEventId = sql`(SELECT coalesce(max(${log.place}) & 4294967295, 0) FROM ${log} WHERE ${isEventOfWorkspace})`

export const firstEventId = sql`(SELECT min(${log.place}) & 4294967295 FROM ${log} WHERE ${isEventOfWorkspace})`

// Events carry the arrival time of the request, and neighbors can be out of order by up to two minutes.
export const EVENT_TIME_SLACK_MS = 120_000

const timeAtSearchHalf = sql`SELECT ${log.createdAt} FROM ${log} WHERE ${isEventAfter(sql`(lo + hi) / 2 - 1`)} ORDER BY ${log.place} LIMIT 1`

/** One more than the last id, if all events are older. */
export const idOfFirstEventSince = (moment: SQL) => sql`(WITH RECURSIVE half(lo, hi) AS (
    SELECT 0, ${lastEventId} + 1 UNION ALL SELECT
      CASE WHEN (${timeAtSearchHalf}) < ${moment} THEN (lo + hi) / 2 + 1 ELSE lo END,
      CASE WHEN (${timeAtSearchHalf}) < ${moment} THEN hi ELSE (lo + hi) / 2 END
    FROM half WHERE lo < hi)
  SELECT lo FROM half WHERE lo >= hi LIMIT 1)`
