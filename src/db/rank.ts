import { type SQL, sql } from 'drizzle-orm'
import { inline } from './statement'

/*
 * Ranks: texts of which there is always one between two, so that what is put between two others writes one row. They are
 * fractional indexes in base 62, made in the write's own batch: whoever places something at the same time waits for its
 * turn, and no two have one rank.
 */

const DIGITS = inline('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
// k and eleven digits: the integer part of every rank.
const INTEGER = inline(12)
// Longer ones are none of ours.
const MAX_STEPS = inline(1_000)

/**
 * The rank of the `n`th of things in their order. Its integer part has the digits 0 to 9 alone here, and room for those
 * that are put before the first.
 */
export const nthRank = (n: SQL) => sql`printf('k1%010d', ${n})`

/** Ranks for so many things in their order. */
export const ranksOf = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `k1${String(n + 1).padStart(10, '0')}`)

const digit = (text: SQL) => sql`(instr(${DIGITS}, substr(${text}, 1, 1)) - 1)`
const nth = (n: SQL) => sql`substr(${DIGITS}, (${n}) + 1, 1)`

/** The integer part that comes next, or before: what overflows is all `full`, and becomes all `empty`. */
function beside(integer: SQL, step: 1 | -1): SQL {
  const [full, empty] = step === 1 ? [inline('z'), inline('0')] : [inline('0'), inline('z')]
  const kept = sql`rtrim(${integer}, ${full})`
  return sql`substr(${kept}, 1, length(${kept}) - 1) || ${nth(sql`${digit(sql`substr(${kept}, -1)`)} + ${sql.raw(String(step))}`)}
    || replace(substr('00000000000', 1, ${INTEGER} - length(${kept})), '0', ${empty})`
}

const same = sql.raw("(above IS NOT NULL AND substr(below || '0', 1, 1) = substr(above, 1, 1))")
const low = digit(sql`below`)
const apart = sql`(CASE WHEN above IS NULL THEN 62 ELSE ${digit(sql`above`)} END - (${low}) > 1)`

/** Digits between those of two fractions; no `above`: behind all. Digit by digit as the midpoint of fractional-indexing. */
const midpoint = (below: SQL, above: SQL) => sql`(WITH RECURSIVE step (prefix, below, above, n, done) AS (
  SELECT '', ${below}, ${above}, 0, 0
  UNION ALL
  SELECT prefix || CASE WHEN ${same} OR NOT ${apart} AND length(above) > 1 THEN substr(above, 1, 1)
      WHEN ${apart} THEN ${nth(sql`(${low} + CASE WHEN above IS NULL THEN 62 ELSE ${digit(sql`above`)} END + 1) / 2`)}
      ELSE ${nth(low)} END,
    substr(below, 2), CASE WHEN ${same} THEN substr(above, 2) END, n + 1,
    NOT ${same} AND (${apart} OR coalesce(length(above) > 1, 0))
  FROM step WHERE NOT done AND n < ${MAX_STEPS}
) SELECT prefix FROM step WHERE done)`

const integerOf = (rank: SQL) => sql`substr(${rank}, 1, ${INTEGER})`
const fractionOf = (rank: SQL) => sql`substr(${rank}, ${INTEGER} + 1)`

/** A rank between two others, of which the first is the lower one. Name columns: each is used many times. */
export function rankBetween(a: SQL, b: SQL): SQL {
  const whole = sql`${integerOf(a)} = ${integerOf(b)}`
  const next = beside(integerOf(a), 1)
  return sql`CASE WHEN ${a} >= ${b} THEN ${a} || 'V' WHEN NOT ${whole} AND ${next} < ${b} THEN ${next}
    ELSE ${integerOf(a)} || ${midpoint(fractionOf(a), sql`CASE WHEN ${whole} THEN ${fractionOf(b)} END`)} END`
}

/** A rank before another. */
export const rankBefore = (b: SQL) =>
  sql`CASE WHEN length(${b}) > ${INTEGER} THEN ${integerOf(b)} ELSE ${beside(integerOf(b), -1)} END`

/** A rank behind another. */
export const rankAfter = (a: SQL) => beside(integerOf(a), 1)
