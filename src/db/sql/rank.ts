import { type SQL, sql } from 'drizzle-orm'
import { inline } from './statement'

/*
 * Ranks are fractional indexes in base 62. A new rank always fits between two ranks, and placing a record writes a
 * single row. The write's own batch computes the rank, because batches run in turn and never get the same rank.
 */

const RANK_DIGITS = inline('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
// Integer part of every rank: k and eleven digits.
const RANK_INTEGER_LENGTH = inline(12)
// A rank with more digits was not made by this code.
const MAX_MIDPOINT_STEPS = inline(1_000)

/** Rank of the `n`th record. The integer part uses only the digits 0 to 9, with room for ranks before the first. */
export const nthRank = (n: SQL) => sql`printf('k1%010d', ${n})`

export const makeInitialRanks = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `k1${String(n + 1).padStart(10, '0')}`)

const digitValue = (text: SQL) => sql`(instr(${RANK_DIGITS}, substr(${text}, 1, 1)) - 1)`
const nthDigit = (n: SQL) => sql`substr(${RANK_DIGITS}, (${n}) + 1, 1)`

function stepRankInteger(integer: SQL, step: 1 | -1): SQL {
  const [full, empty] = step === 1 ? [inline('z'), inline('0')] : [inline('0'), inline('z')]
  const kept = sql`rtrim(${integer}, ${full})`
  return sql`substr(${kept}, 1, length(${kept}) - 1) || ${nthDigit(sql`${digitValue(sql`substr(${kept}, -1)`)} + ${sql.raw(String(step))}`)}
    || replace(substr('00000000000', 1, ${RANK_INTEGER_LENGTH} - length(${kept})), '0', ${empty})`
}

const hasSameDigit = sql.raw("(above IS NOT NULL AND substr(below || '0', 1, 1) = substr(above, 1, 1))")
const lowerDigitValue = digitValue(sql`below`)
const hasDigitGap = sql`(CASE WHEN above IS NULL THEN 62 ELSE ${digitValue(sql`above`)} END - (${lowerDigitValue}) > 1)`

/** Computed like the midpoint of fractional-indexing; without `above`, after all ranks. */
const fractionMidpoint = (below: SQL, above: SQL) => sql`(WITH RECURSIVE step (prefix, below, above, n, done) AS (
  SELECT '', ${below}, ${above}, 0, 0
  UNION ALL
  SELECT prefix || CASE WHEN ${hasSameDigit} OR NOT ${hasDigitGap} AND length(above) > 1 THEN substr(above, 1, 1)
      WHEN ${hasDigitGap} THEN ${nthDigit(sql`(${lowerDigitValue} + CASE WHEN above IS NULL THEN 62 ELSE ${digitValue(sql`above`)} END + 1) / 2`)}
      ELSE ${nthDigit(lowerDigitValue)} END,
    substr(below, 2), CASE WHEN ${hasSameDigit} THEN substr(above, 2) END, n + 1,
    NOT ${hasSameDigit} AND (${hasDigitGap} OR coalesce(length(above) > 1, 0))
  FROM step WHERE NOT done AND n < ${MAX_MIDPOINT_STEPS}
) SELECT prefix FROM step WHERE done)`

const rankIntegerOf = (rank: SQL) => sql`substr(${rank}, 1, ${RANK_INTEGER_LENGTH})`
const rankFractionOf = (rank: SQL) => sql`substr(${rank}, ${RANK_INTEGER_LENGTH} + 1)`

/** Pass column names, because both are used many times. */
export function rankBetween(a: SQL, b: SQL): SQL {
  const whole = sql`${rankIntegerOf(a)} = ${rankIntegerOf(b)}`
  const next = stepRankInteger(rankIntegerOf(a), 1)
  return sql`CASE WHEN ${a} >= ${b} THEN ${a} || 'V' WHEN NOT ${whole} AND ${next} < ${b} THEN ${next}
    ELSE ${rankIntegerOf(a)} || ${fractionMidpoint(rankFractionOf(a), sql`CASE WHEN ${whole} THEN ${rankFractionOf(b)} END`)} END`
}

export const rankBefore = (b: SQL) =>
  sql`CASE WHEN length(${b}) > ${RANK_INTEGER_LENGTH} THEN ${rankIntegerOf(b)} ELSE ${stepRankInteger(rankIntegerOf(b), -1)} END`

export const rankAfter = (a: SQL) => stepRankInteger(rankIntegerOf(a), 1)
