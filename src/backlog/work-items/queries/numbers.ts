import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { counters } from '../../../db/schema/tenancy'
import { caller, inline } from '../../../db/statement'
import { lastRank } from '../rank/statements'
import { PREFIX } from './record'

/** The prefix of the keys of a type. */
export const prefixOf = (type: SQL) =>
  sql`CASE ${type} WHEN 'epic' THEN ${inline(PREFIX.epic)} WHEN 'feature' THEN ${inline(PREFIX.feature)} ELSE ${inline(PREFIX.userstory)} END`

const ofPrefix = (prefix: SQL) =>
  sql`${counters.subscriptionId} = ${caller.subscription} AND ${counters.prefix} = ${prefix}`

/** Numbers of items that are made together: each of `rows` is one, of a `type`, at the place `n`. */
export function numbering(rows: SQL, { type, n }: { type: SQL; n: SQLWrapper }) {
  const prefix = prefixOf(type)
  const number = sql`(SELECT ${counters.value} FROM ${counters} WHERE ${ofPrefix(prefix)})
    - count(*) OVER (PARTITION BY ${type}) + row_number() OVER (PARTITION BY ${type} ORDER BY ${n})`
  return {
    /** Takes them. It stands in a batch before whatever uses `key`. */
    take: sql`INSERT INTO ${counters} (subscription_id, prefix, value)
      SELECT ${caller.subscription}, ${prefix}, count(*) FROM ${rows} GROUP BY 2
      ON CONFLICT DO UPDATE SET value = value + excluded.value`,
    /** Among the columns of a query of the same rows: the key of each. */
    key: sql`${prefix} || '-' || (${number})`,
  }
}

/** The rank of the item that is made with a key. */
export const rankOf = (key: SQL) => lastRank(sql`CAST(substr(${key}, 4) AS INTEGER)`)
