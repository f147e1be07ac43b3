import { type SQL, sql } from 'drizzle-orm'
import { nthRank } from '../../../db/rank'
import { counters } from '../../../db/schema/tenancy'
import { caller } from '../../../db/statement'

/** The rank of the item that is made with this number: behind all that there are. */
export const lastRank = nthRank

/** That of the item of this type that is made next: no other comes behind it. */
export const nextRank = (type: SQL) =>
  lastRank(sql`(SELECT coalesce(max(${counters.value}), 0) + 1 FROM ${counters}
  WHERE ${counters.subscriptionId} = ${caller.subscription}
    AND ${counters.prefix} = CASE ${type} WHEN 'epic' THEN 'EP' WHEN 'feature' THEN 'FE' ELSE 'US' END)`)
