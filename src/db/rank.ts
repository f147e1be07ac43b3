import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Database } from './client'
import { type Guard, guard, RankTaken } from './refuse'
import { param, type Statement, statement, type Values } from './statement'

/*
 * An order that is kept by ranks: texts of which there is always one between two, so that a move writes one row.
 * Neighbours are read, the rank is made, and the write refuses where somebody has taken that rank in between: then it
 * is made again. So whoever places something at the same time loses nothing, and no two have one rank.
 */

/** The rows among which one is placed. In `among` the table is called `s`. */
interface Order {
  table: SQLiteTable
  /** What tells them apart. */
  id: SQLiteColumn
  rank: SQLiteColumn
  among: SQL
  /** Id of the row that is placed; without it, it is to be made. */
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

/** The ranks between which a place is, and the present one of what is placed there. */
export interface Place {
  own: string | null
  lower: string | null
  upper: string | null
}

/** A place that is looked for. */
export interface Target {
  place: Statement<Place>
  /** Whether it is named by those beside it. */
  named: boolean
  guards(rank: string): Guard[]
  statements(rank: string): Statement<never>[]
}

/** What a write at a place needs. */
export interface Placed {
  /** Bound as `@rank`; null where nothing moves. */
  rank: string | null
  /** Refuse neighbours that are not there, and a rank that is taken. */
  guards: readonly Guard[]
  /** At the end of the batch: what keeps ranks short. */
  statements: readonly Statement<never>[]
}

// Each of several that place at the same time draws one of so many ranks.
const DRAWN = 512
const ATTEMPTS = 5
/** Every sixth at one place makes a rank a character longer: beyond this all of the order get short ones. */
const MAX_RANK = 48

/** Makes the places in an order, for the values that its SQL binds. */
export function ordering({ table, id, rank, among, own = sql`NULL`, named = (value) => value, paths }: Order) {
  const column = (of: SQLiteColumn) => sql.raw(`s.${of.name}`)
  const [sId, sRank] = [column(id), column(rank)]
  const [before, after] = [sql`${param('@before')}`, sql`${param('@after')}`]
  const others = sql`FROM ${table} s WHERE ${among} AND ${sId} IS NOT ${own}`
  const rankOf = (which: SQL) => sql`(SELECT ${sRank} ${others} AND ${sId} = ${named(which)})`
  const [beforeRank, afterRank] = [rankOf(before), rankOf(after)]
  const nextTo = (beyond: SQL, direction: 'ASC' | 'DESC') =>
    sql`(SELECT ${sRank} ${others} ${beyond} ORDER BY ${sRank} ${sql.raw(direction)} LIMIT 1)`

  const place = statement<Place, Values>(sql`SELECT
    (SELECT ${sRank} FROM ${table} s WHERE ${among} AND ${sId} = ${own}) AS "own",
    CASE WHEN ${after} IS NOT NULL THEN ${afterRank}
      WHEN ${before} IS NOT NULL THEN ${nextTo(sql`AND ${sRank} < ${beforeRank}`, 'DESC')}
      ELSE ${nextTo(sql``, 'DESC')} END AS "lower",
    CASE WHEN ${after} IS NOT NULL THEN ${nextTo(sql`AND ${sRank} > ${afterRank}`, 'ASC')}
      WHEN ${before} IS NOT NULL THEN ${beforeRank} END AS "upper"`)
  const missing = (path: string, value: SQL, found: SQL) =>
    guard<Values>(
      sql.raw(`'validation_failed:${path}:No such one among those that it is placed with. Name another of them.'`),
      sql`${value} IS NOT NULL AND ${found} IS NULL`,
    )
  const beside = [
    missing(paths.before, before, beforeRank),
    missing(paths.after, after, afterRank),
    guard<Values>(
      sql.raw(`'validation_failed:${paths.before}:Must stand behind the one that it is to come after'`),
      sql`${beforeRank} <= ${afterRank}`,
    ),
  ]
  const taken = guard<Values>(sql`'rank_taken'`, sql`EXISTS (SELECT 1 ${others} AND ${sRank} = ${param('@rank')})`)
  const level = statement<
    never,
    Values
  >(sql`UPDATE ${table} SET ${sql.identifier(rank.name)} = ${rankBehind(sql`'a0'`, sql`o.n`)}
    FROM (SELECT ${sId} AS id, row_number() OVER (ORDER BY ${sRank}, ${sId}) AS n FROM ${table} s WHERE ${among}) o
    WHERE ${id} = o.id`)
  return (key: Values, at: Beside): Target => {
    const values = { ...key, '@before': at.before ?? null, '@after': at.after ?? null }
    const isNamed = at.before !== undefined || at.after !== undefined
    return {
      place: place(values),
      named: isNamed,
      guards: (rank) => [...(isNamed ? beside.map((make) => make(values)) : []), taken({ ...values, '@rank': rank })],
      statements: (rank) => (rank.length > MAX_RANK ? [level(values)] : []),
    }
  }
}

/** SQL of the rank of the `n`th behind a rank without a fraction, such as an end has: one statement ranks many. */
export const rankBehind = (base: SQL, n: SQL) => sql`${base} || printf('%07dV', ${n})`

/** Ranks for so many things in their order. */
export const ranksOf = (count: number): string[] => generateNKeysBetween(null, null, count)

/** The rank of what is placed: its own where it stands there, or is not to move. */
export function rankFor({ own, lower, upper }: Place, named: boolean, attempt = 0): string {
  const there = own !== null && (lower === null || lower < own) && (upper === null || own < upper)
  if (own !== null && (!named || there)) return own
  if (attempt === 0) return generateKeyBetween(lower, upper)
  return generateNKeysBetween(lower, upper, DRAWN)[Math.floor(Math.random() * DRAWN)] as string
}

/** Reads a place and writes there, again where somebody else was quicker; without a target, writes alone. */
export async function placing<T>(
  db: Database,
  target: Target | undefined,
  write: (placed: Placed) => Promise<T>,
): Promise<T> {
  if (!target) return write({ rank: null, guards: [], statements: [] })
  for (let attempt = 0; ; attempt++) {
    const [[found = { own: null, lower: null, upper: null }]] = await db.ask(target.place)
    const rank = rankFor(found, target.named, attempt)
    try {
      return await write({ rank, guards: target.guards(rank), statements: target.statements(rank) })
    } catch (cause) {
      if (!(cause instanceof RankTaken) || attempt === ATTEMPTS) throw cause
    }
  }
}
