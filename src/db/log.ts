import { type SQLWrapper, sql } from 'drizzle-orm'
import { log } from './schema/tenancy'
import { caller, inline } from './statement'

const FIRST = inline(0)

/**
 * Where an event of the workspace lies in the log: a workspace's events follow each other, in the order of their ids.
 * D1 binds numbers as reals, in which a sum of such size would not be exact.
 */
export const placeOf = (id: SQLWrapper) => sql`((${caller.subscription} << 32) + CAST(${id} AS INTEGER))`

/** The workspace's events behind one. */
export const eventsAfter = (id: SQLWrapper) =>
  sql`${log.place} > ${placeOf(id)} AND ${log.place} < ((${caller.subscription} + 1) << 32)`

export const ofWorkspace = eventsAfter(FIRST)

/** The id of the newest event, 0 where there is none. */
export const lastEvent = sql`(SELECT coalesce(max(${log.place}) & 4294967295, 0) FROM ${log} WHERE ${ofWorkspace})`
