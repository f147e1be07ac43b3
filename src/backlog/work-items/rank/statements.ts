import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { counters } from '../../../db/schema/tenancy'
import { nthRank } from '../../../db/sql/rank'
import { caller, inline } from '../../../db/sql/statement'
import { PREFIX } from '../queries/record'

export const lastRank = nthRank

export const rankOfKey = (key: SQL) => lastRank(sql`CAST(substr(${key}, 4) AS INTEGER)`)

const prefixOf = (type: SQL) => sql`CASE ${type} WHEN 'epic' THEN ${inline(PREFIX.epic)}
  WHEN 'feature' THEN ${inline(PREFIX.feature)} ELSE ${inline(PREFIX.userstory)} END`

const lastNumber = (type: SQL) => sql`(SELECT ${counters.value} FROM ${counters}
  WHERE ${counters.subscriptionId} = ${caller.subscription} AND ${counters.prefix} = ${prefixOf(type)})`

export const nextRank = (type: SQL) => lastRank(sql`coalesce(${lastNumber(type)}, 0) + 1`)

export const newKeysOf = (rows: SQL, { type, n }: { type: SQL; n: SQLWrapper }) => ({
  /** Takes the numbers; must run before a statement with `key`. */
  take: sql`INSERT INTO ${counters} (subscription_id, prefix, value)
    SELECT ${caller.subscription}, ${prefixOf(type)}, count(*) FROM ${rows} GROUP BY 2
    ON CONFLICT DO UPDATE SET value = value + excluded.value`,
  key: sql`${prefixOf(type)} || '-' || (${lastNumber(type)} - count(*) OVER (PARTITION BY ${type})
    + row_number() OVER (PARTITION BY ${type} ORDER BY ${n}))`,
})
