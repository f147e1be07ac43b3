import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { nthRank, rankAfter, rankBefore, rankBetween } from './rank'
import { type Guard, guard } from './refuse'
import { placements } from './schema/tenancy'
import { caller, inline, param, type Statement, statement, type Values } from './statement'

/** The rows among which one is placed. In `among` the table is called `s`. */
interface Order {
  table: SQLiteTable
  /** What tells them apart. */
  id: SQLiteColumn
  rank: SQLiteColumn
  among: SQL
  /** Id of the row that is placed; without it, it is the one that the batch makes. */
  own?: SQL
  /** Id of the row that a bound value names; without it, the very value. */
  named?(value: SQL): SQL
  /** The members of a body that name those beside it, as JSON pointers. */
  paths: { before: string; after: string }
}

/** Before and behind which others something is to stand; neither: at the end, or where it is. */
export interface Beside {
  before?: string | number | undefined
  after?: string | number | undefined
}

/** What a write at a place needs: all of its statements are given `values`. */
export interface Place {
  values: Values
  /** Refuse neighbours that are not there. */
  guards: readonly Guard[]
  /** Makes the rank, before what places. */
  first: Statement<never>
  /** Keep ranks short, at the end of the batch. */
  last: readonly Statement<never>[]
}

/** Every sixth at one place makes a rank a character longer: beyond this all of the order get short ones. */
const MAX_RANK = inline(48)

const ofTenant = sql`${placements} WHERE ${placements.subscriptionId} = ${caller.subscription}`
const clear = statement<never, Values>(sql`DELETE FROM ${ofTenant}`)

/** An order of rows, and what places one in it. */
export function ordering({ table, id, rank, among, own, named = (value) => value, paths }: Order) {
  const column = (of: SQLiteColumn) => sql.raw(`s.${of.name}`)
  const [sId, sRank] = [column(id), column(rank)]
  const [before, after] = [sql`${param('@before')}`, sql`${param('@after')}`]
  const others = sql`FROM ${table} s WHERE ${among} AND ${sId} IS NOT ${own ?? sql`NULL`}`
  const rankOf = (which: SQL) => sql`(SELECT ${sRank} ${others} AND ${sId} = ${named(which)})`
  const [beforeRank, afterRank] = [rankOf(before), rankOf(after)]
  const nextTo = (beyond: SQL, direction: 'ASC' | 'DESC') =>
    sql`(SELECT ${sRank} ${others} ${beyond} ORDER BY ${sRank} ${sql.raw(direction)} LIMIT 1)`
  const last = nextTo(sql``, 'DESC')

  const ownRank = own ? sql`(SELECT ${sRank} FROM ${table} s WHERE ${among} AND ${sId} = ${own})` : sql`NULL`
  const between = sql`SELECT
    ${ownRank} AS own,
    CASE WHEN ${after} IS NOT NULL THEN ${afterRank}
      WHEN ${before} IS NOT NULL THEN ${nextTo(sql`AND ${sRank} < ${beforeRank}`, 'DESC')}
      ELSE ${last} END AS a,
    CASE WHEN ${after} IS NOT NULL THEN ${nextTo(sql`AND ${sRank} > ${afterRank}`, 'ASC')}
      WHEN ${before} IS NOT NULL THEN ${beforeRank} END AS b`
  const end = (a: SQL) => sql`CASE WHEN ${a} IS NULL THEN ${nthRank(sql`1`)} ELSE ${rankAfter(a)} END`
  const there = sql`(a IS NULL OR a < own) AND (b IS NULL OR own < b)`
  // Where it stands there already, or is not to move, nothing is written. The limits keep SQLite from reading a place
  // many times.
  const place = statement<never, Values>(sql`INSERT INTO ${placements} (subscription_id, rank)
    SELECT ${caller.subscription}, CASE
      WHEN b IS NULL THEN ${end(sql`a`)}
      WHEN a IS NULL THEN ${rankBefore(sql`b`)}
      ELSE ${rankBetween(sql`a`, sql`b`)} END
    FROM (${between} LIMIT 1)
    WHERE NOT (own IS NOT NULL AND (coalesce(${before}, ${after}) IS NULL OR ${there})) LIMIT 1`)

  const missing = (path: string, value: SQL, found: SQL) =>
    guard<Values>(
      inline(`validation_failed:${path}:No such one among those that it is placed with. Name another of them.`),
      sql`${value} IS NOT NULL AND ${found} IS NULL`,
    )
  const guards = [
    missing(paths.before, before, beforeRank),
    missing(paths.after, after, afterRank),
    guard<Values>(
      inline(`validation_failed:${paths.before}:Must stand behind the one that it is to come after`),
      sql`${beforeRank} <= ${afterRank}`,
    ),
  ]
  const newest = own ?? sql`(SELECT max(${id}) FROM ${table})`
  const level = statement<never, Values>(sql`UPDATE ${table} SET ${sql.identifier(rank.name)} = ${nthRank(sql`o.n`)}
    FROM (SELECT ${sId} AS id, row_number() OVER (ORDER BY ${sRank}, ${sId}) AS n
      FROM (SELECT 1 FROM ${table} WHERE ${id} = ${newest} AND length(${rank}) > ${MAX_RANK}) long CROSS JOIN ${table} s
      WHERE ${among}) o
    WHERE ${id} = o.id`)

  return {
    /** The rank of what is placed. */
    rank: sql`coalesce((SELECT ${placements.rank} FROM ${ofTenant}), ${ownRank})`,
    /** The rank of the `n`th of many that come behind all of them. */
    behind: (n: SQL) =>
      sql`(SELECT ${end(sql`a`)} FROM (SELECT ${last} AS a LIMIT 1) LIMIT 1) || printf('%07dV', ${n})`,
    at(key: Values, { before, after }: Beside): Place {
      const values = { ...key, '@before': before ?? null, '@after': after ?? null }
      const isNamed = before !== undefined || after !== undefined
      return {
        values,
        guards: isNamed ? guards.map((make) => make(values)) : [],
        first: place(values),
        last: [level(values), clear({})],
      }
    },
  }
}
