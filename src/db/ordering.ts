import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { nthRank, rankAfter, rankBefore, rankBetween } from './rank'
import { type Guard, guard } from './refuse'
import { placements } from './schema/tenancy'
import { caller, inline, param, type Statement, statement, type Values } from './statement'

/** An order of rows. `among` calls the table `s`. */
interface Order {
  table: SQLiteTable
  id: SQLiteColumn
  rank: SQLiteColumn
  among: SQL
  /** Id of the row to place; default: the row created by the batch. */
  own?: SQL
  /** Id of the row named by a bound value; default: the value. */
  named?(value: SQL): SQL
  /** Visible rows `s`, if the order has hidden rows too. A hidden row keeps the rank, because the row may return. */
  shown?: SQL
  /** JSON pointers to the body members naming the neighbors. */
  paths: { before: string; after: string }
}

/** Neighbors of a row to place. Without neighbors a new row goes to the end, and an existing row stays. */
export interface Beside {
  before?: string | number | undefined
  after?: string | number | undefined
}

/** Parts of a write to place a row. All statements bind `values`. */
export interface Place {
  values: Values
  guards: readonly Guard[]
  /** Computes the rank, before the row is written. */
  first: Statement<never>
  last: readonly Statement<never>[]
}

/**
 * Every sixth insert at the same place adds a character to the rank. Beyond this length all rows of the order get short
 * ranks.
 */
const MAX_RANK = inline(48)

const ofTenant = sql`${placements} WHERE ${placements.subscriptionId} = ${caller.subscription}`
const clear = statement<never, Values>(sql`DELETE FROM ${ofTenant}`)

export function ordering({ table, id, rank, among, own, named = (value) => value, shown = sql`TRUE`, paths }: Order) {
  const column = (of: SQLiteColumn) => sql.raw(`s.${of.name}`)
  const [sId, sRank] = [column(id), column(rank)]
  const [before, after] = [sql`${param('@before')}`, sql`${param('@after')}`]
  const others = sql`FROM ${table} s WHERE ${among} AND ${sId} IS NOT ${own ?? sql`NULL`}`
  const rowOf = (columns: SQL, which: SQL) => sql`(SELECT ${columns} ${others} AND ${sId} = ${named(which)})`
  const [beforeRank, afterRank] = [rowOf(sRank, before), rowOf(sRank, after)]
  // The position is a rank and an id, because equal ranks are ordered by id.
  const place = sql`${sRank}, ${sId}`
  const [beforePlace, afterPlace] = [rowOf(place, before), rowOf(place, after)]
  const nextTo = (wanted: SQL, beyond: SQL, direction: 'ASC' | 'DESC') =>
    sql`(SELECT ${wanted} ${others} ${beyond} ORDER BY ${sRank} ${sql.raw(direction)}, ${sId} ${sql.raw(direction)} LIMIT 1)`
  const above = (wanted: SQL, at: SQL, which = sql`TRUE`) =>
    nextTo(wanted, sql`AND (${place}) > ${at} AND ${which}`, 'ASC')
  const below = (wanted: SQL, at: SQL, which = sql`TRUE`) =>
    nextTo(wanted, sql`AND (${place}) < ${at} AND ${which}`, 'DESC')
  const last = nextTo(sRank, sql``, 'DESC')

  const ofOwn = (columns: SQL) =>
    own ? sql`(SELECT ${columns} FROM ${table} s WHERE ${among} AND ${sId} = ${own})` : sql`NULL`
  const ownRank = ofOwn(sRank)
  // True if the row already stands at the place, or must not move.
  const stays = own
    ? sql`CASE WHEN ${after} IS NOT NULL THEN ${below(sId, ofOwn(place), shown)} IS ${named(after)}
        WHEN ${before} IS NOT NULL THEN ${above(sId, ofOwn(place), shown)} IS ${named(before)}
        ELSE ${ownRank} IS NOT NULL END`
    : sql`FALSE`
  const between = sql`SELECT ${stays} AS stays,
    CASE WHEN ${after} IS NOT NULL THEN ${afterRank}
      WHEN ${before} IS NOT NULL THEN ${below(sRank, beforePlace)}
      ELSE ${last} END AS a,
    CASE WHEN ${after} IS NOT NULL THEN ${above(sRank, afterPlace)}
      WHEN ${before} IS NOT NULL THEN ${beforeRank} END AS b`
  const end = (a: SQL) => sql`CASE WHEN ${a} IS NULL THEN ${nthRank(sql`1`)} ELSE ${rankAfter(a)} END`
  // LIMIT 1 keeps SQLite from evaluating the subquery several times.
  const take = statement<never, Values>(sql`INSERT INTO ${placements} (subscription_id, rank)
    SELECT ${caller.subscription}, CASE
      WHEN b IS NULL THEN ${end(sql`a`)}
      WHEN a IS NULL THEN ${rankBefore(sql`b`)}
      ELSE ${rankBetween(sql`a`, sql`b`)} END
    FROM (${between} LIMIT 1)
    WHERE NOT stays LIMIT 1`)

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
      sql`${beforePlace} <= ${afterPlace}`,
    ),
  ]
  const newest = own ?? sql`(SELECT max(${id}) FROM ${table})`
  const level = statement<never, Values>(sql`UPDATE ${table} SET ${sql.identifier(rank.name)} = ${nthRank(sql`o.n`)}
    FROM (SELECT ${sId} AS id, row_number() OVER (ORDER BY ${sRank}, ${sId}) AS n
      FROM (SELECT 1 FROM ${table} WHERE ${id} = ${newest} AND length(${rank}) > ${MAX_RANK}) long CROSS JOIN ${table} s
      WHERE ${among}) o
    WHERE ${id} = o.id`)

  return {
    rank: sql`coalesce((SELECT ${placements.rank} FROM ${ofTenant}), ${ownRank})`,
    /** Rank of the `n`th of many rows appended at the end. */
    behind: (n: SQL) =>
      sql`(SELECT ${end(sql`a`)} FROM (SELECT ${last} AS a LIMIT 1) LIMIT 1) || printf('%07dV', ${n})`,
    at(key: Values, { before, after }: Beside): Place {
      const values = { ...key, '@before': before ?? null, '@after': after ?? null }
      const isNamed = before !== undefined || after !== undefined
      return {
        values,
        guards: isNamed ? guards.map((make) => make(values)) : [],
        first: take(values),
        last: [level(values), clear({})],
      }
    },
  }
}
