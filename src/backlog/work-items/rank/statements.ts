import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { counters } from '../../../db/schema/tenancy'
import { nthRank } from '../../../db/sql/rank'
import { caller, inline } from '../../../db/sql/statement'
import { KEY_PREFIX_BY_TYPE } from '../queries/record'

export const rankOfNumber = nthRank

export const selectRankOfKey = (key: SQL) => rankOfNumber(sql`CAST(substr(${key}, 4) AS INTEGER)`)

const selectKeyPrefix = (type: SQL) => sql`CASE ${type} WHEN 'epic' THEN ${inline(KEY_PREFIX_BY_TYPE.epic)}
  WHEN 'feature' THEN ${inline(KEY_PREFIX_BY_TYPE.feature)} ELSE ${inline(KEY_PREFIX_BY_TYPE.userstory)} END`

const selectLastNumber = (type: SQL) => sql`(SELECT ${counters.value} FROM ${counters}
  WHERE ${counters.subscriptionId} = ${caller.subscription} AND ${counters.prefix} = ${selectKeyPrefix(type)})`

export const selectNextRank = (type: SQL) => rankOfNumber(sql`coalesce(${selectLastNumber(type)}, 0) + 1`)

export const createNewKeys = (rows: SQL, { type, n }: { type: SQL; n: SQLWrapper }) => ({
  /** Takes the numbers; must run before a statement with `key`. */
  take: sql`INSERT INTO ${counters} (subscription_id, prefix, value)
    SELECT ${caller.subscription}, ${selectKeyPrefix(type)}, count(*) FROM ${rows} GROUP BY 2
    ON CONFLICT DO UPDATE SET value = value + excluded.value`,
  key: sql`${selectKeyPrefix(type)} || '-' || (${selectLastNumber(type)} - count(*) OVER (PARTITION BY ${type})
    + row_number() OVER (PARTITION BY ${type} ORDER BY ${n}))`,
})
