import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { nthRank } from '../../../db/rank'
import { counters } from '../../../db/schema/tenancy'
import { caller, inline } from '../../../db/statement'
import { PREFIX } from '../queries/record'

/** The rank of the item that is made with this number: behind all that there are. */
export const lastRank = nthRank

/** The same of its key. */
export const rankOfKey = (key: SQL) => lastRank(sql`CAST(substr(${key}, 4) AS INTEGER)`)

const prefixOf = (type: SQL) => sql`CASE ${type} WHEN 'epic' THEN ${inline(PREFIX.epic)}
  WHEN 'feature' THEN ${inline(PREFIX.feature)} ELSE ${inline(PREFIX.userstory)} END`

/** The number that was taken last for an item of a type; NULL before the first. */
const lastNumber = (type: SQL) => sql`(SELECT ${counters.value} FROM ${counters}
  WHERE ${counters.subscriptionId} = ${caller.subscription} AND ${counters.prefix} = ${prefixOf(type)})`

/** The rank of the item of this type that is made next: no other comes behind it. */
export const nextRank = (type: SQL) => lastRank(sql`coalesce(${lastNumber(type)}, 0) + 1`)

/** The keys of items that are made together, one of each of `rows`, by their `type` and their order `n`. */
export const keysOf = (rows: SQL, { type, n }: { type: SQL; n: SQLWrapper }) => ({
  /** Takes their numbers. It stands in a batch before whatever uses `key`. */
  take: sql`INSERT INTO ${counters} (subscription_id, prefix, value)
    SELECT ${caller.subscription}, ${prefixOf(type)}, count(*) FROM ${rows} GROUP BY 2
    ON CONFLICT DO UPDATE SET value = value + excluded.value`,
  /** Among the columns of a query of the same rows. */
  key: sql`${prefixOf(type)} || '-' || (${lastNumber(type)} - count(*) OVER (PARTITION BY ${type})
    + row_number() OVER (PARTITION BY ${type} ORDER BY ${n}))`,
})
