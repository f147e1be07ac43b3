import { type SQLWrapper, sql } from 'drizzle-orm'
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
