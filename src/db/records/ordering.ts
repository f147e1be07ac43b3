import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Guard, guard } from '../client/refuse'
import { placements } from '../schema/tenancy'
import { nthRank, rankAfter, rankBefore, rankBetween } from '../sql/rank'
import { caller, inline, param, type Statement, statement, type Values } from '../sql/statement'

/** An order of rows. `among` calls the table `s`. */
interface OrderingOptions {
  table: SQLiteTable
  id: SQLiteColumn
  rank: SQLiteColumn
  among: SQL
  /** Id of the row to place; default: the row created by the batch. */
  ownId?: SQL
  idOf?(value: SQL): SQL
  /** Visible rows `s`, if the order has hidden rows too. A hidden row keeps the rank, because the row may return. */
  isShown?: SQL
  paths: { before: string; after: string }
}

/** Neighbors of a row to place. Without neighbors a new row goes to the end, and an existing row stays. */
export interface Neighbors {
  before?: string | number | undefined
  after?: string | number | undefined
}

export interface Placement {
  values: Values
  guards: readonly Guard[]
  rankStatement: Statement<never>
  cleanupStatements: readonly Statement<never>[]
}

/** Every sixth insert at the same place adds a character; longer ranks make all rows of the order get short ranks. */
const MAX_RANK_LENGTH = inline(48)

const placementOfTenant = sql`${placements} WHERE ${placements.subscriptionId} = ${caller.subscription}`
const deletePlacement = statement<never, Values>(sql`DELETE FROM ${placementOfTenant}`)

export function makeOrdering({
  table,
  id,
  rank,
  among,
  ownId,
  idOf = (value) => value,
  isShown = sql`TRUE`,
  paths,
}: OrderingOptions) {
  const column = (of: SQLiteColumn) => sql.raw(`s.${of.name}`)
  const [sId, sRank] = [column(id), column(rank)]
  const [before, after] = [sql`${param('@before')}`, sql`${param('@after')}`]
  const otherRows = sql`FROM ${table} s WHERE ${among} AND ${sId} IS NOT ${ownId ?? sql`NULL`}`
  const rowOf = (columns: SQL, which: SQL) => sql`(SELECT ${columns} ${otherRows} AND ${sId} = ${idOf(which)})`
  const [beforeRank, afterRank] = [rowOf(sRank, before), rowOf(sRank, after)]
  // The position is a rank and an id, because equal ranks are ordered by id.
  const place = sql`${sRank}, ${sId}`
  const [beforePlace, afterPlace] = [rowOf(place, before), rowOf(place, after)]
  const neighbor = (wanted: SQL, beyond: SQL, direction: 'ASC' | 'DESC') =>
    sql`(SELECT ${wanted} ${otherRows} ${beyond} ORDER BY ${sRank} ${sql.raw(direction)}, ${sId} ${sql.raw(direction)} LIMIT 1)`
  const nextHigher = (wanted: SQL, placeAt: SQL, which = sql`TRUE`) =>
    neighbor(wanted, sql`AND (${place}) > ${placeAt} AND ${which}`, 'ASC')
  const nextLower = (wanted: SQL, at: SQL, which = sql`TRUE`) =>
    neighbor(wanted, sql`AND (${place}) < ${at} AND ${which}`, 'DESC')
  const last = neighbor(sRank, sql``, 'DESC')

  const ofOwn = (columns: SQL) =>
    ownId ? sql`(SELECT ${columns} FROM ${table} s WHERE ${among} AND ${sId} = ${ownId})` : sql`NULL`
  const ownRank = ofOwn(sRank)
  const isInPlace = ownId
    ? sql`CASE WHEN ${after} IS NOT NULL THEN ${nextLower(sId, ofOwn(place), isShown)} IS ${idOf(after)}
        WHEN ${before} IS NOT NULL THEN ${nextHigher(sId, ofOwn(place), isShown)} IS ${idOf(before)}
        ELSE ${ownRank} IS NOT NULL END`
    : sql`FALSE`
  const between = sql`SELECT ${isInPlace} AS stays,
    CASE WHEN ${after} IS NOT NULL THEN ${afterRank}
      WHEN ${before} IS NOT NULL THEN ${nextLower(sRank, beforePlace)}
      ELSE ${last} END AS a,
    CASE WHEN ${after} IS NOT NULL THEN ${nextHigher(sRank, afterPlace)}
      WHEN ${before} IS NOT NULL THEN ${beforeRank} END AS b`
  const end = (a: SQL) => sql`CASE WHEN ${a} IS NULL THEN ${nthRank(sql`1`)} ELSE ${rankAfter(a)} END`
  // LIMIT 1 keeps SQLite from evaluating the subquery several times.
  const insertRank = statement<never, Values>(sql`INSERT INTO ${placements} (subscription_id, rank)
    SELECT ${caller.subscription}, CASE
      WHEN b IS NULL THEN ${end(sql`a`)}
      WHEN a IS NULL THEN ${rankBefore(sql`b`)}
      ELSE ${rankBetween(sql`a`, sql`b`)} END
    FROM (${between} LIMIT 1)
    WHERE NOT stays LIMIT 1`)

  const neighborMissing = (path: string, value: SQL, found: SQL) =>
    guard<Values>(
      `validation_failed:${path}:This neighbor is not in the same list. Choose a neighbor from the same list.`,
      sql`${value} IS NOT NULL AND ${found} IS NULL`,
    )
  const guards = [
    neighborMissing(paths.before, before, beforeRank),
    neighborMissing(paths.after, after, afterRank),
    guard<Values>(
      `validation_failed:${paths.before}:Must be a record that comes after the other neighbor`,
      sql`${beforePlace} <= ${afterPlace}`,
    ),
  ]
  const placedId = ownId ?? sql`(SELECT max(${id}) FROM ${table})`
  const shortenRanks = statement<
    never,
    Values
  >(sql`UPDATE ${table} SET ${sql.identifier(rank.name)} = ${nthRank(sql`o.n`)}
    FROM (SELECT ${sId} AS id, row_number() OVER (ORDER BY ${sRank}, ${sId}) AS n
      FROM (SELECT 1 FROM ${table} WHERE ${id} = ${placedId} AND length(${rank}) > ${MAX_RANK_LENGTH}) long CROSS JOIN ${table} s
      WHERE ${among}) o
    WHERE ${id} = o.id`)

  return {
    rank: sql`coalesce((SELECT ${placements.rank} FROM ${placementOfTenant}), ${ownRank})`,
    rankAtEnd: (n: SQL) =>
      sql`(SELECT ${end(sql`a`)} FROM (SELECT ${last} AS a LIMIT 1) LIMIT 1) || printf('%07dV', ${n})`,
    at(key: Values, { before, after }: Neighbors): Placement {
      const values = { ...key, '@before': before ?? null, '@after': after ?? null }
      const isNamed = before !== undefined || after !== undefined
      return {
        values,
        guards: isNamed ? guards.map((make) => make(values)) : [],
        rankStatement: insertRank(values),
        cleanupStatements: [shortenRanks(values), deletePlacement({})],
      }
    },
  }
}
